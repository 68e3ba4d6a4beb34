//! The targets without libFuzzer, on stable Rust: the corpus first, then inputs that are drawn and inputs that are changed ones of the corpus.
//!
//! `driver <target> --seconds 60 [--seed 1] [--corpus folder]`. It prints seed and number of inputs. An input for which a property does not hold is
//! written to `artifacts/<target>-<number>` and shown; `driver <target> <file>…` runs such files again. There is no feedback from coverage: that is
//! what libFuzzer is for.

use std::fs;
use std::io::Write;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agent_turn_fuzz::{TARGETS, Target};

/// What was asked for.
struct Asked {
    name: String,
    target: Target,
    seconds: u64,
    seed: u64,
    corpus: Option<PathBuf>,
    files: Vec<PathBuf>,
}

fn asked() -> Result<Asked, String> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let known = TARGETS.iter().find(|(target, _)| *target == name);
    let (_, target) = *known.ok_or(format!(
        "driver <target> --seconds <n> [--seed <n>] [--corpus <folder>]; targets: {}",
        names.join(" ")
    ))?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut asked = Asked {
        name,
        target,
        seconds: 60,
        seed: since.as_secs(),
        corpus: None,
        files: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--seconds" => asked.seconds = value()?.parse().map_err(|_| "--seconds is a number")?,
            "--seed" => asked.seed = value()?.parse().map_err(|_| "--seed is a number")?,
            "--corpus" => asked.corpus = Some(value()?.into()),
            file => asked.files.push(file.into()),
        }
    }
    Ok(asked)
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// Drawn from nothing.
    fn drawn(&mut self) -> Vec<u8> {
        let most = [32, 128, 512, 2048][self.below(4)];
        (0..self.below(most)).map(|_| self.next() as u8).collect()
    }

    /// One of the corpus, changed in a few places, or two of them joined.
    fn changed(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut input = corpus[self.below(corpus.len())].clone();
        for _ in 0..1 + self.below(6) {
            let at = self.below(input.len() + 1);
            match (self.below(4), at < input.len()) {
                (0, true) => input[at] = self.next() as u8,
                (1, true) => drop(input.remove(at)),
                (2, _) => input.insert(at, self.next() as u8),
                _ => {
                    let other = &corpus[self.below(corpus.len())];
                    let from = self.below(other.len() + 1);
                    input.truncate(at);
                    input.extend(&other[from..]);
                }
            }
        }
        input
    }
}

/// Runs one input; false where a property does not hold.
fn holds(asked: &Asked, input: &[u8]) -> bool {
    if catch_unwind(|| (asked.target)(input)).is_ok() {
        return true;
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    let file = folder.join(format!("{}-{:016x}", asked.name, fingerprint(input)));
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, input));
    println!("{}: a property does not hold (above) for {input:?}; {}: {kept:?}", asked.name, file.display());
    false
}

/// FNV-1a.
fn fingerprint(input: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    input.iter().fold(0xCBF2_9CE4_8422_2325, step)
}

fn read(corpus: &PathBuf) -> std::io::Result<Vec<Vec<u8>>> {
    let mut files = fs::read_dir(corpus)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.sort();
    files.iter().map(fs::read).collect()
}

fn fuzz(asked: &Asked) -> Result<bool, std::io::Error> {
    let corpus = asked.corpus.as_ref().map(read).transpose()?.unwrap_or_default();
    let files = asked.files.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    if !files.is_empty() {
        return Ok(files.iter().all(|input| holds(asked, input)));
    }
    println!("{}: stable driver, seed {}, {} inputs of the corpus", asked.name, asked.seed, corpus.len());
    std::io::stdout().flush()?;
    let mut random = Random(asked.seed);
    let until = Instant::now() + Duration::from_secs(asked.seconds);
    let mut runs = corpus.len() as u64;
    if !corpus.iter().all(|input| holds(asked, input)) {
        return Ok(false);
    }
    while Instant::now() < until {
        let input = match corpus.is_empty() || random.below(3) == 0 {
            true => random.drawn(),
            false => random.changed(&corpus),
        };
        runs += 1;
        if !holds(asked, &input) {
            return Ok(false);
        }
    }
    println!("{}: {runs} inputs in {} s", asked.name, asked.seconds);
    Ok(true)
}

fn main() -> ExitCode {
    match asked().and_then(|asked| fuzz(&asked).map_err(|error| error.to_string())) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(usage) => {
            eprintln!("{usage}");
            ExitCode::from(2)
        }
    }
}
