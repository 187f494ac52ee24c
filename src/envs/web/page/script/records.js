// The drawn elements and texts of a document in one list, in the order of the tree. `end` is the
// index after the last
// record inside. What assistive technology never gets is left out: nothing is drawn of it, or it is
// `aria-hidden` or `inert`. What it gets and an eye does not (transparent, clipped away, outside of
// the document) has
// `shown: false`: it takes part in names, not in lines.

// Elements whose children are not drawn as children.
const CLOSED = new Set([
  'iframe',
  'frame',
  'video',
  'audio',
  'canvas',
  'textarea',
  'input',
  'select',
  'img',
  'progress',
  'meter',
  'embed',
]);
// Parts of drawings that are never drawn themselves.
const DEFINITIONS = new Set([
  'title',
  'desc',
  'defs',
  'metadata',
  'style',
  'script',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'linearGradient',
  'radialGradient',
  'filter',
  'marker',
]);
const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };
const ANYWHERE = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
// What is narrower is hidden on purpose.
const LEAST_SIDE = 2;

const intersect = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

// The dialog that makes everything outside of it inert, with its ancestors.
function openModal() {
  const all = allMatches(document, ':modal');
  const modal = all.length > 0 ? all[all.length - 1] : null;
  const around = new Set();
  for (let at = modal && drawnParentOf(modal); at; at = drawnParentOf(at)) around.add(at);
  return { modal, around };
}

function collect() {
  const records = [];
  const byElement = new Map();
  const html = documentElementOf(document);
  if (!html) return { records, byElement };
  const { modal, around } = openModal();
  const page = {
    left: window.scrollX,
    top: window.scrollY,
    rtl: getComputedStyle(html).direction === 'rtl',
  };
  const stack = [html, -1];
  while (stack.length > 0) {
    const parent = stack.pop();
    const node = stack.pop();
    const above = parent < 0 ? null : records[parent];
    if (typeOf(node) === TEXT) {
      const text = valueOfNode(node);
      if (text && (!modal || above.inModal)) {
        records.push({
          node,
          parent,
          end: 0,
          element: null,
          text,
          shown: above.shown && !above.hidden,
          hidden: above.hidden,
        });
      }
      continue;
    }
    if (!isElement(node)) continue;
    const record = recordOf(node, parent, above, page);
    if (!record) continue;
    record.inModal = !modal || node === modal || (above !== null && above.inModal);
    if (!record.inModal && !around.has(node)) continue;
    if (!record.inModal) record.shown = false;
    const index = records.length;
    // The block that texts in it belong to.
    record.blockAt = record.block || above === null ? index : above.blockAt;
    records.push(record);
    byElement.set(node, index);
    if (record.childless) continue;
    const children = childrenToDraw(node, record);
    for (let at = children.length - 1; at >= 0; at--) stack.push(children[at], index);
  }
  finish(records);
  return { records, byElement };
}

function childrenToDraw(element, record) {
  if (record.tag === 'details' && !hasAttribute(element, 'open')) {
    for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
      if (isElement(node) && tagOf(node) === 'summary') return [node];
    }
    return [];
  }
  return drawnChildrenOf(element);
}

function recordOf(element, parent, above, page) {
  const tag = tagOf(element);
  const foreign = namespaceOf(element) === SVG;
  if (foreign && DEFINITIONS.has(localNameOf(element))) return null;
  if (attributeOf(element, 'aria-hidden') === 'true' || hasAttribute(element, 'inert')) return null;
  const style = getComputedStyle(element);
  const display = style.display;
  if (display === 'none') return null;
  const contents = display === 'contents';
  const position = style.position;
  const rect = boundsOf(element);
  const limit = !above
    ? ANYWHERE
    : position === 'absolute'
      ? above.clipPlaced
      : position === 'fixed'
        ? ANYWHERE
        : above.clip;
  const record = {
    node: element,
    element,
    parent,
    end: 0,
    text: null,
    tag,
    foreign,
    rect,
    inline: contents || display.startsWith('inline') || foreign,
    block: !(contents || display === 'inline' || foreign),
    hidden: style.visibility !== 'visible',
    seeThrough: (above !== null && above.seeThrough) || style.opacity === '0',
    style,
    childless: CLOSED.has(tag) || !hasContent(element, tag) || style.contentVisibility === 'hidden',
    clip: limit,
    clipPlaced: above ? above.clipPlaced : ANYWHERE,
    shown: true,
    role: null,
    covered: false,
    inModal: true,
    interactiveInside: false,
  };
  if (!contents && !foreign) limitInside(record, style, position, rect, limit);
  record.shown = isShown(record, position, rect, limit, page, contents);
  return record;
}

