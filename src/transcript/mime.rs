//! What a file is: its first bytes against its declared type (rule M6a).

/// What a file without a usable declared type counts as.
const UNKNOWN: &str = "application/octet-stream";

/// The MIME type of a file from its first bytes and its declared type.
pub(super) fn actual(head: &[u8], declared: &str) -> String {
    let declared = essence(declared);
    let plain = declared.to_ascii_lowercase();
    let shown = signature(head).filter(|&shown| shown != "image/bmp" || is_image(&plain)); // many a text begins with BM
    match shown {
        Some("application/zip") if is_office(&plain) => declared.to_owned(),
        Some(shown) => shown.to_owned(),
        None if has_signature(&plain) => UNKNOWN.to_owned(),
        None => declared.to_owned(),
    }
}

/// Whether files of this type are sent as pictures.
pub(super) fn is_image(mime: &str) -> bool {
    mime.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("image/"))
}

/// The type without parameters; what is no type at all (it stands in URIs) is unknown.
fn essence(declared: &str) -> &str {
    let essence = declared.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b));
    match essence.split_once('/') {
        Some((kind, name)) if essence.len() <= 127 && is_token(kind) && is_token(name) => essence,
        _ => UNKNOWN,
    }
}

fn signature(head: &[u8]) -> Option<&'static str> {
    const TABLE: [(&[u8], &str); 9] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"BM", "image/bmp"),
        (b"%PDF-", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"PK\x05\x06", "application/zip"),
        (b"PK\x07\x08", "application/zip"),
    ];
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some("image/webp");
    }
    TABLE.iter().find(|(bytes, _)| head.starts_with(bytes)).map(|(_, mime)| *mime)
}

/// The types of the table, under every name they are known by.
fn has_signature(declared: &str) -> bool {
    matches!(
        declared,
        "image/png"
            | "image/jpeg"
            | "image/jpg"
            | "image/pjpeg"
            | "image/gif"
            | "image/webp"
            | "image/bmp"
            | "image/x-bmp"
            | "image/x-ms-bmp"
            | "application/pdf"
            | "application/x-pdf"
            | "application/zip"
            | "application/x-zip-compressed"
    )
}

/// The Office types, whose files are ZIP archives.
fn is_office(declared: &str) -> bool {
    [
        "application/vnd.openxmlformats-officedocument.",
        "application/vnd.oasis.opendocument.",
        "application/vnd.ms-excel",
        "application/vnd.ms-word",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-visio",
        "application/msword",
    ]
    .iter()
    .any(|office| declared.starts_with(office))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_win_over_the_declared_type() {
        // M6a
        let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
        let cases: [(&[u8], &str, &str); 24] = [
            (b"\x89PNG\r\n\x1a\n\0\0", "image/png", "image/png"),
            (b"\xff\xd8\xff\xe0", "image/png", "image/jpeg"),
            (b"\xff\xd8\xff\xe0", "", "image/jpeg"),
            (b"\xff\xd8\xff\xe0", "image/jpg", "image/jpeg"),
            (b"GIF87a", "image/gif", "image/gif"),
            (b"GIF89a", "text/plain", "image/gif"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image/png", "image/webp"),
            (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav", "audio/wav"),
            (b"BM6\0", "image/bmp", "image/bmp"),
            (b"BM6\0", "image/png", "image/bmp"),
            (b"BMW sucht", "text/plain", "text/plain"),
            (b"BMW sucht", "application/pdf", "application/octet-stream"),
            (b"%PDF-1.4", "image/png", "application/pdf"),
            (b"PK\x03\x04", "application/zip", "application/zip"),
            (b"PK\x03\x04", xlsx, xlsx),
            (
                b"PK\x03\x04",
                "application/vnd.oasis.opendocument.text",
                "application/vnd.oasis.opendocument.text",
            ),
            (b"PK\x05\x06", "text/csv", "application/zip"),
            (b"uid;title", "image/bmp", "application/octet-stream"),
            (b"uid;title", "application/x-pdf", "application/octet-stream"),
            (b"uid;title", "text/csv", "text/csv"),
            (b"uid;title", "Text/CSV; charset=utf-8", "Text/CSV"),
            (b"", "image/PNG", "application/octet-stream"),
            (b"<svg", "image/svg+xml", "image/svg+xml"),
            (b"x", "text/html,<script>", "application/octet-stream"),
        ];
        for (head, declared, expected) in cases {
            assert_eq!(actual(head, declared), expected, "{declared} {head:?}");
        }
    }

    #[test]
    fn pictures_are_told_by_their_type() {
        assert!(is_image("image/png") && is_image("IMAGE/x"));
        assert!(!is_image("text/image/") && !is_image("ima"));
    }
}
