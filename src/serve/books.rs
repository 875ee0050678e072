//! Opening books that players may give our engines: the files in the folder `books/GAME` of the data directory. The page
//! knows them by name alone.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::games::Row;

/// The option that names a book's file, and the one that lets the engine play from it.
pub const BOOK: &str = "Book File";
const OWN_BOOK: &str = "OwnBook";

/// The folders of all games.
pub struct Books(PathBuf);

impl Books {
    /// Those of a data directory.
    pub fn new(data: &Path) -> Books {
        Books(data.join("books"))
    }

    fn folder(&self, game: &Row) -> PathBuf {
        self.0.join(game.name)
    }

    /// The books of a game, by name; none if its engine cannot play from any.
    fn names(&self, game: &Row) -> Vec<String> {
        let field = (game.options)().into_iter().find(|field| field.name == BOOK);
        let entries = field.and_then(|_| fs::read_dir(self.folder(game)).ok()).into_iter().flatten();
        let files = entries.flatten().filter(|entry| entry.path().is_file());
        let mut names: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// What the page's form needs to know, if there are books.
    pub fn describe(&self, game: &Row) -> Option<Value> {
        let names = self.names(game);
        let choices: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
        let help = "an opening book to play from";
        (!names.is_empty()).then(
            || json!({ "kind": "combo", "default": "", "choices": choices, "name": BOOK, "help": help }),
        )
    }

    /// Whether it is one of them.
    pub fn check(&self, game: &Row, name: &str) -> Result<()> {
        let known = name.is_empty() || self.names(game).iter().any(|known| known == name);
        ensure!(known, "there is no book '{name}' in {}", self.folder(game).display());
        Ok(())
    }

    /// The options of a seat as the engine is told them: a book by its path, to be played from.
    pub fn tell(&self, game: &Row, options: &[(String, String)]) -> Vec<(String, String)> {
        let mut told: Vec<_> = options.iter().filter(|(name, _)| name != BOOK).cloned().collect();
        let book = options.iter().rev().find(|(name, book)| name == BOOK && !book.is_empty());
        if let Some((_, book)) = book {
            told.push((BOOK.to_owned(), self.folder(game).join(book).display().to_string()));
            told.push((OWN_BOOK.to_owned(), true.to_string()));
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn books_are_offered_by_name_and_told_by_path() {
        let data = tempfile::tempdir().unwrap();
        let books = Books::new(data.path());
        let has_book = |game: &&Row| (game.options)().iter().any(|field| field.name == BOOK);
        let game = GAMES.iter().find(has_book).unwrap();
        assert_eq!(books.describe(game), None);
        let folder = data.path().join("books").join(game.name);
        fs::create_dir_all(folder.join("a folder")).unwrap();
        fs::write(folder.join("mine.book"), "").unwrap();
        assert_eq!(books.describe(game).unwrap()["choices"], json!(["", "mine.book"]));
        assert!(books.check(game, "mine.book").is_ok() && books.check(game, "").is_ok());
        for foreign in ["a folder", "../games", "/etc/passwd", "mine.book\nquit"] {
            assert!(books.check(game, foreign).is_err(), "{foreign}");
        }
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let told = books.tell(game, &[option(BOOK, "mine.book"), option("Preset", "default")]);
        let path = folder.join("mine.book").display().to_string();
        assert_eq!(told, [option("Preset", "default"), option(BOOK, &path), option(OWN_BOOK, "true")]);
        assert_eq!(books.tell(game, &[option(BOOK, "")]), []);
        let bookless = GAMES.iter().find(|game| !has_book(game)).unwrap();
        fs::create_dir_all(data.path().join("books").join(bookless.name)).unwrap();
        fs::write(data.path().join("books").join(bookless.name).join("x"), "").unwrap();
        assert_eq!(books.describe(bookless), None);
    }
}
