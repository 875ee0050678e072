//! Files of any encoding as text.

/// A file's bytes as text; in a file that is not UTF-8 each foreign byte becomes one sign, so that all keep their
/// places. Half of a sign of two bytes is foreign even where it looks like a bracket.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let (bytes, mut begun) = (error.as_bytes(), false);
        let begins = first_halves(bytes);
        let plain = |byte: &u8| {
            let is_foreign = begun || !byte.is_ascii();
            begun = !begun && begins(*byte);
            if is_foreign { '?' } else { char::from(*byte) }
        };
        bytes.iter().map(plain).collect()
    })
}

/// Which bytes begin a sign of two bytes, of which the second may be ASCII, in the charset that an SGF file names.
fn first_halves(bytes: &[u8]) -> fn(u8) -> bool {
    let named = bytes.windows(3).position(|window| window == b"CA[").map(|at| &bytes[at + 3..]);
    let is = |names: &[&str]| {
        let begin = |length: usize| named.and_then(|text| text.get(..length)).unwrap_or_default();
        names.iter().any(|name| begin(name.len()).eq_ignore_ascii_case(name.as_bytes()))
    };
    if is(&["Shift_JIS", "Shift-JIS", "SJIS", "Windows-31J", "CP932", "MS932"]) {
        |byte| matches!(byte, 0x81..=0x9f | 0xe0..=0xfc)
    } else if is(&["GB", "Big5", "CP936", "CP950"]) {
        |byte| byte > 0x80
    } else {
        |_| false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf_8_keep_their_places() {
        assert_eq!(text(b"PB[\xe9\xe8]".to_vec()), "PB[??]");
        assert_eq!(text("é".into()), "é");
        assert_eq!(text(b"CA[shift_jis]PW[\x83\x5c];B[ee]".to_vec()), "CA[shift_jis]PW[??];B[ee]");
        assert_eq!(text(b"CA[GBK]PW[\xb6\x5d];B[ee]".to_vec()), "CA[GBK]PW[??];B[ee]");
        assert_eq!(text(b"CA[ISO-8859-1]PB[\xe9]".to_vec()), "CA[ISO-8859-1]PB[?]");
    }
}
