//! The moves of a game with every line that was ever tried: nothing that was played is lost.

use std::time::Duration;

use search::MoveError;
use serde::{Deserialize, Serialize};

use crate::analysis::Mark;
use crate::referee::Referee;

/// A move and what is known about the position after it; the first node is the start and has no move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The node it was played in.
    pub parent: usize,
    /// The move as protocols write it; empty until a referee has played it.
    pub play: String,
    /// The move as game records write it.
    pub text: String,
    /// The value of the position in hundredths, from White's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Plies looked ahead to find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How good or bad the move was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What else was said in signs, by their numbers in PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// What the mover's clock showed after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Duration>,
    /// Time spent on the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Duration>,
    /// What was said before it, where it begins a variation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub before: String,
    /// What was said about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The continuation that was on the board last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

/// All lines of a game, and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Node>,
    at: usize,
}

impl Default for Tree {
    fn default() -> Self {
        Tree::from_start(Node::default())
    }
}

impl Tree {
    /// A tree with nothing but the start.
    pub fn from_start(start: Node) -> Tree {
        Tree { nodes: vec![Node { next: None, ..start }], at: 0 }
    }

    /// A line of moves, the game standing at its start.
    pub fn of_line(moves: impl IntoIterator<Item = Node>) -> Tree {
        let mut tree = Tree::default();
        let mut parent = 0;
        for node in moves {
            parent = tree.add(Node { parent, ..node });
        }
        tree
    }

