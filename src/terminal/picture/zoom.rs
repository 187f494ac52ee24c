//! The part of a picture that is shown: all of it, fitted to its pane, or a part that is magnified and panned.

use super::placement::{Crop, Placement};
use super::room::PictureRoom;
use super::scale::fitted_size;
use mageyard_domain::Picture;

/// Half of the factor at which a picture is fitted to its pane.
const FIT: u32 = 2;
/// The largest half of a factor.
const MAX_HALVES: u32 = 256;
/// The most half cells per pixel.
const MAX_CELLS_PER_PIXEL: u32 = 2;
/// The share of the shown part by which one step pans.
const PAN_SHARE: u32 = 4;

/// How far a picture is magnified, and what is in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureZoom {
    /// Twice the factor relative to the fitted picture.
    halves: u32,
    /// The pixel in the middle of the pane; `None` is the middle of the picture.
    center: Option<(u32, u32)>,
}

impl Default for PictureZoom {
    fn default() -> Self {
        Self { halves: FIT, center: None }
    }
}

/// A direction in which a picture is panned, in steps.
pub type PanSteps = (i32, i32);

impl PictureZoom {
    /// Whether the picture is magnified.
    pub fn is_magnified(self) -> bool {
        self.halves > FIT
    }

    /// The factor relative to the fitted picture, such as `1.5`.
    pub fn factor(self) -> f64 {
        f64::from(self.halves) / f64::from(FIT)
    }

    /// The next larger or smaller factor that this picture can have in this room: 1, 1.5, 2, 3, 4, 6, 8 and so on.
    #[must_use]
    pub fn changed(self, larger: bool, picture: &Picture, room: PictureRoom) -> Self {
        let now = self.halves;
        let halves = match (larger, now.is_power_of_two()) {
            (true, true) => now * 3 / 2,
            (true, false) => now * 4 / 3,
            (false, true) => now * 3 / 4,
            (false, false) => now * 2 / 3,
        };
        let most = most_halves(picture, room);
        if larger && halves > most { self } else { Self { halves: halves.clamp(FIT, MAX_HALVES), ..self } }
    }

    /// This factor, or the nearest one that the picture can have in this room.
    #[must_use]
    pub fn with_factor(self, factor: u32, picture: &Picture, room: PictureRoom) -> Self {
        let most = most_halves(picture, room).max(FIT);
        Self { halves: factor.saturating_mul(FIT).clamp(FIT, most), ..self }
    }

    /// The same factor with this pixel in the middle.
    #[must_use]
    pub fn centered_at(self, pixel: (u32, u32)) -> Self {
        Self { center: Some(pixel), ..self }
    }

    /// Moved by steps to the right and down, at most to the edges of the picture.
    #[must_use]
    pub fn panned(self, (right, down): PanSteps, picture: &Picture, room: PictureRoom) -> Self {
        let Some(Placement { crop, .. }) = self.placement(picture, room) else { return self };
        let to = |start: u32, shown: u32, all: u32, steps: i32| {
            let step = i64::from(shown.div_ceil(PAN_SHARE));
            let most = i64::from(all.saturating_sub(shown));
            let start = (i64::from(start) + i64::from(steps).saturating_mul(step)).clamp(0, most);
            u32::try_from(start).unwrap_or(0) + shown / 2
        };
        let x = to(crop.left, crop.width, picture.width(), right);
        let y = to(crop.top, crop.height, picture.height(), down);
        self.centered_at((x, y))
    }

    /// What is shown of a picture in this room; `None` without room.
    pub fn placement(self, picture: &Picture, room: PictureRoom) -> Option<Placement> {
        let fitted = fitted_size(picture, room)?;
        let all = (picture.width(), picture.height());
        if !self.is_magnified() || !is_shrunk(picture, fitted) {
            let crop = Crop { left: 0, top: 0, width: all.0, height: all.1 };
            return Some(Placement { crop, size: fitted });
        }
        let center = self.center.unwrap_or((all.0 / 2, all.1 / 2));
        let room = room.half_cells();
        let (left, width, across) = self.axis(all.0, fitted.0, room.0, center.0);
        let (top, height, down) = self.axis(all.1, fitted.1, room.1, center.1);
        Some(Placement { crop: Crop { left, top, width, height }, size: (across, down) })
    }

    /// The first pixel and the number of pixels that are shown along an axis, and their size in half cells.
    fn axis(self, all: u32, fitted: u32, room: u32, center: u32) -> (u32, u32, u32) {
        let whole = fitted.saturating_mul(self.halves) / FIT;
        let shown = whole.min(room).max(1);
        let pixels = (u64::from(shown) * u64::from(all)).div_ceil(u64::from(whole.max(1)));
        let pixels = u32::try_from(pixels).unwrap_or(all).clamp(1, all);
        (center.saturating_sub(pixels / 2).min(all - pixels), pixels, shown)
    }
}

/// The largest half of a factor: a few half cells per pixel.
fn most_halves(picture: &Picture, room: PictureRoom) -> u32 {
    let Some(fitted) = fitted_size(picture, room).filter(|fitted| is_shrunk(picture, *fitted)) else {
        return FIT;
    };
    let most = picture.width().saturating_mul(FIT * MAX_CELLS_PER_PIXEL) / fitted.0.max(1);
    most.clamp(FIT, MAX_HALVES)
}

