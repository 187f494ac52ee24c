// Whether a person could see an element.

const css = (entry, name) => entry.style.getPropertyValue(name);
const inHiddenVisibility = (entry) => {
  const value = css(entry, 'visibility');
  return value === 'hidden' || value === 'collapse';
};

// From the root down: rendered at all, opacity, and the containers that an element can overflow.
function inherit(entry) {
  const { parent } = entry;
  const displayed = entry.display !== 'none';
  const visible = css(entry, 'content-visibility') !== 'hidden';
  entry.views = VIEWS.map((view) => ({ rendered: displayed && (visible || view === AS_TEXT) && parentRenders(entry, view) }));
  entry.opacity = Number(css(entry, 'opacity')) * (parent ? parent.opacity : 1);
  const container = entry === records[0] || !(entry.display.startsWith('inline') || entry.display === 'contents');
  const fixedToIt = entry === records[0] || (container && entry.position !== 'static');
  entry.block = container ? entry : parent && parent.block;
  entry.positioned = fixedToIt ? entry : parent && parent.positioned;
  entry.clip = clipOf(entry);
  for (const view of VIEWS) entry.views[view].state = overflowState(entry, view);
}

function parentRenders(entry, view) {
  const { parent } = entry;
  if (entry.host) return view === AS_TEXT || entry.host.views[view].rendered;
  if (parent && parent.shadowKids) return slotRenders(entry, view);
  if (parent === null) return true;
  if (parent.tag === 'DETAILS' && !hasAttribute(parent.element, 'open') && entry.tag !== 'SUMMARY') return false;
  return parent.views[view].rendered;
}

// An element below a host is rendered with the parent of its slot, and not at all without a slot.
function slotRenders(entry, view) {
  const slot = slotOf(entry.element);
  if (!slot) return false;
  const above = recordOf.get(parentNode(slot));
  return above ? above.views[view].rendered : view === AS_TEXT || entry.parent.views[view].rendered;
}

// The nearest container on the way up that is not visible on both axes, and whether a fixed element
// was met on the way (its container is the root).
function clipOf(entry) {
  const next = containerOf(entry);
  if (!next) return null;
  const fixed = entry.position === 'fixed';
  const [x, y] = (next.overflow = next.overflow || overflowOf(next));
  if (x !== 'visible' || y !== 'visible') return { container: next, fixed };
  return next.clip && { container: next.clip.container, fixed: fixed || next.clip.fixed };
}

function containerOf(entry) {
  if (entry.position === 'fixed') return entry === records[0] ? null : records[0];
  if (!entry.parent) return null;
  return entry.position === 'absolute' ? entry.parent.positioned : entry.parent.block;
}

function overflowOf(entry) {
  const html = records[0];
  const passed = css(html, 'overflow') === 'visible';
  if (entry === records[1] && passed) return ['visible', 'visible'];
  const source = entry === html && passed && records[1] ? records[1] : entry;
  const values = [css(source, 'overflow-x'), css(source, 'overflow-y')];
  return entry === html ? values.map((value) => (value === 'visible' ? 'auto' : value)) : values;
}

// 'hidden', or '' for everything that can be scrolled into view or overflows nothing.
function overflowState(entry, view) {
  let fixed = false;
  for (let { clip } = entry; clip; clip = clip.container.clip) {
    if (++steps > MAX_STEPS) throw new Limit('too many nested containers with overflow');
    fixed = fixed || clip.fixed;
    const state = stateIn(entry.region, clip.container, fixed, view);
    if (state !== null) return state;
  }
  return '';
}

// The state decided by one container, or null if the rectangle lies inside it.
function stateIn(rect, container, fixed, view) {
  const [x, y] = container.overflow;
  const outer = container.region;
  if (outer.width === 0 || outer.height === 0) return 'hidden';
  const left = rect.right < outer.left;
  const above = rect.bottom < outer.top;
  if ((left && x === 'hidden') || (above && y === 'hidden')) return 'hidden';
  if ((left && x !== 'visible') || (above && y !== 'visible')) {
    return beyondOrigin(rect, container, view) ? 'hidden' : container.views[view].state;
  }
  const right = rect.left >= outer.left + outer.width;
  const under = rect.top >= outer.top + outer.height;
  if ((right && x === 'hidden') || (under && y === 'hidden')) return 'hidden';
  if ((right && x !== 'visible') || (under && y !== 'visible')) {
    return fixed && outsideDocument(rect, container) ? 'hidden' : container.views[view].state;
  }
  return null;
}

function scrollOf(container) {
  if (container === records[0]) return origin;
  return { x: scrollLeft(container.element), y: scrollTop(container.element) };
}

// For text both axes take the horizontal overflow.
function beyondOrigin(rect, container, view) {
  const scroll = scrollOf(container);
  const outer = container.region;
  const [x, y] = container.overflow;
  return (rect.right < outer.left - scroll.x && x !== 'visible') ||
    (rect.bottom < outer.top - scroll.y && (view === AS_TEXT ? x : y) !== 'visible');
}

// The right edge is compared with the height, a quirk of the reference.
function outsideDocument(rect, container) {
  const scroll = scrollOf(container);
  return rect.left >= scrollWidth(root) - scroll.x || rect.right >= scrollHeight(root) - scroll.y;
}

// From the leaves up: positive size, and hidden by overflow together with everything inside.
function gather(entry) {
  const { elements } = entry;
  const own = ownSize(entry);
  entry.hiding = inHiddenVisibility(entry);
  for (const view of VIEWS) {
    const mine = entry.views[view];
    const passes = own === null && css(entry, 'overflow') !== 'hidden' &&
      (view === AS_TEXT || (mine.rendered && !entry.hiding));
    mine.positive = own || (passes && (entry.texts[view] || elements.some((child) => child.views[view].positive)));
    mine.covered = mine.state === 'hidden' &&
      elements.every(({ views }) => views[view].covered || !views[view].positive);
  }
}

// Whether its own rectangle has a size; null: that is for its children to say.
function ownSize({ region, tag, style }) {
  if (region.width > 0 && region.height > 0) return true;
  if (tag !== 'PATH' || !(region.width > 0 || region.height > 0)) return null;
  return parseInt(style.getPropertyValue('stroke-width'), 10) > 0;
}

function shown(entry, view, ignoreOpacity = false) {
  const { tag } = entry;
  if (tag === 'BODY') return true;
  if (tag === 'OPTION' || tag === 'OPTGROUP') return shownSelect(entry, view);
  if (tag === 'MAP' || tag === 'AREA') return shownMap(entry, view, ignoreOpacity);
  if (tag === 'NOSCRIPT' || hiddenInput(entry) || entry.hiding) return false;
  const { rendered, positive, covered } = entry.views[view];
  return rendered && (ignoreOpacity || entry.opacity !== 0) && positive && !covered;
}

const isInput = ({ element }) => element instanceof HTMLInputElement;
const hiddenInput = (entry) => isInput(entry) && inputType(entry.element) === 'hidden';

function shownSelect(entry, view) {
  let above = entry.parent;
  while (above && above.tag !== 'SELECT') above = above.parent;
  return above !== null && shown(above, view, true);
}

// A map or area is shown with the image that uses the map, if its own part of it has a size.
function shownMap(entry, view, ignoreOpacity) {
  const user = recordOf.get(imageOf(entry));
  const { width, height } = entry.region;
  return user !== undefined && width > 0 && height > 0 && shown(user, view, ignoreOpacity);
}
