//! The settings of an engine (contract, `Settings`).

use crate::conversation::Uid;
use crate::error::Error;
use crate::form::Words;
use crate::status::RuleSet;
use crate::text::platform::number_text;
use crate::value::Value;

/// What a host configures.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The task of the chat; `None` where it is not configured (rule T2).
    pub task_uid: Option<Uid>,
    /// The extension that calls (rule A1).
    pub extension_key: String,
    /// Rule S7.
    pub rule_set: RuleSet,
    /// Identity and behaviour contract; `None` for the built-in one (rule M2).
    pub identity_prompt: Option<String>,
    /// Code points of a message (rule N6).
    pub max_message_length: f64,
    /// Files of a conversation (rule N6).
    pub max_files_per_conversation: f64,
    /// Busy conversations of one owner; 0 is no limit (rule N6).
    pub max_active_per_owner: f64,
    /// Bytes of attachments that one turn carries (rule M6a).
    pub attachment_budget: f64,
    /// Seconds before a queued decision is looked at (rule K1).
    pub grace_seconds: f64,
    /// Seconds without a heartbeat before a turn counts as stuck (rule G1).
    pub stuck_after_seconds: f64,
    /// Seconds that a turn may wait for a consumer (rule G1).
    pub queue_timeout_seconds: f64,
    /// Seconds for which a run that says it is running is believed (rules G1, N2, R2a).
    pub abandon_after_seconds: f64,
    /// Days before an idle conversation is archived; 0 is never (rule G2).
    pub auto_archive_days: f64,
    /// Days before an archived conversation is removed; 0 is never (rule G2).
    pub delete_after_days: f64,
    /// The reader's words for yes and no (rule F7).
    pub words: Words,
}

/// Bytes that one turn carries as attachments where the setting is absent (rule M6a).
pub const ATTACHMENT_BUDGET: f64 = 20.0 * 1024.0 * 1024.0;

impl Settings {
    /// The settings in a value; absent ones take their defaults.
    ///
    /// # Errors
    /// `InvalidArgument` where one has the wrong type.
    pub fn from_value(settings: &Value) -> Result<Settings, Error> {
        if settings.as_map().is_none() {
            return Err(Error::InvalidArgument("settings is an object"));
        }
        let number = |key: &str, otherwise: f64| match settings.get(key) {
            Value::Null => Ok(otherwise),
            value => value
                .as_number()
                .filter(|number| *number >= 0.0)
                .ok_or(Error::InvalidArgument("limits and times in settings are numbers from 0")),
        };
        let text = |key: &str| match settings.get(key) {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text.clone())),
            _ => Err(Error::InvalidArgument("extensionKey, ruleSet, identityPrompt and locale are texts")),
        };
        let german = text("locale")?.is_some_and(|locale| locale.to_ascii_lowercase().starts_with("de"));
        Ok(Settings {
            task_uid: Uid::from_value(settings.get("taskUid")).filter(|uid| uid.text() != number_text(0.0)),
            extension_key: text("extensionKey")?.unwrap_or_default(),
            rule_set: RuleSet::parse(text("ruleSet")?.as_deref())?,
            identity_prompt: text("identityPrompt")?,
            max_message_length: number("maxMessageLength", 10_000.0)?,
            max_files_per_conversation: number("maxFilesPerConversation", 5.0)?,
            max_active_per_owner: number("maxActivePerOwner", 3.0)?,
            attachment_budget: number("attachmentBudget", ATTACHMENT_BUDGET)?,
            grace_seconds: number("graceSeconds", 45.0)?,
            stuck_after_seconds: number("stuckAfterSeconds", 300.0)?,
            queue_timeout_seconds: number("queueTimeoutSeconds", 3600.0)?,
            abandon_after_seconds: number("abandonAfterSeconds", 3600.0)?,
            auto_archive_days: number("autoArchiveDays", 0.0)?,
            delete_after_days: number("deleteAfterDays", 0.0)?,
            words: match german {
                true => Words::german(),
                false => Words::default(),
            },
        })
    }
}
