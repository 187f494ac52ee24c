// The elements of the page as an array of records in document order, and their rectangles.

function scrollOrigin() {
  const scroller = scrollerOf(document) || root;
  if (!scroller) return { x: 0, y: 0 };
  return { x: window.pageXOffset || scrollLeft(scroller), y: window.pageYOffset || scrollTop(scroller) };
}

// The part of a record that every rule needs. `parent` is the record of the parent element in the
// same tree; `shadow` says whether the element lives in a shadow tree, which is read for text only.
function record(element, parent, shadow) {
  const made = {
    element, parent, shadow, tag: tagOf(element).toUpperCase(), style: getComputedStyle(element),
    elements: [], kids: [], shadowKids: null, texts: [false, false],
  };
  made.display = made.style.getPropertyValue('display');
  made.position = made.style.getPropertyValue('position');
  made.rect = rectangle(bounds(element));
  made.region = regionOf(made);
  records.push(made);
  recordOf.set(element, made);
  return made;
}

function rectangle({ left, top, width, height }) {
  return { left, top, width, height, right: left + width, bottom: top + height };
}

// The rectangle that the rules of "shown" use: the root has the viewport, a map and its areas their
// parts of the image.
function regionOf(entry) {
  if (entry.element === root) return viewport();
  if (entry.tag !== 'MAP' && entry.tag !== 'AREA') return entry.rect;
  const image = imageOf(entry);
  if (!image) return rectangle({ left: 0, top: 0, width: 0, height: 0 });
  const whole = rectangle(bounds(image));
  return entry.tag === 'MAP' ? whole : areaRegion(entry.element, whole);
}

function imageOf(entry) {
  const map = entry.tag === 'MAP' ? entry : entry.parent && entry.parent.tag === 'MAP' ? entry.parent : null;
  if (map === null) return null;
  if (map.image === undefined) {
    const name = attribute(map.element, 'name');
    map.image = name ? query(document, `*[usemap="#${CSS.escape(name)}"]`) : null;
  }
  return map.image;
}

function areaRegion(area, image) {
  const shape = (attribute(area, 'shape') || '').toLowerCase();
  if (shape === 'default') return image;
  const box = areaBox(shape, (attribute(area, 'coords') || '').split(',').map(Number));
  const x = Math.min(Math.max(box[0], 0), image.width);
  const y = Math.min(Math.max(box[1], 0), image.height);
  const [width, height] = [Math.min(box[2], image.width - x), Math.min(box[3], image.height - y)];
  return rectangle({ left: image.left + x, top: image.top + y, width, height });
}

// Left, top, width and height of an area in its image; nothing for shapes without their full names.
function areaBox(shape, n) {
  if (shape === 'rect' && n.length === 4) return [n[0], n[1], n[2] - n[0], n[3] - n[1]];
  if (shape === 'circle' && n.length === 3) return [n[0] - n[2], n[1] - n[2], 2 * n[2], 2 * n[2]];
  if (shape !== 'poly' || n.length < 3) return [0, 0, 0, 0];
  const [xs, ys] = [0, 1].map((axis) => n.filter((_, at) => at % 2 === axis));
  const low = (values) => values.reduce((a, b) => Math.min(a, b));
  const span = (values) => values.reduce((a, b) => Math.max(a, b)) - low(values);
  return [low(xs), low(ys), span(xs), span(ys)];
}

function viewport() {
  const seen = modeOf(document) === 'CSS1Compat' || !body ? root : body;
  const [width, height] = [clientWidth(seen), clientHeight(seen)];
  return { left: 0, top: 0, width, height, right: width, bottom: height };
}

// Depth first with an explicit stack: the shadow tree of an element, then its children.
function walk() {
  record(root, null, false);
  const stack = [];
  push(record(body, records[0], false), stack);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    const node = top.next;
    if (node === null) {
      stack.pop();
      continue;
    }
    top.next = nextSibling(node);
    if (++nodes > MAX_NODES) throw new Limit(`more than ${MAX_NODES} nodes`);
    visit(node, top, stack);
  }
}

function enter(owner, container) {
  return { owner, next: firstChild(container), shadow: container !== owner.element };
}

function visit(node, top, stack) {
  const { owner } = top;
  const list = top.shadow ? owner.shadowKids : owner.kids;
  if (nodeType(node) === TEXT) {
    list.push(node);
    if (!top.shadow) noteText(owner, node);
  } else if (nodeType(node) === ELEMENT) {
    const made = record(node, top.shadow ? null : owner, top.shadow || owner.shadow);
    if (records.length > 2 * MAX_ELEMENTS) throw new Limit(`more than ${MAX_ELEMENTS} elements`);
    made.host = top.shadow ? owner : null;
    list.push(made);
    if (!top.shadow) owner.elements.push(made);
    push(made, stack);
  }
}

function push(made, stack) {
  stack.push(enter(made, made.element));
  const tree = shadowOf(made.element);
  if (!tree) return;
  made.shadowKids = [];
  stack.push(enter(made, tree));
}

function noteText(owner, node) {
  owner.texts[AS_TEXT] = true;
  owner.texts[AS_LISTED] = owner.texts[AS_LISTED] || countsAsSize(nodeValue(node));
}

// White space between tags gives an element no size; a space alone does.
const countsAsSize = (text) => !/^\s+$/.test(text) || !/[\n\r\t]/.test(text);
