//! Credentials that are known by their own shape (E1): keys with the prefix of their provider, JWTs, PEM blocks, bot tokens.
//!
//! A new kind of key is a new line of [`PREFIXES`].

use super::bytes::{at, digits_before, end_within, find, is_base64, is_digit, is_token, look, part, run, run_within, starts_at, trim_end};
use super::scan::Scan;

/// What follows a prefix.
#[derive(Clone, Copy)]
enum Of {
    /// Letters and digits.
    Plain,
    /// Also `_`, `-` and the star of a masked key.
    Token,
    /// Also `.`, `+`, `/`, `~`, `=`.
    Dotted,
    /// Hexadecimal digits.
    Hex,
    /// Capitals and digits.
    Capital,
    /// As [`Of::Token`], with capitals, small letters and digits in it: the prefix alone could begin a word.
    Mixed,
}

/// Prefix, what follows, and how many at least; the first that fits counts.
const PREFIXES: &[(&str, Of, usize)] = &[
    // model providers
    ("sk-", Of::Token, 16),
    ("sk_", Of::Plain, 24),
    ("gsk_", Of::Plain, 16),
    ("csk-", Of::Plain, 16),
    ("xai-", Of::Token, 16),
    ("pplx-", Of::Plain, 16),
    ("nvapi-", Of::Token, 16),
    ("hf_", Of::Plain, 16),
    ("api_org_", Of::Plain, 16),
    ("r8_", Of::Plain, 16),
    ("fw_", Of::Plain, 16),
    ("tvly-", Of::Token, 16),
    ("pcsk_", Of::Token, 16),
    ("lsv2_", Of::Token, 16),
    ("pk-lf-", Of::Token, 16),
    ("tgp_v1_", Of::Token, 16),
    ("jina_", Of::Plain, 24),
    ("llx-", Of::Plain, 24),
    ("fc-", Of::Hex, 32),
    ("e2b_", Of::Hex, 32),
    ("BSA", Of::Mixed, 24),
    ("pa-", Of::Mixed, 32),
    ("sess-", Of::Mixed, 24),
    ("ABSK", Of::Dotted, 40),
    ("bedrock-api-key-", Of::Dotted, 16),
    // clouds
    ("AKIA", Of::Capital, 12),
    ("ASIA", Of::Capital, 12),
    ("ABIA", Of::Capital, 12),
    ("ACCA", Of::Capital, 12),
    ("AROA", Of::Capital, 12),
    ("AIDA", Of::Capital, 12),
    ("A3T", Of::Capital, 17),
    ("LTAI", Of::Plain, 12),
    ("AKID", Of::Plain, 24),
    ("AIza", Of::Token, 24),
    ("ya29.", Of::Dotted, 16),
    ("GOCSPX-", Of::Token, 16),
    ("1//0", Of::Token, 20),
    ("AQ.", Of::Mixed, 32),
    ("APA91b", Of::Token, 60),
    ("6L", Of::Mixed, 38),
    ("dop_v1_", Of::Plain, 16),
    ("doo_v1_", Of::Plain, 16),
    ("dor_v1_", Of::Plain, 16),
    ("dapi", Of::Hex, 30),
    ("dose", Of::Hex, 30),
    ("hvs.", Of::Token, 16),
    ("hvb.", Of::Token, 16),
    ("hvr.", Of::Token, 16),
    ("s.", Of::Mixed, 24),
    ("fm1_", Of::Dotted, 16),
    ("fm2_", Of::Dotted, 16),
    ("fo1_", Of::Token, 16),
    ("nfp_", Of::Plain, 16),
    ("nfc_", Of::Plain, 32),
    ("nfo_", Of::Plain, 32),
    ("nfu_", Of::Plain, 32),
    ("vcp_", Of::Plain, 16),
    ("vck_", Of::Plain, 16),
    ("vca_", Of::Plain, 16),
    ("vercel_blob_rw_", Of::Token, 16),
    ("napi_", Of::Plain, 32),
    ("HRKU-", Of::Token, 24),
    ("SCW", Of::Capital, 17),
    ("cfut_", Of::Token, 24),
    ("cfat_", Of::Token, 24),
    ("pscale_tkn_", Of::Dotted, 24),
    ("pscale_pw_", Of::Dotted, 24),
    ("pscale_oauth_", Of::Dotted, 24),
    ("mdb_sa_sk_", Of::Token, 16),
    ("sha256~", Of::Token, 40),
    ("tk-us-", Of::Token, 40),
    ("AQVN", Of::Token, 32),
    ("YCA", Of::Mixed, 32),
    ("t1.", Of::Dotted, 80),
    ("rnd_", Of::Plain, 16),
    ("sbp_", Of::Plain, 16),
    ("sb_secret_", Of::Token, 16),
    ("tskey-", Of::Token, 12),
    ("pul-", Of::Hex, 40),
    ("SWMTKN-1-", Of::Token, 16),
    ("AGE-SECRET-KEY-1", Of::Capital, 20),
    // code, packages, operations
    ("ghp_", Of::Plain, 16),
    ("gho_", Of::Plain, 16),
    ("ghu_", Of::Plain, 16),
    ("ghs_", Of::Plain, 16),
    ("ghr_", Of::Plain, 16),
    ("github_pat_", Of::Token, 16),
    ("glpat-", Of::Dotted, 12),
    ("glrt-", Of::Dotted, 12),
    ("gldt-", Of::Token, 12),
    ("glptt-", Of::Token, 12),
    ("glcbt-", Of::Token, 12),
    ("glft-", Of::Token, 12),
    ("glimt-", Of::Token, 12),
    ("glsoat-", Of::Token, 12),
    ("gloas-", Of::Token, 12),
    ("glagent-", Of::Token, 12),
    ("glffct-", Of::Token, 12),
    ("glrtr-", Of::Token, 12),
    ("glwt-", Of::Token, 12),
    ("GR1348941", Of::Token, 16),
    ("npm_", Of::Plain, 24),
    ("pypi-AgE", Of::Token, 16),
    ("rubygems_", Of::Hex, 32),
    ("oy2", Of::Plain, 40),
    ("dckr_pat_", Of::Token, 16),
    ("dckr_oat_", Of::Token, 16),
    ("AKCp", Of::Plain, 40),
    ("cmVmd", Of::Plain, 50),
    ("CLOJARS_", Of::Plain, 40),
    ("cio", Of::Mixed, 32),
    ("CCIPAT_", Of::Token, 24),
    ("CCIPRJ_", Of::Token, 24),
    ("squ_", Of::Plain, 32),
    ("sqp_", Of::Plain, 32),
    ("sqa_", Of::Plain, 32),
    ("sgp_", Of::Token, 32),
    ("snyk_uat.", Of::Dotted, 24),
    ("ops_eyJ", Of::Dotted, 32),
    ("API-", Of::Capital, 26),
    ("pnu_", Of::Plain, 32),
    ("rdme_", Of::Plain, 40),
    ("ico-", Of::Plain, 32),
    ("dt0c01.", Of::Dotted, 40),
    ("glsa_", Of::Token, 16),
    ("glc_", Of::Dotted, 24),
    ("sntrys_", Of::Dotted, 16),
    ("sntryu_", Of::Plain, 16),
    ("NRAK-", Of::Plain, 16),
    ("NRII-", Of::Token, 24),
    ("phs_", Of::Plain, 20),
    ("phx_", Of::Plain, 20),
    ("PMAK-", Of::Token, 16),
    ("ATATT3", Of::Dotted, 16),
    ("ATCTT3", Of::Dotted, 16),
    ("ATSTT3", Of::Dotted, 16),
    ("ATTA", Of::Hex, 60),
    ("ATBB", Of::Plain, 24),
    ("lin_api_", Of::Plain, 16),
    ("lin_oauth_", Of::Plain, 16),
    ("figd_", Of::Token, 16),
    ("CFPAT-", Of::Token, 16),
    ("dp.pt.", Of::Plain, 16),
    ("dp.st.", Of::Dotted, 16),
    ("dp.ct.", Of::Plain, 16),
    ("dp.sa.", Of::Plain, 16),
    ("secret_", Of::Plain, 24),
    ("ntn_", Of::Plain, 16),
    ("pat-na", Of::Token, 32),
    ("pat-eu1-", Of::Token, 16),
    ("tfp_", Of::Dotted, 32),
    ("sl.", Of::Mixed, 60),
    ("sl.u.", Of::Mixed, 60),
    ("p8e-", Of::Token, 24),
    ("fio-u-", Of::Token, 32),
    // payment, shops, messages
    ("sk_live_", Of::Plain, 16),
    ("sk_test_", Of::Plain, 16),
    ("rk_live_", Of::Plain, 16),
    ("rk_test_", Of::Plain, 16),
    ("pk_live_", Of::Plain, 16),
    ("pk_test_", Of::Plain, 16),
    ("whsec_", Of::Dotted, 16),
    ("sq0atp-", Of::Token, 16),
    ("sq0csp-", Of::Token, 16),
    ("sq0idp-", Of::Token, 16),
    ("EAAA", Of::Token, 40),
    ("EAA", Of::Plain, 40),
    ("shpat_", Of::Plain, 16),
    ("shpca_", Of::Plain, 16),
    ("shppa_", Of::Plain, 16),
    ("shpss_", Of::Plain, 16),
    ("shpua_", Of::Plain, 16),
    ("rzp_live_", Of::Plain, 12),
    ("rzp_test_", Of::Plain, 12),
    ("pdl_live_apikey_", Of::Token, 16),
    ("pdl_sdbx_apikey_", Of::Token, 16),
    ("access-production-", Of::Token, 32),
    ("access-sandbox-", Of::Token, 32),
    ("FLWSECK", Of::Token, 12),
    ("EZAK", Of::Plain, 40),
    ("EZTK", Of::Plain, 40),
    ("shippo_live_", Of::Plain, 16),
    ("shippo_test_", Of::Plain, 16),
    ("duffel_live_", Of::Token, 16),
    ("duffel_test_", Of::Token, 16),
    ("SG.", Of::Dotted, 24),
    ("key-", Of::Hex, 32),
    ("SK", Of::Hex, 32),
    ("AC", Of::Hex, 32),
    ("xkeysib-", Of::Token, 16),
    ("xsmtpsib-", Of::Token, 16),
    ("mlsn.", Of::Plain, 20),
    ("re_", Of::Mixed, 20),
    ("pubkey-", Of::Hex, 32),
    ("xoxa-", Of::Token, 10),
    ("xoxb-", Of::Token, 10),
    ("xoxe-", Of::Token, 10),
    ("xoxp-", Of::Token, 10),
    ("xoxr-", Of::Token, 10),
    ("xoxs-", Of::Token, 10),
    ("xoxc-", Of::Token, 10),
    ("xoxd-", Of::Dotted, 10),
    ("xoxe.", Of::Token, 10),
    ("xapp-", Of::Token, 10),
    ("syt_", Of::Token, 24),
    ("mfa.", Of::Token, 60),
    // JWT and other base64 of JSON; the body of an OpenSSH key
    ("eyJ", Of::Dotted, 16),
    ("b3BlbnNzaC1rZXk", Of::Dotted, 16),
];

