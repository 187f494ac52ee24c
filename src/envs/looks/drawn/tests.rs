use super::*;

fn names() -> impl Iterator<Item = &'static str> {
    SCREENS.lines().filter_map(|line| line.strip_prefix("screen ")?.split(' ').next())
}

#[test]
fn every_screen_is_drawn_and_differs_from_the_others() {
    let mut drawn = Vec::new();
    for name in names() {
        let picture = picture(&format!("folder/{name}.png")).unwrap_or_else(|| panic!("{name} is not valid"));
        let pixels = picture.pixels().unwrap();
        assert!(pixels.chunks(3).any(|pixel| pixel != &pixels[..3]), "{name} is empty");
        assert!(!drawn.contains(&pixels), "{name} is equal to another screen");
        drawn.push(pixels);
    }
    assert_eq!(drawn.len(), 28);
    assert!(picture("web-shop-9.png").is_none());
}

#[test]
fn shapes_outside_of_the_picture_are_left_out() {
    let mut pixels = vec![0; 4 * 3 * 3];
    let mut canvas = Canvas::new(&mut pixels, (4, 3));
    canvas.rect(Rect([-5, -5, i32::MAX, 6]), [9; 3]);
    canvas.target([i32::MAX, 1], 5, 2, [7; 3]);
    canvas.text([3, 2], 14.0, [5; 3], "Wide");
    assert_eq!(&pixels[..12], &[9; 12]);
}
