//! Property tests that tell their seed: the harness shows it where one fails, and `PROPTEST_RNG_SEED=<seed> cargo test <name>` plays it again.

use std::time::{SystemTime, UNIX_EPOCH};

use proptest::test_runner::{Config, RngSeed};

/// So many cases (`PROPTEST_CASES` for other numbers), from a seed that is printed.
pub fn seeded(cases: u32) -> Config {
    let config = Config::default();
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos().into(),
    };
    let cases = std::env::var("PROPTEST_CASES").map_or(cases, |_| config.cases);
    println!("PROPTEST_RNG_SEED={seed} PROPTEST_CASES={cases}");
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..config
    }
}