/// In the middle of a key that a provider repeats half masked.
const MASK: &[u8] = b"***";

const PEM_START: &[u8] = b"-----BEGIN ";
const PEM_END: &[u8] = b"-----END ";

impl Scan<'_> {
    /// A credential that begins with the word here.
    pub(super) fn token(&mut self) -> bool {
        let first = at(self.s, self.i);
        let found = PREFIXES
            .iter()
            .filter(|(prefix, ..)| at(prefix.as_bytes(), 0) == first)
            .find_map(|&(prefix, of, least)| self.prefixed(prefix, of, least));
        let Some(end) = found
            .or_else(|| self.three_parts(first))
            .or_else(|| self.region_key(first))
            .or_else(|| self.marked_inside())
        else {
            return false;
        };
        let end = self.aws_secret_end(end).filter(|_| first == b'A').unwrap_or(end);
        self.redact_to(end)
    }

    fn prefixed(&self, prefix: &str, of: Of, least: usize) -> Option<usize> {
        if !starts_at(self.s, self.i, prefix.as_bytes()) {
            return None;
        }
        let start = self.i + prefix.len();
        // Enough to judge by; what is one then goes on as far as it goes.
        let window = part(self.s, 0, end_within(self.s, start, 64));
        let end = match of {
            Of::Plain => run(window, start, |b| b.is_ascii_alphanumeric() || b == b'*'),
            Of::Token | Of::Mixed => run(window, start, is_token),
            Of::Dotted => run(window, start, is_base64),
            Of::Hex => run(window, start, |b| b.is_ascii_hexdigit()),
            Of::Capital => run(window, start, |b| b.is_ascii_uppercase() || is_digit(b)),
        };
        if end - start < least {
            return None;
        }
        let body = part(self.s, start, end);
        let seen = look(body);
        // Not a name: "sk-learn-contrib-project-template".
        let varied = match of {
            Of::Mixed => seen.digits > 0 && seen.lower && seen.upper,
            _ => seen.digits > 0 || (seen.lower && seen.upper) || find(body, 0, MASK).is_some(),
        };
        varied.then(|| {
            let end = run(self.s, end, if matches!(of, Of::Dotted) { is_base64 } else { is_token });
            trim_end(self.s, start, end, |b| b == b'.')
        })
    }

    /// A bot token of Discord: `M….XXXXXX.…`
    fn three_parts(&self, first: u8) -> Option<usize> {
        let window = part(self.s, 0, end_within(self.s, self.i, 128));
        let one = run(window, self.i, is_token);
        let two = run(window, one + 1, is_token);
        let end = run(window, two + 1, is_token);
        let dots = at(self.s, one) == b'.' && at(self.s, two) == b'.';
        (matches!(first, b'M' | b'N' | b'O') && dots && one - self.i >= 23 && two - one >= 6 && end - two >= 27).then_some(end)
    }

    /// A key of Mailchimp: `0123…-us21`
    fn region_key(&self, first: u8) -> Option<usize> {
        let hex = if first.is_ascii_hexdigit() {
            run_within(self.s, self.i, 33, |b| b.is_ascii_hexdigit())
        } else {
            0
        };
        let end = run(self.s, hex + 3, is_digit);
        (hex == self.i + 32 && starts_at(self.s, hex, b"-us") && end > hex + 3).then_some(end)
    }

    /// A client secret of Azure (`aB38Q~…`), a token of Terraform (`….atlasv1.…`) or of Airtable (`pat….…`): what tells them is not in front.
    fn marked_inside(&self) -> Option<usize> {
        let shapes = [(4, "Q~", 31), (14, ".atlasv1.", 40), (17, ".", 64)];
        shapes.iter().find_map(|&(before, mark, least)| {
            let start = self.i + before + mark.len();
            let end = run_within(self.s, start, 80, |b| is_token(b) || matches!(b, b'.' | b'~'));
            let fits = match mark {
                "Q~" => is_digit(at(self.s, self.i + 3)),
                "." => starts_at(self.s, self.i, b"pat"),
                _ => true,
            };
            (fits && starts_at(self.s, self.i + before, mark.as_bytes()) && end - start >= least).then_some(end)
        })
    }

    /// The secret key of AWS has no prefix; next to its id it is known by its length.
    fn aws_secret_end(&self, id_end: usize) -> Option<usize> {
        let start = run_within(self.s, id_end, 3, |b| matches!(b, b' ' | b':' | b',' | b'/' | b'|' | b';' | b'='));
        let end = run_within(self.s, start, 41, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'));
        let seen = look(part(self.s, start, end));
        (seen.len == 40 && seen.lower && seen.upper).then_some(end)
    }

    /// A bot token of Telegram: `123456789:AA…`, the number already written. At `:`.
    pub(super) fn bot_token(&mut self) -> bool {
        let end = run(self.s, self.i + 1, is_token);
        let len = self.out.len();
        match digits_before(&self.out, len, 12) {
            Some(start) if starts_at(self.s, self.i + 1, b"AA") && end - self.i > 28 && len - start >= 6 && self.is_word_start(start) => {
                self.out.truncate(start);
                self.redact_to(end)
            }
            _ => false,
        }
    }

    /// A PEM block, key or certificate, its line breaks as spaces or escaped; without an end all that may still be part of it. At `-`.
    pub(super) fn pem(&mut self) -> bool {
        if !starts_at(self.s, self.i, PEM_START) {
            return false;
        }
        let label = run(self.s, self.i + PEM_START.len(), |b| b.is_ascii_uppercase() || is_digit(b) || b == b' ');
        if !starts_at(self.s, label, b"-----") {
            return false;
        }
        let end = if self.no_pem_end { None } else { find(self.s, label, PEM_END) };
        if let Some(end) = end {
            let label = run(self.s, end + PEM_END.len(), |b| b.is_ascii_uppercase() || is_digit(b) || b == b' ');
            return self.redact_to(run(self.s, label, |b| b == b'-'));
        }
        self.no_pem_end = true;
        let body = run(self.s, label, |b| matches!(b, b'-' | b' ' | b'\\' | b'n' | b'r'));
        let first = run(self.s, body, |b| is_base64(b) && b != b'-');
        let is_body = first - body >= 16 || at(self.s, first) == b':';
        self.redact_to(if is_body { self.s.len() } else { label + 5 })
    }
}
