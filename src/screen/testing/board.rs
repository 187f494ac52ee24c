//! A small Sokoban board, drawn by hand.

use mageyard_domain::{ActionSpace, ActionSpec, Observation, ObservationPart, ParamKind, ParamSpec, Picture};
use std::sync::Arc;

pub(super) const BOARD: [&str; 7] =
    ["#######", "#  .  #", "# $ $ #", "#  @  #", "# ##  #", "#  . ##", "#######"];

pub(super) fn space() -> ActionSpace {
    let spec = |name: &str| ActionSpec::new(name, name.to_lowercase()).with_key(name.to_lowercase());
    ["Up", "Down", "Left", "Right"].map(spec).into_iter().collect()
}

/// Actions with parameters of every kind.
pub(crate) fn space_with_params() -> ActionSpace {
    let area = ParamKind::Point { width: 1280, height: 720 };
    ActionSpace::from_iter([
        ActionSpec::new("return", "return to the previous page").with_key("b"),
        ActionSpec::new("click", "click a point of the page")
            .with_key("c")
            .with_param(ParamSpec::new("at", "where to click", area))
            .with_param(
                ParamSpec::new("button", "the mouse button", ParamKind::choice(["left", "middle", "right"]))
                    .optional(),
            ),
        ActionSpec::new("type", "type a text into a field")
            .with_key("t")
            .with_param(ParamSpec::new("text", "what to type", ParamKind::Text { max_chars: Some(200) }))
            .with_param(ParamSpec::new("into", "the label of the field", ParamKind::text()).optional()),
        ActionSpec::new("scroll", "scroll the page").with_param(ParamSpec::new(
            "by",
            "how many lines",
            ParamKind::Number { min: -100.0, max: 100.0, integer: true },
        )),
        ActionSpec::new("write", "write the files of the page")
            .with_key("w")
            .with_param(ParamSpec::new("html", "index.html", ParamKind::Code { language: "html".into() }))
            .with_param(
                ParamSpec::new("css", "style.css", ParamKind::Code { language: "css".into() }).optional(),
            ),
    ])
}

/// A board with the player moved by so many positions.
pub(crate) fn observation(moved: usize) -> Observation {
    let mut rows: Vec<String> = BOARD.map(String::from).to_vec();
    rows[3] = ["#  @  #", "# @   #", "#@    #", "#   @ #", "#    @#"][moved % 5].into();
    let text = rows.join("\n");
    Observation::from_parts(vec![ObservationPart::Image(Arc::new(draw_tiles(&rows)))], text, moved)
}

/// The same board with the left box in a corner.
pub(super) fn lost_observation(moved: usize) -> Observation {
    let seen = observation(moved);
    let text = seen.text().replace("#  .  #\n# $ $ #", "#$ .  #\n#   $ #");
    Observation::from_parts(seen.parts().to_vec(), text, moved)
}

pub(super) fn corner_check(seen: &Observation) -> Option<String> {
    seen.text()
        .contains("#$ .")
        .then(|| "the box at row 2, column 2 is in a corner that is no target".to_owned())
}

/// Tiles of 16 pixels, each kind easy to distinguish.
fn draw_tiles(rows: &[String]) -> Picture {
    let tiles: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let wide = tiles[0].len() * 16;
    let high = tiles.len() * 16;
    let pixel = |x: usize, y: usize| tile_color(tiles[y / 16][x / 16], x % 16, y % 16);
    let rgb = (0..high).flat_map(|y| (0..wide).flat_map(move |x| pixel(x, y))).collect();
    Picture::new(u32::try_from(wide).unwrap(), u32::try_from(high).unwrap(), 16, rgb).unwrap()
}

fn tile_color(tile: char, x: usize, y: usize) -> [u8; 3] {
    let rim = x.min(y).min(15 - x).min(15 - y);
    match tile {
        '#' if y % 8 == 7 || (x + y / 8 * 8) % 16 == 15 => [120, 92, 84],
        '#' => [150, 74, 38],
        '$' if rim < 2 || x == y || x + y == 15 => [168, 96, 20],
        '$' => [222, 178, 60],
        '.' if rim >= 4 => [226, 70, 70],
        '@' if (3..13).contains(&x) && (2..14).contains(&y) => [70, 190, 90],
        _ => [34, 36, 44],
    }
}