/// Whether a picture without tiles has more pixels than the half cells that it gets.
fn is_shrunk(picture: &Picture, fitted: (u32, u32)) -> bool {
    picture.grain() == 1 && (fitted.0 < picture.width() || fitted.1 < picture.height())
}

/// Whether a picture can be magnified in this room.
pub fn can_magnify(picture: &Picture, room: PictureRoom) -> bool {
    fitted_size(picture, room).is_some_and(|fitted| is_shrunk(picture, fitted))
}

#[cfg(test)]
mod tests {
    use ratatui::layout::{Position, Rect, Size};

    use super::*;

    const ROOM: PictureRoom = PictureRoom::of_characters(Size::new(60, 30));

    fn page() -> Picture {
        Picture::painted(1920, 960, 1, |_| {}).unwrap()
    }

    fn shown(zoom: PictureZoom) -> (Crop, (u32, u32)) {
        let placement = zoom.placement(&page(), ROOM).unwrap();
        (placement.crop, placement.size)
    }

    #[test]
    fn a_fitted_picture_is_shown_in_full() {
        let (crop, size) = shown(PictureZoom::default());
        assert_eq!((crop, size), (Crop { left: 0, top: 0, width: 1920, height: 960 }, (60, 30)));
    }

    #[test]
    fn a_magnified_picture_fills_the_pane_and_is_cropped_around_its_middle() {
        let zoom = PictureZoom::default().changed(true, &page(), ROOM);
        // At 1.5 the picture has 90 by 45 half cells, of which 60 by 45 fit.
        assert_eq!((zoom.factor(), zoom.is_magnified()), (1.5, true));
        assert_eq!(shown(zoom), (Crop { left: 320, top: 0, width: 1280, height: 960 }, (60, 45)));
        let zoom = zoom.changed(true, &page(), ROOM).changed(true, &page(), ROOM);
        assert_eq!(shown(zoom), (Crop { left: 640, top: 160, width: 640, height: 640 }, (60, 60)));
    }

    #[test]
    fn factors_go_up_to_some_half_cells_per_pixel_and_back_to_the_fitted_picture() {
        let page = page();
        let mut zoom = PictureZoom::default();
        let mut factors = Vec::new();
        while zoom.changed(true, &page, ROOM) != zoom {
            zoom = zoom.changed(true, &page, ROOM);
            factors.push(zoom.factor());
        }
        assert_eq!(factors, [1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0]);
        assert_eq!(shown(zoom).0.width, 30, "two half cells per pixel");
        for factor in factors.iter().rev() {
            assert!((zoom.factor() - factor).abs() < 1e-9);
            zoom = zoom.changed(false, &page, ROOM);
        }
        assert_eq!(
            (zoom, zoom.changed(false, &page, ROOM)),
            (PictureZoom::default(), PictureZoom::default())
        );
        assert!((zoom.with_factor(999, &page, ROOM).factor() - 64.0).abs() < 1e-9);
        assert_eq!(zoom.with_factor(0, &page, ROOM), zoom);
    }

    #[test]
    fn panning_stops_at_the_edges() {
        let (page, zoom) = (page(), PictureZoom::default().with_factor(4, &page(), ROOM));
        let crop = |steps| shown(zoom.panned(steps, &page, ROOM)).0;
        // 480 by 480 pixels are shown; a step is a quarter of them.
        assert_eq!(shown(zoom).0, Crop { left: 720, top: 240, width: 480, height: 480 });
        assert_eq!((crop((1, 0)).left, crop((-2, 1)).left, crop((-2, 1)).top), (840, 480, 360));
        assert_eq!((crop((99, -99)).left, crop((99, -99)).top), (1440, 0));
        let back = zoom.panned((99, 0), &page, ROOM).panned((-1, 0), &page, ROOM);
        assert_eq!(shown(back).0.left, 1320, "no step is lost at the edge");
    }

    #[test]
    fn tiles_and_small_pictures_are_not_magnified() {
        let board = Picture::painted(160, 160, 16, |_| {}).unwrap();
        let icon = Picture::painted(20, 20, 1, |_| {}).unwrap();
        for picture in [board, icon] {
            assert!(!can_magnify(&picture, ROOM));
            let zoom = PictureZoom::default();
            assert_eq!(zoom.changed(true, &picture, ROOM), zoom);
            let magnified = zoom.with_factor(4, &page(), ROOM);
            assert!(!magnified.placement(&picture, ROOM).unwrap().is_part_of(&picture));
        }
        assert!(can_magnify(&page(), ROOM));
    }

    #[test]
    fn cells_and_pixels_correspond() {
        let zoom = PictureZoom::default().with_factor(4, &page(), ROOM);
        let placement = zoom.placement(&page(), ROOM).unwrap();
        let area = Rect::new(10, 5, 60, 30);
        assert_eq!(placement.area(area), area);
        assert_eq!(placement.pixel_at(area, Position::new(10, 5)), Some((720, 248)));
        assert_eq!(placement.pixel_at(area, Position::new(69, 34)), Some((1192, 712)));
        assert_eq!(placement.pixel_at(area, Position::new(9, 5)), None);
        assert_eq!((placement.half_cell(720, 240), placement.half_cell(712, 727)), ((0, 0), (-1, 60)));
    }
}
