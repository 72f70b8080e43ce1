//! Describes a start by its facts and its entry in the atlas, as text and as JSON.

use serde_json::{Value, json};

use enroque::chess::Board;
use enroque::chess::startpos::{StartNumbers, chess960};
use enroque_study::atlas::{Atlas, AtlasEntry};
use enroque_study::start::{self, block, rows, sides, title};

/// Describes a start by its facts and its entry in the atlas. If both sides have the same back rank and castlings, the
/// facts appear once, otherwise once for each side.
pub fn text(board: &Board) -> String {
    let sides = sides(board);
    let mut blocks: Vec<String> =
        sides.iter().map(|side| block(title(&sides, side), &rows(board, side))).collect();
    if let Some(entry) = atlas_entry(board) {
        blocks.push(block(&format!("Atlas: {}", Atlas::shipped().origin), &entry.lines()));
    }
    blocks.join("\n\n")
}

/// Looks up a start in the atlas, which covers only Chess960 with all castling rights.
fn atlas_entry(board: &Board) -> Option<&'static AtlasEntry> {
    let number = StartNumbers::of(board)?.white();
    chess960(number).filter(|start| start == board).and_then(|_| Atlas::shipped().entry(number))
}

/// Returns as JSON the facts of both sides and the atlas entry, which is `null` if there is none.
pub fn json(board: &Board, numbers: StartNumbers) -> Value {
    let mut value = start::json(board, numbers);
    value["atlas"] = json!(atlas_entry(board));
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::double_chess960;
    use enroque::chess::{CastlingRules, position};

    const SP_334: &str = "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN";

    fn of_text(text: &str) -> Board {
        position::parse(text, CastlingRules::Fischer).unwrap()
    }

    fn json(board: &Board) -> Value {
        super::json(board, StartNumbers::of(board).unwrap())
    }

    fn start(number: u32) -> Board {
        chess960(number).unwrap()
    }

    #[test]
    fn facts_of_orthodox_start() {
        let text = text(&start(518));
        for line in [
            "Undefended pawns    none",
            "Only king defends   f2",
            "O-O                 after 3 moves: Bf1, Ng1 in the way",
            "O-O-O               after 4 moves: Nb1, Bc1, Qd1 in the way",
            "Bishops             c1, opened by b2 or d2; f1, opened by e2 or g2",
            "Attackable at once  none",
            "Knights             b1 to a3 or c3; g1 to f3 or h3",
            "Transposes to       none",
            "Without castling    230, 326, 614",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("\nBlack\n"));
        assert_eq!(json(&start(518))["white"]["o-o"]["moves"], 3);
        assert_eq!(json(&start(518))["mirror"]["black"], 534);
    }

    #[test]
    fn attacked_pawns_name_moves() {
        assert!(text(&start(334)).contains("Attackable at once  a2 by 1... f5, f6\n"));
        let double = double_chess960(518, 334).unwrap();
        assert!(text(&double).contains("Attackable at once  none"));
        // With 334 for White, f3 lets the bishop on g1 attack a7. In 518:334 above, White has no bishop on that
        // diagonal.
        let double = double_chess960(334, 334).unwrap();
        assert_eq!(json(&double)["black"]["attacks"][0]["move"], "f3");
    }

    #[test]
    fn atlas_follows_facts_of_equal_ranks() {
        let text = text(&start(272));
        assert!(text.contains("\n\nAtlas: ") && text.contains("  Score               +0.37 ± "), "{text}");
        assert_eq!(json(&start(272))["atlas"]["number"], 272);
        // The atlas has no double starts, and no starts with castling rules other than Chess960's.
        for other in ["272:518", "transcendental:272:272", "chess480:334"].map(of_text) {
            assert!(json(&other)["atlas"].is_null() && !super::text(&other).contains("Atlas"), "{other}");
        }
    }

    #[test]
    fn differing_rights_have_two_blocks() {
        let rights = |rights: &str| text(&of_text(&format!("{SP_334} w {rights} - 0 1")));
        assert!(!rights("KQkq").contains("\nBlack\n") && !rights("-").contains("\nBlack\n"));
        let text = rights("KQq");
        assert!(text.contains("White\n") && text.contains("\nBlack\n"), "{text}");
        assert_eq!(text.matches("no right").count(), 1, "{text}");
    }

    #[test]
    fn double_start_has_two_blocks() {
        let board = double_chess960(0, 518).unwrap();
        let text = text(&board);
        assert!(text.contains("White\n") && text.contains("\nBlack\n"), "{text}");
        assert!(text.contains("a1 in the corner, opened by b2"), "{text}");
    }
}
