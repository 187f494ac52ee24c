// Of the element that holds a frame: which one it is of the last reading, and where its content is
// drawn.

function ownerOf(frame, { point }) {
  const reading = globalThis[WORLD];
  const rect = boundsOf(frame);
  const style = getComputedStyle(frame);
  const inset = (side) => parseFloat(style[`padding${side}`]) || 0;
  const left = rect.left + frame.clientLeft + inset('Left');
  const top = rect.top + frame.clientTop + inset('Top');
  const found = {
    index: reading ? reading.frames.indexOf(frame) : -1,
    left,
    top,
    width: rect.width,
    height: rect.height,
    cover: null,
  };
  if (point) found.cover = coverAt(frame, left + point[0], top + point[1]);
  return found;
}
