//! URLs and local paths (E1).
//!
//! A URL is known by its doubled slash or, without one, by a host name with a path behind it; a path by the slash, `~/`, drive letter or doubled backslash
//! it begins with. What has none of these - `src/app.js`, `www.example.org`, `Foo\Bar` - is ordinary text.

use super::bytes::{
    at, before, digits_before, end_within, ends_with, equals, find, find_within, is_digit, is_host, look, mark, part, run, run_back, run_within, starts_at,
    trim_end,
};
use super::scan::Scan;

/// How far a quoted place may reach, and what is looked at to tell whether something is a path.
const MOST: usize = 256;

/// First segments that make a path even alone: `/tmp`.
const ROOTS: &str = " app bin boot data dev etc home lib mnt opt private proc root run sbin srv sys tmp users usr var volumes workspace ";

/// Top-level domains that make a URL of `host/path` without scheme and `www.`; more would take relative paths for hosts.
const DOMAINS: &str = " com org net de at ch eu io ai dev app cloud invalid ";

impl Scan<'_> {
    /// `scheme://…`, also with the slashes escaped as JSON writers of PHP do, and `data:` URLs. At `:`.
    pub(super) fn scheme(&mut self) -> bool {
        let mut rest = self.i + 1;
        for _ in 0..2 {
            rest += usize::from(at(self.s, rest) == b'\\' && at(self.s, rest + 1) == b'/');
            if at(self.s, rest) != b'/' {
                return self.data_url();
            }
            rest += 1;
        }
        self.url(rest)
    }

    /// `scheme://…` in percent-encoding, as a parameter of another URL. At `%`.
    pub(super) fn encoded_scheme(&mut self) -> bool {
        part(self.s, self.i, self.i + 9).eq_ignore_ascii_case(b"%3A%2F%2F") && self.url(self.i + 9)
    }

    /// Replaces a URL from its scheme, which is already written, to its end; `rest` is what follows the slashes.
    fn url(&mut self, rest: usize) -> bool {
        let end = self.place_end(rest);
        if end == rest {
            return false;
        }
        let mut start = run_back(&self.out, self.out.len(), 64, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'));
        if before(&self.out, start) == b'@' {
            // `render@https://host/app.js:10:5`: a frame as Firefox and Safari write it.
            start = run_back(&self.out, start - 1, MOST, |b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b'/' | b'<' | b'*')
            });
        }
        self.out.truncate(start);
        self.redact_to(end)
    }

    fn data_url(&mut self) -> bool {
        let end = run(self.s, self.i + 1, |b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+' | b'-' | b'.'));
        let is_data = matches!(at(self.s, end), b';' | b',') && self.follows("data") && part(self.s, self.i, end).contains(&b'/');
        if is_data {
            self.out.truncate(self.out.len() - 4);
            let end = self.place_end(end);
            self.redact_to(end);
        }
        is_data
    }

    /// `/…`: a doubled slash, a path behind a host name, or an absolute path.
    pub(super) fn slash(&mut self) -> bool {
        self.host_path() || (self.at_place_start() && (self.is_double_slash() || self.is_absolute()) && self.path(self.i))
    }

    /// `\\server\share`, and `\/` as JSON writers escape a slash.
    pub(super) fn backslash(&mut self) -> bool {
        if at(self.s, self.i + 1) == b'/' {
            return self.slash();
        }
        if !self.at_place_start() {
            return false;
        }
        // Up to four times two: JSON within JSON.
        let server = run_within(self.s, self.i, 9, |b| b == b'\\');
        let name = run_within(self.s, server, MOST, |b| is_host(b) || matches!(b, b'_' | b'?' | b'$'));
        let is_unc = server >= self.i + 2 && (name >= server + 2 || at(self.s, server) == b'?') && at(self.s, name) == b'\\';
        // a named pipe: `\\.\pipe\x`
        let is_pipe = server >= self.i + 2 && starts_at(self.s, server, b".\\pipe\\");
        (is_unc || is_pipe) && self.path(server)
    }

    /// `~/…`
    pub(super) fn home(&mut self) -> bool {
        let first = at(self.s, self.i + 2);
        at(self.s, self.i + 1) == b'/' && (first.is_ascii_alphanumeric() || matches!(first, b'.' | b'_')) && self.at_place_start() && self.path(self.i)
    }

    /// `C:\…` and `C:/…`, the letter already written. At `:`.
    pub(super) fn drive(&mut self) -> bool {
        let len = self.out.len();
        let next = at(self.s, self.i + 1);
        let opens = next == b'\\' || (next == b'/' && at(self.s, self.i + 2).is_ascii_alphanumeric());
        if !opens || !before(&self.out, len).is_ascii_alphabetic() || !self.is_word_start(len - 1) {
            return false;
        }
        self.out.truncate(len - 1);
        self.path(self.i)
    }

    /// `www.host/…`, `host.tld/…`, `host:port/…`, the host already written. At `/`, `?` or `#`.
    pub(super) fn host_path(&mut self) -> bool {
        let next = at(self.s, self.i + 1);
        let slash = matches!(at(self.s, self.i), b'/' | b'\\');
        let len = self.out.len();
        let port = digits_before(&self.out, len, 5).filter(|&start| before(&self.out, start) == b':');
        let end = port.map_or(len, |start| start - 1);
        let start = run_back(&self.out, end, 253, is_host);
        let host = part(&self.out, start, end);
        let Some(dot) = host.iter().rposition(|&b| b == b'.').or(equals(host, "localhost").then_some(0)) else {
            return false;
        };
        let domain = part(host, dot + 1, host.len());
        let named = domain.len() >= 2 && domain.iter().all(u8::is_ascii_alphabetic);
        let www = part(host, 0, 4).eq_ignore_ascii_case(b"www.") && named;
        let known = named && next.is_ascii_alphanumeric() && DOMAINS.split(' ').any(|known| !known.is_empty() && equals(domain, known));
        let ported = port.is_some() && (named || domain.iter().all(u8::is_ascii_digit));
        let open = self.is_word_start(start) && !matches!(before(&self.out, start), b'/' | b'@' | b'_' | b'\\' | b'$' | b'%');
        if !open || !(www || known || ported) || !(slash || next.is_ascii_alphanumeric()) {
            return false;
        }
        self.out.truncate(start);
        let end = self.place_end(self.i);
        self.redact_to(end)
    }

    /// `user:password@host:port/…` and `user:password@tcp(…)/…` without a scheme, the user already written. At `@`.
    pub(super) fn user_info(&mut self) -> bool {
        let host = run(self.s, self.i + 1, is_host);
        let is_place = match at(self.s, host) {
            b':' => is_digit(at(self.s, host + 1)),
            // `user:password@/name`: a DSN of Go may leave the host out
            b'/' | b'(' => host > self.i + 1 || at(self.s, host + 1).is_ascii_alphanumeric(),
            _ => false,
        };
        let len = self.out.len();
        let start = run_back(&self.out, len, 128, |b| {
            !matches!(b, b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'=' | b'(' | b',' | b']')
        });
        let Some(colon) = part(&self.out, start, len).iter().position(|&b| b == b':') else {
            return false;
        };
        let password = look(part(&self.out, start + colon + 1, len));
        // `E-Mail:info@example.org` is none, `name:tag@sha256:…` names an image
        let is_secret = is_place || (password.len >= 6 && password.digits > 0 && password.lower && password.upper && host > self.i + 1);
        if colon == 0 || password.len == 0 || !is_secret || starts_at(self.s, self.i + 1, b"sha256:") {
            return false;
        }
        self.out.truncate(start);
        let end = self.place_end(self.i);
        self.redact_to(end)
    }

    /// Whether a path can begin here: not inside of a word, a relative path, a tag or a placeholder.
    fn at_place_start(&self) -> bool {
        match self.out.last().copied().unwrap_or(b' ') {
            b' ' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b'=' | b':' | b',' | b';' | b'|' | b'>' | b'!' => true,
            b if b.is_ascii_alphanumeric() => self.at_word_start(),
            // Behind a script without spaces only what is plain ASCII is a path: between two such words the slash means "or".
            b if b >= 0x80 => self.at_word_start() && at(self.s, self.i + 1).is_ascii(),
            _ => false,
        }
    }

    /// `//host/…`; not `// comment` or `//comment`.
    fn is_double_slash(&self) -> bool {
        let body = self.i + 2;
        at(self.s, self.i + 1) == b'/'
            && (at(self.s, body).is_ascii_alphanumeric() || starts_at(self.s, body, b"./pipe/"))
            && part(self.s, body, self.place_end(body)).iter().any(|b| matches!(b, b'.' | b'/'))
    }

    /// Whether the slash here begins an absolute path: of several segments, of a file with an extension or a query, or of a well-known root.
    fn is_absolute(&self) -> bool {
        let start = self.i + usize::from(at(self.s, self.i) == b'\\') + 1;
        let first = at(self.s, start);
        if !(first.is_ascii_alphanumeric() || matches!(first, b'_' | b'.' | b'~' | b'%' | b'@' | b'-' | b'$') || !first.is_ascii()) {
            return false;
        }
        let place = part(self.s, start, self.place_end_within(start, MOST));
        if !place.iter().any(|b| b.is_ascii_alphabetic() || !b.is_ascii()) {
            return false;
        }
        let root = part(place, 0, run(place, 0, |b| b.is_ascii_alphanumeric()));
        if ROOTS.split(' ').any(|known| !known.is_empty() && equals(root, known)) && !matches!(at(place, root.len()), b'-' | b'_' | 0x80..) {
            return true;
        }
        // `/pattern/i`
        let last = place.iter().rposition(|&b| b == b'/').map_or(0, |slash| slash + 1);
        let flags = part(place, last, place.len());
        let only = find(place, 0, b"/").map(|slash| slash + 1);
        let is_pattern = only == Some(last) && !flags.is_empty() && flags.iter().all(|b| b"gimsuxy".contains(b));
        let has_part = (0..place.len()).any(|i| matches!(at(place, i), b'.' | b'?') && at(place, i + 1).is_ascii_alphanumeric());
        !is_pattern && (last > 0 || has_part)
    }

    /// Replaces the path whose body goes on at `from`, with everything that hangs on its end.
    fn path(&mut self, from: usize) -> bool {
        let quote = self.out.last().copied().unwrap_or(0);
        let mut end = self.place_end(from);
        if matches!(quote, b'"' | b'\'' | b'`') && at(self.s, end) == b' ' {
            end = self.quoted_path_end(end, quote);
        }
        let separator = if matches!(at(self.s, self.i), b'/' | b'~') || at(self.s, self.i + 1) == b'/' {
            b'/'
        } else {
            b'\\'
        };
        let mut last = from;
        while let Some((word, longer)) = self.path_goes_on(last, end, separator) {
            (last, end) = (word, longer);
        }
        self.trace_place(end)
    }

    /// `"/Users/Max Mustermann/x.php"`: a space inside of quotes, with more of the path behind it.
    fn quoted_path_end(&self, end: usize, quote: u8) -> usize {
        let close = find_within(self.s, end, MOST, &[quote]).unwrap_or(end);
        let rest = part(self.s, end, close);
        // What opens before a word closes nothing: the path was never closed, and the rest has rules of its own.
        if !at(self.s, close + 1).is_ascii_alphanumeric() && rest.iter().any(|b| matches!(b, b'/' | b'\\')) {
            close
        } else {
            end
        }
    }

    /// `C:\Program Files\x`, `/Users/Max Mustermann/x.php`: a space in a path without quotes, where the next word can only be more of it. `from` to `end` is
    /// the last word of the path so far; the next one's start and end.
    fn path_goes_on(&self, from: usize, end: usize, separator: u8) -> Option<(usize, usize)> {
        let last = part(self.s, from, end);
        let segment = part(last, last.iter().rposition(|&b| b == separator).map_or(0, |slash| slash + 1), last.len());
        if at(self.s, end) != b' ' || segment.is_empty() || segment.iter().any(|b| matches!(b, b'.' | b':' | b'?')) {
            return None;
        }
        let mut word = end + 1;
        if matches!(part(self.s, word, self.word_end(word)), b"and" | b"und" | b"(x86)") {
            word = self.word_end(word) + 1;
        }
        let next = part(self.s, word, self.place_end(word));
        let count = next.iter().filter(|&&b| b == separator).count();
        let more = if separator == b'\\' {
            count > 0
        } else {
            count > 1 || (count > 0 && next.contains(&b'.'))
        };
        let starts_anew = matches!(at(next, 0), b'/' | b'\\' | b'~' | b'.') || at(next, 1) == b':' || find(next, 0, b"://").is_some();
        (more && !starts_anew).then_some((word, word + next.len()))
    }

    /// The end of a URL or path: a space, a quote, a tag, a bracket that was not opened inside, a typographic mark; without the punctuation of the sentence.
    pub(super) fn place_end(&self, from: usize) -> usize {
        self.place_end_within(from, usize::MAX)
    }

    fn place_end_within(&self, from: usize, most: usize) -> usize {
        let mut depth = 0usize;
        let mut i = from;
        while i < end_within(self.s, from, most) {
            match at(self.s, i) {
                b' ' | b'"' | b'`' | b'<' | b'>' => break,
                b'\'' if !at(self.s, i + 1).is_ascii_alphanumeric() => break,
                b'\\' if at(self.s, i + 1) == b'"' => break,
                b'[' if starts_at(self.s, i, super::MARKER.as_bytes()) => break,
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => break,
                },
                0x80.. if mark(self.s, i) != 0 => break,
                _ => {}
            }
            i += 1;
        }
        trim_end(self.s, from, i, |b| matches!(b, b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\''))
    }

    /// Whether `word` is a place by itself: the location in a frame.
    pub(super) fn is_place(word: &[u8]) -> bool {
        let drive = at(word, 0).is_ascii_alphabetic() && at(word, 1) == b':' && matches!(at(word, 2), b'\\' | b'/');
        drive || at(word, 0) == b'/' || starts_at(word, 0, b"\\\\") || starts_at(word, 0, b"node:") || at(word, 0) == b'<' || find(word, 0, b"://").is_some()
    }

    /// Whether what is written ends with one of these labels: where it begins.
    pub(super) fn label_start(&self, labels: &[&str]) -> Option<usize> {
        let len = self.out.len() - usize::from(self.out.ends_with(b" "));
        let written = part(&self.out, 0, len);
        labels.iter().find(|label| ends_with(written, label)).map(|label| len - label.len())
    }
}
