//! The token: what browsers and agents of other machines must know. It travels in headers and first lines, never in an
//! address or on a command line, where others could read it.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::lobby::new_id;

/// The shortest and the longest that is taken.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=64;

/// What must be known to be let in, if anything.
#[derive(Clone, Debug, Default)]
pub struct Token(Option<String>);

impl Token {
    /// The one in a file; a new one is put there if there is none.
    pub fn of_file(path: &Path) -> Result<Token> {
        match read(path) {
            Err(error) if is_missing(&error) => {}
            read => return read.map(|token| Token(Some(token))),
        }
        let token = new_id() + &new_id();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(path)
            .and_then(|mut file| writeln!(file, "{token}"))
            .with_context(|| format!("cannot keep the token in {}", path.display()))?;
        Ok(Token(Some(token)))
    }

    /// The text, if there is one.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Whether this lets in; the time it takes to say so tells nothing about the token.
    pub fn opens(&self, given: Option<&str>) -> bool {
        let Some(token) = &self.0 else { return true };
        given.is_some_and(|given| {
            let differ = token.bytes().zip(given.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
            token.len() == given.len() && differ == 0
        })
    }
}

/// Reads a token from a file, as servers and agents do.
pub fn read(path: &Path) -> Result<String> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    check(text.trim()).with_context(|| path.display().to_string())
}

/// The same text if it can be a token: a header or a line must be able to hold it.
pub fn check(text: &str) -> Result<String> {
    let is_fit =
        LENGTHS.contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-');
    let (least, most) = LENGTHS.into_inner();
    ensure!(is_fit, "a token is one word of {least} to {most} letters, digits and hyphens");
    Ok(text.to_owned())
}

fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_nobody_else_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let token = Token::of_file(&path).unwrap();
        assert_eq!(Token::of_file(&path).unwrap().text(), token.text());
        assert_eq!(read(&path).ok().as_deref(), token.text());
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o77,
            0
        );
        fs::write(&path, "too short\n").unwrap();
        let error = format!("{:#}", Token::of_file(&path).unwrap_err());
        assert!(
            error.ends_with("token: a token is one word of 12 to 64 letters, digits and hyphens"),
            "{error}"
        );
    }

    #[test]
    fn only_the_token_opens() {
        let token = Token(Some("abcdefghijkl".to_owned()));
        assert!(token.opens(Some("abcdefghijkl")) && Token::default().opens(None));
        for wrong in [None, Some(""), Some("abcdefghijk"), Some("abcdefghijklm"), Some("abcdefghijkx")] {
            assert!(!token.opens(wrong), "{wrong:?}");
        }
    }
}
