//! Plain data as it crosses the boundary: JSON with the numbers of JavaScript.

#[cfg(not(target_arch = "wasm32"))]
mod serialized;

/// The largest integer that a JavaScript number holds exactly, 2^53 - 1.
pub const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// One value. Keys of a map keep their order and are only ever data: nothing here has a prototype (rule W6).
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// `null`, and what is absent.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number of JavaScript.
    Number(f64),
    /// An integer beyond 2^53, which a host may pass as a BigInt (rule W6).
    Integer(i64),
    /// Text.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The value of a key; `Null` where there is none or this is no map.
    pub fn get(&self, key: &str) -> &Value {
        const NULL: &Value = &Value::Null;
        match self {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map_or(NULL, |(_, value)| value),
            _ => NULL,
        }
    }

    /// Whether a map has this key, whatever its value.
    pub fn has(&self, key: &str) -> bool {
        matches!(self, Value::Map(entries) if entries.iter().any(|(name, _)| name == key))
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text, or "" for anything else.
    pub fn text_or_empty(&self) -> String {
        self.as_text().unwrap_or_default().to_owned()
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The number, if it is a whole one that JavaScript holds exactly.
    pub fn as_safe_integer(&self) -> Option<f64> {
        self.as_number().filter(|n| n.fract() == 0.0 && n.abs() <= MAX_SAFE_INTEGER)
    }

    /// The elements, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries in their order, if this is a map.
    pub fn as_map(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Whether this is `null` or absent.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// A map of these entries.
    pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// A list of texts.
    pub fn texts<I: IntoIterator<Item = S>, S: Into<String>>(items: I) -> Value {
        Value::List(items.into_iter().map(|item| Value::Text(item.into())).collect())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Bool(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}
