//! Where places of the pitch are in the pixels of a view.

use super::camera::Camera;
use super::markings::metres;
use super::painter::View;
use super::shown::Shown;
use super::{board, broadcast};

/// The pixel of a place so many metres from one in public units; `None` behind the camera.
pub fn pixel(view: View, shown: &Shown, place: [f64; 2], ahead: [f64; 2]) -> Option<[f64; 2]> {
    let place = metres(place);
    let place = [place[0] + ahead[0], place[1] + ahead[1]];
    match view {
        View::Board => Some(board::pixel(place)),
        View::Broadcast => {
            let camera = Camera::new(shown.focus, broadcast::SIZE.map(f64::from));
            camera.project(place, 0.0).map(|(pixel, _)| pixel)
        }
    }
}
