//! Where a user's large things lie: databases, books, saved games.

use std::env;
use std::path::PathBuf;

/// `$QUINTET_DATA`, else the platform's place for such things; none where there is neither.
pub fn directory() -> Option<PathBuf> {
    match env::var_os("QUINTET_DATA") {
        Some(path) if !path.is_empty() => Some(PathBuf::from(path)),
        _ => dirs::data_dir().map(|data| data.join("quintet")),
    }
}
