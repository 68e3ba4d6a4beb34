//! Text as people and models read it: blank, trimmed, storable, cut (rules E1, M11, N1, N4).

pub mod platform;

/// Trimming takes White_Space and U+FEFF (rule M11).
fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

/// Characters that nobody sees and that are not white space: the rest of the list of rule M11.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}'
        | '\u{E0000}'..='\u{E007F}')
}

/// Nothing but what rule M11 lists: nothing to read.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| is_space(c) || c.is_control() || is_invisible(c))
}

/// Without White_Space and U+FEFF at both ends (rule M11).
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// What may be stored: no control characters except tab and newline (rule N4). Lone surrogates have become U+FFFD when the text
/// came over the boundary.
pub fn storable(text: &str) -> String {
    let is_storable = |c: char| !c.is_control() || c == '\t' || c == '\n';
    match text.chars().all(is_storable) {
        true => text.to_owned(),
        false => text.chars().filter(|&c| is_storable(c)).collect(),
    }
}

/// The number of code points.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// At most `max` code points, cut where a grapheme begins (rules N1, E1). A first grapheme that is longer than `max` is left out as a whole.
pub fn cut(text: &str, max: usize) -> &str {
    match text.char_indices().nth(max) {
        None => text,
        Some((end, _)) => {
            let start = platform::grapheme_start(text, end);
            text.get(..start).unwrap_or_default()
        }
    }
}

/// White space collapsed to single spaces, trimmed.
pub fn collapse(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The longest title, in code points (rule N1).
const TITLE_LENGTH: usize = 255;

/// A title made of a text (rule N1).
pub fn title(text: &str) -> String {
    cut(&collapse(&storable(text)), TITLE_LENGTH).trim_end().to_owned()
}

/// RFC 3339 in UTC with whole seconds (rule O11), from Unix milliseconds.
pub fn timestamp(milliseconds: f64) -> String {
    let seconds = (milliseconds / 1000.0).floor() as i64;
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The Gregorian date of a day counted from 1970-01-01. The year is taken to begin in March, so that the leap day is its last.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468; // days since 0000-03-01
    let era = shifted.div_euclid(146_097); // 400 years
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_is_what_the_list_says() {
        // M11
        for text in ["", " \n\t", "\u{200B}\u{FEFF}\u{AD}", "\u{E0041}\u{2069}", "\0\u{7}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a", "\u{3164}", "\u{2800}", "…", "\u{FE0F}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn trimming_takes_white_space_and_the_byte_order_mark() {
        // M11
        assert_eq!(trim("\u{FEFF} a\u{200B}\n\u{A0}"), "a\u{200B}");
    }

    #[test]
    fn storable_keeps_tab_and_newline_only() {
        // N4
        assert_eq!(storable("a\0b\u{7}c\td\r\ne\u{85}\u{9F}"), "abc\td\ne");
    }

    #[test]
    fn a_title_is_cut_on_a_grapheme_boundary() {
        // N1
        let family = "👩\u{200D}👩\u{200D}👧";
        let text = format!("{}{family}", "a".repeat(253));
        assert_eq!(title(&text), "a".repeat(253));
        assert_eq!(title("  a \n b\u{0}  "), "a b");
        assert_eq!(length(&title(&"ö".repeat(300))), 255);
    }

    #[test]
    fn a_timestamp_is_rfc_3339() {
        // O11
        assert_eq!(timestamp(1_700_000_000_999.0), "2023-11-14T22:13:20Z");
        assert_eq!(timestamp(0.0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400_000.0), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(-1000.0), "1969-12-31T23:59:59Z");
        assert_eq!(timestamp(4_107_542_400_000.0), "2100-03-01T00:00:00Z");
    }
}