    /// Adds a move after its parent, behind the moves that are there; returns its number.
    pub fn add(&mut self, node: Node) -> usize {
        debug_assert!(node.parent < self.nodes.len(), "a parent stands before its children");
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// All nodes; a parent stands before its children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All nodes, to be annotated.
    pub(super) fn nodes_mut(&mut self) -> &mut [Node] {
        &mut self.nodes
    }

    /// Where the game stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// A node to be annotated, if there is one of this number.
    pub fn node_mut(&mut self, id: usize) -> Option<&mut Node> {
        self.nodes.get_mut(id)
    }

    /// Whether the links of a tree that came from outside make sense.
    pub fn is_sound(&self) -> bool {
        let linked = |id: usize, node: &Node| {
            (id == 0 || node.parent < id)
                && node.next.is_none_or(|next| next < self.nodes.len() && self.nodes[next].parent == id)
        };
        self.at < self.nodes.len() && self.nodes.iter().enumerate().all(|(id, node)| linked(id, node))
    }

    /// Plays a move where the game stands: goes into the line if it is known, otherwise begins one.
    pub fn play(&mut self, play: String, text: String) {
        let parent = self.at;
        let known = self.children(parent).find(|&id| self.nodes[id].play == play);
        let id = known.unwrap_or_else(|| {
            self.nodes.push(Node { parent, play, text, ..Node::default() });
            self.nodes.len() - 1
        });
        self.nodes[parent].next = Some(id);
        self.at = id;
    }

    /// Goes to a node of any line; false if there is none of this number.
    pub fn go(&mut self, id: usize) -> bool {
        if id >= self.nodes.len() {
            return false;
        }
        let line = self.line(id);
        for pair in [&[0], line.as_slice()].concat().windows(2) {
            self.nodes[pair[0]].next = Some(pair[1]);
        }
        self.at = id;
        true
    }

    /// Takes a move back; false at the start.
    pub fn back(&mut self) -> bool {
        let moved = self.at != 0;
        self.at = self.nodes[self.at].parent;
        moved
    }

    /// Plays the continuation again that was on the board last; false if there is none.
    pub fn forward(&mut self) -> bool {
        let next = self.nodes[self.at].next;
        self.at = next.unwrap_or(self.at);
        next.is_some()
    }

    /// The nodes after the start that lead to this one, itself last.
    pub fn line(&self, id: usize) -> Vec<usize> {
        let mut line = Vec::new();
        let mut at = id;
        while at != 0 {
            line.push(at);
            at = self.nodes[at].parent;
        }
        line.reverse();
        line
    }

    /// The line through the current node to its end.
    pub fn whole_line(&self) -> Vec<usize> {
        let mut line = self.line(self.at);
        let mut at = self.at;
        while let Some(next) = self.nodes[at].next.or_else(|| self.children(at).next()) {
            line.push(next);
            at = next;
        }
        line
    }

    /// The continuations of every node, first the one that goes on with the main line.
    pub fn continuations(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().skip(1) {
            all[node.parent].push(id);
        }
        for (node, list) in self.nodes.iter().zip(&mut all) {
            if let Some(place) = node.next.and_then(|next| list.iter().position(|&id| id == next)) {
                list[..=place].rotate_right(1);
            }
        }
        all
    }

    /// Leads a referee from one node to another.
    pub fn lead(&self, referee: &mut dyn Referee, from: usize, to: usize) -> Result<(), MoveError> {
        let (mut here, mut there, mut ahead) = (from, to, Vec::new());
        while here != there {
            // A parent stands before its children, so the later of the two is not on the other's way.
            if here > there {
                referee.undo();
                here = self.nodes[here].parent;
            } else {
                ahead.push(there);
                there = self.nodes[there].parent;
            }
        }
        ahead.iter().rev().try_for_each(|&id| referee.play(&self.nodes[id].play).map(|_| ()))
    }

    /// The moves that lead to a node as protocols write them.
    pub fn plays(&self, id: usize) -> Vec<String> {
        self.line(id).into_iter().map(|id| self.nodes[id].play.clone()).collect()
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        (parent + 1..self.nodes.len()).filter(move |&id| self.nodes[id].parent == parent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(tree: &mut Tree, moves: &str) {
        for m in moves.split_whitespace() {
            tree.play(m.to_owned(), m.to_owned());
        }
    }

    #[test]
    fn a_new_line_keeps_the_old_one() {
        let mut tree = Tree::default();
        played(&mut tree, "a b c");
        assert!(tree.go(1));
        played(&mut tree, "d");
        assert_eq!(
            (tree.at(), tree.plays(4), tree.plays(3)),
            (4, vec!["a".into(), "d".into()], { vec!["a".to_owned(), "b".into(), "c".into()] })
        );
        assert!(tree.back());
        played(&mut tree, "b");
        assert_eq!((tree.at(), tree.nodes().len()), (2, 5));
        assert!(tree.is_sound());
    }

    #[test]
    fn forward_returns_to_what_was_taken_back() {
        let mut tree = Tree::default();
        played(&mut tree, "a b");
        assert!(tree.back() && tree.back() && !tree.back());
        assert_eq!(tree.whole_line(), [1, 2]);
        assert!(tree.forward() && tree.forward() && !tree.forward());
        assert_eq!(tree.at(), 2);
    }

    #[test]
    fn looking_at_another_line_makes_it_the_one_to_go_on_with() {
        let mut tree = Tree::default();
        played(&mut tree, "a b");
        assert!(tree.go(0));
        played(&mut tree, "c");
        assert!(tree.go(2) && tree.go(0) && !tree.go(9));
        assert_eq!(tree.whole_line(), [1, 2]);
    }

    #[test]
    fn broken_links_are_noticed() {
        let tree = |text: &str| serde_json::from_str::<Tree>(text).unwrap();
        let node = r#"{"parent":0,"play":"a","text":"a"}"#;
        assert!(tree(&format!(r#"{{"nodes":[{node},{node}],"at":1}}"#)).is_sound());
        assert!(!tree(&format!(r#"{{"nodes":[{node}],"at":1}}"#)).is_sound());
        let own = r#"{"parent":1,"play":"a","text":"a"}"#;
        assert!(!tree(&format!(r#"{{"nodes":[{node},{own}],"at":0}}"#)).is_sound());
        let lost = r#"{"parent":0,"play":"a","text":"a","next":7}"#;
        assert!(!tree(&format!(r#"{{"nodes":[{lost}],"at":0}}"#)).is_sound());
        assert!(!tree(r#"{"nodes":[],"at":0}"#).is_sound());
    }
}
