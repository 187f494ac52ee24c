// Boxes as numbers.

function box(rect) {
  return [rounded(rect.left), rounded(rect.top), rounded(rect.width), rounded(rect.height)];
}