const hasContent = (element, tag) =>
  firstChildOf(element) !== null || shadowOf(element) !== null || tag === 'slot';

function limitInside(record, style, position, rect, limit) {
  const inside = record.childless ? limit : ownLimit(style, rect, limit, record.tag);
  record.clip = inside;
  if (position !== 'static' || (inside !== record.clipPlaced && style.transform !== 'none'))
    record.clipPlaced = inside;
  if (position === 'static') return;
  // `clip` and `clip-path` cut the element itself too.
  if (position !== 'relative' && style.clip !== 'auto') {
    const sides = style.clip.match(/-?[\d.]+(?=px)/g);
    if (
      sides &&
      sides.length === 4 &&
      (sides[1] - sides[3] < LEAST_SIDE || sides[2] - sides[0] < LEAST_SIDE)
    )
      cutAway(record);
  }
  const path = style.clipPath;
  if (
    path !== 'none' &&
    /^(inset\((50|[6-9]\d|100)%\)|circle\(0(px|%)?[ )]|polygon\(0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?, 0)/.test(
      path,
    )
  )
    cutAway(record);
}

function cutAway(record) {
  record.cut = true;
  record.clip = NOTHING;
  record.clipPlaced = NOTHING;
}

// Where the content of an element may be drawn. What can be scrolled to counts as drawn.
function ownLimit(style, rect, limit, tag) {
  if (tag === 'html' || tag === 'body') return limit;
  const x = style.overflowX;
  const y = style.overflowY;
  if (x === 'visible' && y === 'visible') return limit;
  const seen = intersect(limit, rect);
  if (seen.right - seen.left < LEAST_SIDE || seen.bottom - seen.top < LEAST_SIDE) return NOTHING;
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const across = x === 'visible' ? limit : scrolls(x) ? ANYWHERE : seen;
  const down = y === 'visible' ? limit : scrolls(y) ? ANYWHERE : seen;
  return { left: across.left, right: across.right, top: down.top, bottom: down.bottom };
}

function isShown(record, position, rect, limit, page, contents) {
  if (record.seeThrough || record.cut) return false;
  if (limit === NOTHING) return false;
  if (contents || rect.width === 0 || rect.height === 0) return true;
  const seen = intersect(limit, rect);
  if (limit !== ANYWHERE && (seen.right <= seen.left || seen.bottom <= seen.top)) return false;
  if (position === 'fixed') {
    return (
      rect.right > 0 &&
      rect.bottom > 0 &&
      rect.left < window.innerWidth &&
      rect.top < window.innerHeight
    );
  }
  return (rect.right + page.left > 0 || page.rtl) && rect.bottom + page.top > 0;
}

// Fills in the ends, and the boxes of elements that only have those of their children.
function finish(records) {
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record.end === 0) record.end = index + 1;
    if (record.parent < 0) continue;
    const above = records[record.parent];
    if (above.end < record.end) above.end = record.end;
    if (!record.element || !record.shown || record.hidden) continue;
    const rect = record.union || record.rect;
    if (rect.width === 0 || rect.height === 0) continue;
    if (above.rect.width === 0 || above.rect.height === 0)
      above.union = above.union ? around(above.union, rect) : rect;
  }
}

function around(one, other) {
  const left = Math.min(one.left, other.left);
  const top = Math.min(one.top, other.top);
  const right = Math.max(one.right, other.right);
  const bottom = Math.max(one.bottom, other.bottom);
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}
