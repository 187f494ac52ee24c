// What is at a point of the viewport.

function elementAt(x, y) {
  let hit = document.elementFromPoint(x, y);
  for (let steps = 0; hit && steps < 100; steps++) {
    const shadow = shadowOf(hit);
    const inner = shadow && shadow.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

// Whether a click there is a click on the element.
function isHit(hit, element) {
  if (!hit) return false;
  if (isDrawnInside(hit, element)) return true;
  for (let at = hit, steps = 0; at && steps < 20; at = drawnParentOf(at), steps++) {
    if (
      tagOf(at) === 'label' &&
      at.control &&
      (at.control === element || isDrawnInside(at.control, element))
    )
      return true;
  }
  return (
    tagOf(element) === 'label' && element.control !== null && isDrawnInside(hit, element.control)
  );
}

// The role and label of what covers a point of an element; null if nothing does.
function coverAt(element, x, y) {
  const hit = elementAt(x, y);
  return isHit(hit, element) ? null : described(hit);
}

// An element in words, without the state of a reading.
function described(hit) {
  if (!hit) return { role: 'nothing', label: '' };
  let found = null;
  for (let at = hit, steps = 0; at && steps < 6; at = drawnParentOf(at), steps++) {
    const tag = tagOf(at);
    const role = roleOf(at, tag);
    const label = collapse(
      attributeOf(at, 'aria-label') || attributeOf(at, 'alt') || attributeOf(at, 'title') || '',
    );
    if (!found) found = { role: role && role !== 'none' ? role : tag, label: label || shortText(at) };
    if (role && role !== 'none' && tag !== 'html' && tag !== 'body') {
      return { role, label: label || shortText(at) };
    }
  }
  return found;
}

function shortText(element) {
  const text = element instanceof HTMLElement && element.innerText ? element.innerText : '';
  return whole(collapse(text.slice(0, 400)).slice(0, 80));
}
