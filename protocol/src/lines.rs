//! Lines from outside: of any length, with any bytes, with any line ends; and how they are quoted.

use std::io::BufRead;

/// The longest line kept, in bytes; a game of ten thousand moves fits, and an analysis of every point of a board.
pub const LONGEST: usize = 1 << 18;
/// The longest complaint, in characters.
const LONGEST_COMPLAINT: usize = 300;
/// What says that a text is UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the next line without its end; none at the end of input or when reading fails.
///
/// Bytes that are not UTF-8 are replaced, and the mark of the encoding that some programs of Windows write first is
/// dropped. Of a longer line only the first `LONGEST + 1` bytes come back, so that the caller can tell and refuse it.
pub fn next(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&text[..text.len().min(room)]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    let text = line.strip_prefix(MARK).unwrap_or(&line);
    any.then(|| String::from_utf8_lossy(text).into_owned())
}

/// A complaint on one line: whatever it quotes, it breaks neither the line nor the screen, nor fills it.
pub fn brief(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '?' } else { c };
    let mut line: String = text.chars().take(LONGEST_COMPLAINT).map(plain).collect();
    if text.chars().nth(LONGEST_COMPLAINT).is_some() {
        line.push_str("...");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut input = std::io::BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| next(&mut input)).collect()
    }

    #[test]
    fn line_ends_of_all_systems_are_taken_off() {
        assert_eq!(all(b"one\r\ntwo\n\nlast"), ["one", "two", "", "last"]);
        assert!(all(b"").is_empty());
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(all(b"a\xff\x00b\n"), ["a\u{fffd}\u{0}b"]);
    }

    #[test]
    fn the_mark_of_the_encoding_is_dropped() {
        assert_eq!(all("\u{feff}uci\nd\n".as_bytes()), ["uci", "d"]);
    }

    #[test]
    fn a_giant_line_is_cut_and_the_next_one_found() {
        let mut bytes = vec![b'x'; 3 * LONGEST];
        bytes.extend_from_slice(b"\nisready\n");
        let lines = all(&bytes);
        assert_eq!(lines[0].len(), LONGEST + 1);
        assert_eq!(lines[1], "isready");
    }
}
