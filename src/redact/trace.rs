//! Stack traces of the languages a host, a tool or a provider may be written in (E1).
//!
//! Each frame is replaced by itself; as several markers in a row are one, a whole trace becomes one. The message in front of it stays.

use super::bytes::{at, before, digits_before, end_within, find, find_within, is_digit, part, run, run_back, run_within, starts_at};
use super::scan::Scan;

/// How far a frame may reach.
const MOST: usize = 320;

/// Headings that go with the trace under them.
const LABELS: &[&str] = &[
    "stack trace:",
    "stacktrace:",
    "stack backtrace:",
    "backtrace:",
    "call stack:",
    "traceback (most recent call last):",
    "trace:",
];

impl Scan<'_> {
    /// A frame that begins with the word here, whose first byte is `first`.
    pub(super) fn frame(&mut self, first: u8) -> bool {
        match first {
            b'a' => starts_at(self.s, self.i, b"at ") && self.at_frame(),
            b'F' => starts_at(self.s, self.i, b"File \"") && self.file_frame(),
            b'g' => starts_at(self.s, self.i, b"goroutine ") && self.goroutine(),
            _ => false,
        }
    }

    /// `at f (file.js:10:3)`, `at async file:///x.mjs:3:1`, `at com.x.Y.z(Y.java:12)`, `at A.B.C(String s) in C:\x.cs:line 7`, `at /x.rs:50:5`.
    fn at_frame(&mut self) -> bool {
        let mut name = self.i + 3;
        for keyword in ["async ", "new "] {
            if starts_at(self.s, name, keyword.as_bytes()) {
                name += keyword.len();
            }
        }
        let end = run_within(self.s, name, MOST, |b| !matches!(b, b' ' | b'('));
        let word = part(self.s, name, end);
        if word.is_empty() {
            return false;
        }
        if at(self.s, end) == b'(' {
            return self.called_frame(word.iter().filter(|&&b| b == b'.').count(), end);
        }
        let mut open = end + 1;
        if starts_at(self.s, open, b"[as ") {
            open = run_within(self.s, open, MOST, |b| b != b']') + 2;
        }
        if at(self.s, open) == b'('
            && let Some(close) = self.bracket_end(open, MOST)
            && is_location(part(self.s, open + 1, close - 1))
        {
            return self.emit_frame(close);
        }
        let number = line_number_start(word);
        if number == word.len() {
            return false;
        }
        let numbered = self.numbered_start();
        if !Self::is_place(word) && numbered.is_none() && !self.follows_marker() {
            return false;
        }
        if let Some(start) = numbered {
            self.out.truncate(start);
        }
        // The sentence may go on behind the frame: `panicked at /x.rs:5:9:`.
        self.emit_frame(self.line_number_end(name + number))
    }

    /// A frame whose bracket hangs on the name: Java, .NET, PHP as Symfony writes it. `open` is the bracket.
    fn called_frame(&mut self, dots: usize, open: usize) -> bool {
        let Some(close) = self.bracket_end(open, MOST) else {
            return false;
        };
        if is_location(part(self.s, open + 1, close - 1)) {
            return self.emit_frame(close);
        }
        if starts_at(self.s, close, b" in ")
            && let Some(line) = find_within(self.s, close, MOST, b":line ")
        {
            return self.emit_frame(run(self.s, line + 6, is_digit));
        }
        if starts_at(self.s, close, b" (")
            && let Some(second) = self.bracket_end(close, MOST)
            && is_location(part(self.s, close + 2, second - 1))
        {
            return self.emit_frame(second);
        }
        (dots > 1 || self.follows_marker()) && self.emit_frame(close)
    }

    /// `File "x.py", line 3, in f`
    fn file_frame(&mut self) -> bool {
        let close = run_within(self.s, self.i + 6, MOST, |b| b != b'"');
        if !starts_at(self.s, close, b"\", line ") {
            return false;
        }
        let mut end = run(self.s, close + 8, is_digit);
        if end == close + 8 {
            return false;
        }
        if starts_at(self.s, end, b", in ") {
            end = self.word_end(end + 5);
        }
        self.emit_frame(end)
    }

    /// `#0 /x.php(12): Foo->bar('a', Array)`, `#1 [internal function]: f()`, `#2 {main}`. At `#`.
    pub(super) fn php_frame(&mut self) -> bool {
        let start = run(self.s, self.i + 1, is_digit) + 1;
        if start == self.i + 2 || at(self.s, start - 1) != b' ' || !self.at_word_start() {
            return false;
        }
        if starts_at(self.s, start, b"{main}") {
            return self.emit_frame(start + 6);
        }
        let call = if starts_at(self.s, start, b"[internal function]") {
            start + 19
        } else {
            let Some(end) = self.php_location_end(start) else {
                return false;
            };
            end
        };
        if !starts_at(self.s, call, b": ") {
            return self.emit_frame(call);
        }
        let open = run(self.s, call + 2, |b| !matches!(b, b' ' | b'('));
        let end = if at(self.s, open) == b'(' {
            self.bracket_end(open, MOST).unwrap_or_else(|| self.cut_call_end(open))
        } else {
            open
        };
        self.emit_frame(end)
    }

    /// The end of `/x/y z.php(12)` at `start`, behind the bracket.
    fn php_location_end(&self, start: usize) -> Option<usize> {
        let spaces = Self::is_place(part(self.s, start, end_within(self.s, start, 16)));
        for i in start..end_within(self.s, start, MOST) {
            match at(self.s, i) {
                b'#' => return None,
                b' ' if !spaces => return None,
                b'(' => {
                    let digits = run(self.s, i + 1, is_digit);
                    let is_place = part(self.s, start, i).iter().any(|b| matches!(b, b'/' | b'\\' | b'.'));
                    if digits > i + 1 && at(self.s, digits) == b')' && is_place {
                        return Some(digits + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// A call whose end was cut off: all of it goes, up to the next frame.
    fn cut_call_end(&self, open: usize) -> usize {
        let stop = find_within(self.s, open, MOST, b" #").unwrap_or(end_within(self.s, open, MOST));
        run(self.s, stop, |b| b & 0xc0 == 0x80)
    }

    /// `goroutine 1 [running]:`
    fn goroutine(&mut self) -> bool {
        let digits = run(self.s, self.i + 10, is_digit);
        if !starts_at(self.s, digits, b" [") {
            return false;
        }
        let close = run_within(self.s, digits, 64, |b| b != b']');
        starts_at(self.s, close, b"]:") && self.emit_frame(close + 2)
    }

    /// `... 23 more` under a trace of Java. At `.`.
    pub(super) fn more_frames(&mut self) -> bool {
        let digits = run(self.s, self.i + 4, is_digit);
        starts_at(self.s, self.i, b"... ") && starts_at(self.s, digits, b" more") && self.follows_marker() && self.emit_frame(digits + 5)
    }

    /// Replaces a path, which may be the second half of a frame: of Go, with the call in front of it, or of Ruby, with the method behind it.
    pub(super) fn trace_place(&mut self, end: usize) -> bool {
        if starts_at(self.s, end, b" +0x") {
            self.drop_go_call();
            let end = run(self.s, end + 4, |b| b.is_ascii_hexdigit());
            return self.emit_frame(end);
        }
        if part(self.s, self.i, end).ends_with(b":in") && (starts_at(self.s, end, b" `") || starts_at(self.s, end, b" '")) {
            return self.ruby_method(end + 2);
        }
        self.redact_to(end)
    }

    /// `app.rb:12:in 'run'`, the file already written. At `:`.
    pub(super) fn ruby_frame(&mut self) -> bool {
        let number = run(self.s, self.i + 1, is_digit);
        let named = starts_at(self.s, number, b":in `") || starts_at(self.s, number, b":in '");
        let len = self.out.len();
        let file = run_back(&self.out, len, MOST, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/'));
        if number == self.i + 1 || !named || file == len {
            return false;
        }
        self.out.truncate(file);
        self.ruby_method(number + 5)
    }

    /// The frame whose method is named from `name` on, in quotes.
    fn ruby_method(&mut self, name: usize) -> bool {
        let close = run_within(self.s, name, MOST, |b| b != b'\'');
        let from = self.label_start(&["] from"]);
        self.out.truncate(from.map_or(self.out.len(), |start| start + 1));
        self.emit_frame(close + 1)
    }

    /// `--- End of inner exception stack trace ---` among the frames of .NET. At `-`.
    pub(super) fn end_of_inner(&mut self) -> bool {
        if !starts_at(self.s, self.i, b"--- End of ") || !self.follows_marker() {
            return false;
        }
        let end = find_within(self.s, self.i, 80, b" ---");
        end.is_some_and(|end| self.emit_frame(end + 4))
    }

    /// `main.run(0xc000, {0x1, 0x2})` and `created by main.main in goroutine 1`, already written.
    fn drop_go_call(&mut self) {
        let len = self.out.len() - usize::from(self.out.ends_with(b" "));
        let mut start = len;
        if before(&self.out, len) == b')' {
            let open = run_back(&self.out, len, MOST, |b| b != b'(');
            start = run_back(&self.out, open, MOST, |b| b != b' ');
        } else if let Some(created) = find(&self.out, len.saturating_sub(200), b"created by ") {
            start = created;
        }
        self.out.truncate(start);
    }

    /// `12: core::panicking::panic`, already written, behind another frame or the heading: where it begins.
    fn numbered_start(&self) -> Option<usize> {
        let floor = self.out.len().saturating_sub(200);
        (floor..self.out.len())
            .rev()
            .find(|&i| {
                at(&self.out, i) == b':'
                    && at(&self.out, i + 1) == b' '
                    && digits_before(&self.out, i, 4).is_some_and(|start| {
                        let before = part(&self.out, 0, start);
                        start == 0 || before.ends_with(b"] ") || before.ends_with(b"trace: ")
                    })
            })
            .and_then(|colon| digits_before(&self.out, colon, 4))
    }

    /// Replaces the frame, and the heading in front of it.
    fn emit_frame(&mut self, end: usize) -> bool {
        while let Some(start) = self.label_start(LABELS) {
            self.out.truncate(start);
        }
        self.redact_to(end)
    }
}

/// Where `:12` or `:12:5` (a colon may follow) begins in `word`; its length when there is none.
fn line_number_start(word: &[u8]) -> usize {
    let mut end = word.len() - usize::from(word.ends_with(b":"));
    let mut found = word.len();
    for _ in 0..2 {
        match digits_before(word, end, 7) {
            Some(start) if before(word, start) == b':' => {
                end = start - 1;
                found = end;
            }
            _ => break,
        }
    }
    found
}

/// What stands in the brackets of a frame.
fn is_location(inside: &[u8]) -> bool {
    if matches!(inside, b"native" | b"<anonymous>" | b"Native Method" | b"Unknown Source" | b"native code")
        || starts_at(inside, 0, b"index ")
        || find(inside, 0, b":wasm-function[").is_some()
    {
        return true;
    }
    let place = part(inside, 0, line_number_start(inside));
    let named = place.iter().any(u8::is_ascii_alphabetic) && place.iter().any(|b| matches!(b, b'.' | b'/' | b'\\' | b'<'));
    let known = Scan::is_place(place) || starts_at(place, 0, b"eval at ") || place == b"SourceFile";
    place.len() < inside.len() && (known || (named && !place.contains(&b' ')))
}
