// What an act does in the page before the browser's own mouse and keys: scrolling to an element,
// focusing it, choosing an option.

const TYPED = new Set(['text', 'search', 'email', 'tel', 'url', 'password', 'number']);
const SET = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

// The rectangles in which an element may be clicked, the largest visible part of each.
function partsOf({ element, text }) {
  if (text && isConnected(text)) {
    const range = document.createRange();
    range.selectNodeContents(text);
    return Array.from(range.getClientRects());
  }
  const parts = Array.from(boundsListOf(element)).filter(
    (rect) => rect.width > 0 && rect.height > 0,
  );
  if (parts.length > 0 && !(parts.length === 1 && parts[0].width <= 2 && parts[0].height <= 2))
    return parts;
  const others = Array.from(element.labels || [], (label) =>
    Array.from(boundsListOf(label)),
  ).flat();
  const drawn = others.filter((rect) => rect.width > 0 && rect.height > 0);
  if (drawn.length > 0) return drawn;
  return parts.length > 0 ? parts : partsInside(element);
}

// An element without a box of its own is as large as what it contains.
function partsInside(element) {
  const parts = [];
  const stack = [element];
  for (let steps = 0; stack.length > 0 && steps < 200; steps++) {
    for (const child of drawnChildrenOf(stack.pop())) {
      if (!isElement(child)) continue;
      const rect = boundsOf(child);
      if (rect.width > 0 && rect.height > 0) parts.push(rect);
      else stack.push(child);
    }
  }
  return parts;
}

function visiblePart(rect) {
  const left = Math.max(rect.left, 0);
  const top = Math.max(rect.top, 0);
  const right = Math.min(rect.right, window.innerWidth);
  const bottom = Math.min(rect.bottom, window.innerHeight);
  return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
}

// A point of the element at which a click reaches it, else its middle with what covers it.
function freePoint(entry) {
  let covered = null;
  for (const rect of partsOf(entry).slice(0, 20)) {
    const part = visiblePart(rect);
    if (!part) continue;
    for (const [across, down] of [
      [0.5, 0.5],
      [0.2, 0.5],
      [0.8, 0.5],
      [0.5, 0.2],
      [0.5, 0.8],
    ]) {
      const x = part.left + (part.right - part.left) * across;
      const y = part.top + (part.bottom - part.top) * down;
      const cover = coverAt(entry.element, x, y);
      if (!cover) return { x, y, cover: null };
      covered = covered || { x, y, cover };
    }
  }
  return covered;
}

function nextFrame() {
  // A tab in the background draws nothing.
  return new Promise((done) => {
    setTimeout(done, 50);
    requestAnimationFrame(() => done());
  });
}

async function point(argument) {
  const entry = numbered(argument);
  if (entry.refused) return entry;
  const { element } = entry;
  if (tagOf(element) === 'option' || tagOf(element) === 'optgroup') return { refused: 'option' };
  if (isDisabled(element)) return { refused: 'disabled' };
  const inView = (rect) =>
    rect.top >= 0 &&
    rect.left >= 0 &&
    rect.bottom <= window.innerHeight &&
    rect.right <= window.innerWidth;
  let found = partsOf(entry).some(inView) ? freePoint(entry) : null;
  if (!found || found.cover || argument.framed) {
    const target = entry.text && entry.text.parentElement ? entry.text.parentElement : element;
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    await nextFrame();
    const after = freePoint(entry);
    found = after || found;
  }
  if (!found) return { refused: 'invisible' };
  return { x: rounded(found.x), y: rounded(found.y), cover: found.cover };
}

// The element that text goes into: itself, the control of a label, or the only field inside.
function fieldOf(element) {
  if (isField(element)) return element;
  if (tagOf(element) === 'label' && element.control && isField(element.control))
    return element.control;
  const inside = Array.from(element.querySelectorAll('input, textarea, [contenteditable]')).filter(
    (one) => isField(one) && one.checkVisibility({ visibilityProperty: true }),
  );
  if (inside.length === 1) return inside[0];
  const host = closest(element, '[contenteditable]');
  return host && isEditingHost(host) ? host : null;
}

function isField(element) {
  const tag = tagOf(element);
  if (tag === 'textarea') return true;
  if (tag === 'input') return TYPED.has(element.type) || SET.has(element.type);
  return isEditingHost(element);
}

function fill(argument) {
  const entry = numbered(argument);
  if (entry.refused) return entry;
  const field = fieldOf(entry.element);
  if (!field) {
    const kind = tagOf(entry.element) === 'input' ? ` of type ${entry.element.type}` : '';
    return { refused: 'field', why: `${tagOf(entry.element)}${kind}` };
  }
  if (isDisabled(field)) return { refused: 'disabled' };
  if (field.readOnly || attributeOf(field, 'aria-readonly') === 'true')
    return { refused: 'readonly' };
  field.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  field.focus({ preventScroll: true });
  if (tagOf(field) === 'input' && SET.has(field.type)) return setField(field, argument.text);
  selectAll(field);
  if (argument.text === '') {
    document.execCommand('delete');
    return { typed: false };
  }
  return { typed: true };
}

function selectAll(field) {
  if (tagOf(field) === 'input' || tagOf(field) === 'textarea') {
    field.select();
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(field);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

// Fields with parts of their own take their value at once.
function setField(field, text) {
  const before = field.value;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  set.call(field, text);
  const wrong =
    text !== '' &&
    field.value !== text &&
    !(field.type === 'range' && Number(field.value) === Number(text));
  if (wrong && !(field.type === 'color' && field.value === text.toLowerCase())) {
    const found = field.value;
    set.call(field, before);
    return { refused: 'value', why: field.type, found: whole(found) };
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return { typed: false };
}
