//! The maze: the inside squares, numbered without gaps, and for each box alone in it the sides from which
//! the player can push it.
//!
//! A *post* is a box on a cell together with the area in which the player is while the box is there. The
//! moves of a box alone depend on nothing else.

use super::super::board::{Direction, Ground, Square};
use super::grid::{Cell, Grid};

/// Not a cell but a wall.
pub(super) const WALL: Cell = Cell::MAX;
/// Above this number of cells, posts ignore the player's area, because the table would be too large.
const MAX_CELLS: usize = 600;

/// The opposite direction.
pub(super) fn opposite(way: usize) -> usize {
    way ^ 1
}

pub(super) struct Maze {
    /// The square of each cell.
    pub(super) squares: Vec<Square>,
    /// The neighbours of each cell, in the order of [`Direction::ALL`].
    pub(super) next: Vec<[Cell; 4]>,
    /// The targets inside, in ascending order.
    pub(super) targets: Vec<Cell>,
    /// Bit sets of cells, where the maze is small enough.
    pub(super) grid: Option<Grid>,
    target_cells: Vec<bool>,
    /// The post of each pair of box and player cell, box by box; empty where the maze is too large.
    posts: Vec<u16>,
    /// The cell of each post's box.
    post_cells: Vec<Cell>,
    /// For each post, where the pulls that lead to it begin in `pulls`.
    pull_starts: Vec<usize>,
    pulls: Vec<Pull>,
}

/// A push seen from its end: the post before it, the box's cell and the player's cell before it.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    pub(super) before: usize,
    pub(super) cell: Cell,
    pub(super) player: Cell,
}

impl Maze {
    pub(super) fn new(ground: &Ground) -> Self {
        let mut cells = vec![WALL; ground.walls.len()];
        let mut squares = Vec::with_capacity(cells.len());
        for square in ground.squares().filter(|square| ground.is_inside(*square)) {
            cells[usize::from(square)] = cell_number(squares.len());
            squares.push(square);
        }
        let cell = |square: Square| cells[usize::from(square)];
        let next = |square: &Square| Direction::ALL.map(|way| cell(ground.neighbour(*square, way)));
        let next: Vec<[Cell; 4]> = squares.iter().map(next).collect();
        let targets = squares.iter().filter(|square| ground.is_target(**square));
        let targets = targets.map(|square| cell(*square)).collect();
        let homes = squares.iter().map(|square| ground.is_target(*square)).collect();
        let grid = Grid::new(ground, &squares);
        let mut maze = Self {
            next,
            targets,
            grid,
            target_cells: homes,
            posts: Vec::new(),
            post_cells: Vec::new(),
            pull_starts: Vec::new(),
            pulls: Vec::new(),
            squares,
        };
        maze.find_posts();
        maze.find_pulls();
        maze
    }

    /// Bytes of its tables.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.posts.as_slice())
            + size_of_val(self.post_cells.as_slice())
            + size_of_val(self.pulls.as_slice())
    }

    pub(super) fn len(&self) -> usize {
        self.squares.len()
    }

    /// The cell of a square, if it is inside.
    pub(super) fn cell(&self, square: Square) -> Option<Cell> {
        self.squares.binary_search(&square).ok().map(cell_number)
    }

    pub(super) fn is_target(&self, cell: Cell) -> bool {
        self.target_cells[usize::from(cell)]
    }

    /// The number of posts.
    pub(super) fn posts(&self) -> usize {
        self.post_cells.len()
    }

    /// The post of a box on `cell` with the player on `player`.
    pub(super) fn post(&self, cell: Cell, player: Cell) -> usize {
        if self.posts.is_empty() {
            return usize::from(cell);
        }
        usize::from(self.posts[usize::from(cell) * self.len() + usize::from(player)])
    }

    /// The cell of a post's box.
    pub(super) fn post_cell(&self, post: usize) -> Cell {
        self.post_cells[post]
    }

    /// The posts from which one push leads to this post.
    pub(super) fn pulls_to(&self, post: usize) -> &[Pull] {
        &self.pulls[self.pull_starts[post]..self.pull_starts[post + 1]]
    }

    fn find_pulls(&mut self) {
        for post in 0..self.posts() {
            let to = self.post_cell(post);
            self.pull_starts.push(self.pulls.len());
            for way in 0..4 {
                let cell = self.next[usize::from(to)][opposite(way)];
                let player = self.next.get(usize::from(cell)).map_or(WALL, |next| next[opposite(way)]);
                if player != WALL && self.post(to, cell) == post {
                    self.pulls.push(Pull { before: self.post(cell, player), cell, player });
                }
            }
        }
        self.pull_starts.push(self.pulls.len());
    }

    /// The posts to which one push leads from this post: the post, then the player's cell after the push
    /// and before it.
    pub(super) fn pushes_from(&self, post: usize) -> impl Iterator<Item = (usize, Cell, Cell)> {
        let cell = self.post_cell(post);
        (0..4).filter_map(move |way| {
            let (player, to) =
                (self.next[usize::from(cell)][opposite(way)], self.next[usize::from(cell)][way]);
            let fits = player != WALL && to != WALL && self.post(cell, player) == post;
            fits.then(|| (self.post(to, cell), cell, player))
        })
    }

    fn find_posts(&mut self) {
        let len = self.len();
        if len > MAX_CELLS {
            self.post_cells = (0..len).map(cell_number).collect();
            return;
        }
        self.posts = vec![WALL; len * len];
        let mut open = Vec::new();
        for cell in 0..len {
            for player in (0..len).filter(|player| *player != cell) {
                if self.posts[cell * len + player] == WALL {
                    let post = cell_number(self.post_cells.len());
                    self.post_cells.push(cell_number(cell));
                    open.push(cell_number(player));
                    self.flood(cell, post, &mut open);
                }
            }
        }
    }

    /// Assigns a post to every cell that the player can reach beside a box.
    fn flood(&mut self, cell: usize, post: u16, open: &mut Vec<Cell>) {
        let len = self.len();
        let row = &mut self.posts[cell * len..][..len];
        if let Some(grid) = &self.grid {
            let from = open.drain(..).fold(0, |set, cell| set | grid.set(cell));
            let part = grid.fill(from, grid.all & !grid.set(cell_number(cell)));
            for cell in grid.iter(part) {
                row[usize::from(cell)] = post;
            }
            return;
        }
        while let Some(at) = open.pop() {
            if usize::from(at) != cell && row[usize::from(at)] == WALL {
                row[usize::from(at)] = post;
                open.extend(self.next[usize::from(at)].iter().filter(|near| **near != WALL));
            }
        }
    }
}

/// Boards have fewer squares than this type has values.
fn cell_number(index: usize) -> Cell {
    Cell::try_from(index).unwrap_or(WALL)
}
