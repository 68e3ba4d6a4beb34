//! Files that hang on messages: which are sent, and the lines that name them (rules M6, M6a, M7).

use super::mime;
use super::prompt::Accepts;
use super::{Part, PartKind, Source, role_of};
use crate::conversation::{FileReference, Role, Uid, flag, notice};
use crate::error::Error;
use crate::lists::Places;
use crate::text;

/// The files of a transcript, by uid; what they hold stays where it is.
pub trait Files {
    /// What is known of a file.
    ///
    /// # Errors
    /// A fault of the host where its object cannot be read.
    fn info(&self, uid: &str) -> Result<FileInfo, Error>;
}

/// What is known of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum FileInfo {
    /// It is gone or cannot be read (rule M7).
    Gone,
    /// It is there.
    Stored(StoredFile),
}

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredFile {
    /// Its name.
    pub name: String,
    /// Its path as the CMS manages it.
    pub identifier: String,
    /// Its declared type.
    pub mime_type: String,
    /// Its first 16 bytes, or fewer.
    pub head: Vec<u8>,
    /// Its length in base64 characters; 0: there is no content.
    pub base64_length: f64,
    /// The length of its extracted text in bytes of UTF-8; `None` where there is no text to see.
    pub extracted_bytes: Option<f64>,
}

/// What becomes of the files of one message.
#[derive(Debug, PartialEq)]
pub(super) struct Attached {
    /// One line per file.
    pub(super) lines: String,
    /// The files that are sent.
    pub(super) files: Vec<Part>,
}

/// The files a transcript asks for, newest first, each once.
///
/// # Errors
/// A fault of the host where its messages cannot be read.
pub fn files_to_read(messages: &dyn Source) -> Result<Vec<Uid>, Error> {
    let flags = messages.scan()?;
    let mut seen = Places::default();
    let mut uids = Vec::new();
    for index in (0..flags.len()).rev() {
        let files = files_of(messages, &flags, index)?.into_iter().rev();
        uids.extend(files.map(|file| file.uid).filter(|uid| seen.add(&uid.text(), 0)));
    }
    Ok(uids)
}

/// Only what a person sent carries files, and a message that is not sent carries none (rule M8a).
fn files_of(messages: &dyn Source, flags: &[u8], index: usize) -> Result<Vec<FileReference>, Error> {
    let flags = flags.get(index).copied().unwrap_or(flag::ROLE);
    if role_of(flags) != Some(Role::User) || flags & flag::FILES == 0 {
        return Ok(Vec::new());
    }
    let head = messages.head(index)?;
    match head.notice.as_str() {
        notice::GUARDRAIL => Ok(Vec::new()),
        _ => Ok(head.files),
    }
}

/// Decides about all files: newest first, until the first that does not fit (rule M6a).
pub(super) fn plan(messages: &dyn Source, files: &dyn Files, flags: &[u8], accepts: &Accepts, budget: f64) -> Result<Vec<(usize, Attached)>, Error> {
    let newest = flags.iter().rposition(|&flags| role_of(flags) == Some(Role::User));
    let mut left = Some(budget);
    let mut planned = Vec::new();
    for index in (0..flags.len()).rev() {
        let references = files_of(messages, flags, index)?;
        if references.is_empty() {
            continue;
        }
        let mut fates = Vec::new();
        for reference in &references {
            let fate = Fate::of(files.info(&reference.uid.text())?, reference, accepts);
            match fate.kind {
                Kind::Unsupported(mime) if Some(index) == newest => {
                    return Err(Error::AttachmentUnsupported(mime)); // M6
                }
                _ => fates.push(fate),
            }
        }
        for fate in fates.iter_mut().rev() {
            fate.weigh(&mut left);
        }
        planned.push((index, attached(&references, fates)));
    }
    Ok(planned)
}

fn attached(references: &[FileReference], fates: Vec<Fate>) -> Attached {
    let mut lines = Vec::new();
    let mut files = Vec::new();
    for (reference, fate) in references.iter().zip(fates) {
        lines.push(fate.line(reference));
        if let Kind::Sent(kind, _) = fate.kind {
            files.push(Part {
                uid: reference.uid.text(),
                kind,
            });
        }
    }
    Attached {
        lines: lines.join("\n"),
        files,
    }
}

/// What becomes of one file.
struct Fate {
    name: String,
    identifier: String,
    kind: Kind,
}

enum Kind {
    /// Sent, with its weight.
    Sent(PartKind, f64),
    /// The provider does not take this type.
    Unsupported(String),
    /// There is nothing in it.
    Empty,
    /// Over the budget, or older than one that is.
    TooMuch,
    Gone,
}

impl Fate {
    fn of(info: FileInfo, reference: &FileReference, accepts: &Accepts) -> Fate {
        let FileInfo::Stored(file) = info else {
            return Fate {
                name: reference.name.clone(),
                identifier: String::new(),
                kind: Kind::Gone,
            };
        };
        let or = |text: &str, other: &str| if text::is_blank(text) { other } else { text }.to_owned();
        let declared = or(&file.mime_type, &reference.mime_type);
        Fate {
            kind: Kind::of(&file, &mime::actual(&file.head, &declared), accepts),
            name: or(&file.name, &reference.name),
            identifier: file.identifier,
        }
    }

    /// Takes the weight of this file from what is left; `None`: one did not fit.
    fn weigh(&mut self, left: &mut Option<f64>) {
        if let Kind::Sent(_, weight) = self.kind {
            *left = left.map(|left| left - weight).filter(|left| *left >= 0.0);
            if left.is_none() {
                self.kind = Kind::TooMuch;
            }
        }
    }

    /// One line, whatever the names hold.
    fn line(&self, reference: &FileReference) -> String {
        let plain = |text: &str| text::collapse(&text::storable(text));
        let mut name = plain(&self.name);
        if text::is_blank(&name) {
            name = "without a name".to_owned();
        }
        let uid = plain(&reference.uid.text());
        let identifier = plain(&self.identifier);
        let path = match identifier.is_empty() {
            true => String::new(),
            false => format!(", path {identifier}"),
        };
        let fate = match &self.kind {
            Kind::Sent(..) => String::new(),
            Kind::Unsupported(mime) => {
                format!(" is not attached: files of type {mime} are not supported")
            }
            Kind::Empty => " is not attached: it is empty".to_owned(),
            Kind::TooMuch => " is not attached: the attachments of this conversation are too large".to_owned(),
            Kind::Gone => " is no longer available".to_owned(),
        };
        format!("[File {name} (uid {uid}{path}){fate}]")
    }
}

impl Kind {
    fn of(file: &StoredFile, mime: &str, accepts: &Accepts) -> Kind {
        let extracted = file.extracted_bytes;
        let has_content = file.base64_length > 0.0;
        match (mime::is_image(mime), extracted) {
            (true, _) if has_content && accepts.images => Kind::Sent(PartKind::Image(mime.to_owned()), file.base64_length),
            (false, _) if has_content && accepts.documents => Kind::Sent(PartKind::Document(mime.to_owned()), file.base64_length),
            (false, Some(bytes)) => Kind::Sent(PartKind::Extracted, bytes),
            _ if !has_content => Kind::Empty,
            _ => Kind::Unsupported(mime.to_owned()),
        }
    }
}
