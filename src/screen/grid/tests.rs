//! The dialog that asks again: chips, plans, the grid, marks, and lines.
