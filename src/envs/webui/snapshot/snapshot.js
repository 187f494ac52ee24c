// Reads one page into the facts that the element score needs, in one evaluation: a function
// expression without arguments that returns a JSON string. It changes nothing in the page, calls
// nothing of the page's own (run it in an isolated world) and reads the DOM through the getters of
// the prototypes, because a form or document with named children hides its own properties.
// The rules of "shown" and "text" are those of Selenium's is_displayed (4.51) and text (chromedriver).
// Text has its own, older idea of "shown": see the two views.
// Everything is computed in a few passes over arrays in document order: no recursion, so that deep
// trees cannot exhaust the stack, and each computed style and rectangle is read once.
(function () {
  'use strict';

  const MAX_ELEMENTS = 5000;
  const MAX_NODES = 100000;
  const MAX_CHARACTERS = 10000000;
  const MAX_STEPS = 20000000;

  const PROPERTIES = [
    'color', 'background-color', 'border-top-color', 'border-right-color', 'border-bottom-color',
    'border-left-color', 'outline-color', 'height', 'width', 'font-size', 'letter-spacing',
    'border-top-left-radius', 'border-top-right-radius', 'border-bottom-right-radius',
    'border-bottom-left-radius', 'border-top-width', 'border-right-width', 'border-bottom-width',
    'border-left-width', 'font-family', 'font-style', 'border-top-style', 'border-right-style',
    'border-bottom-style', 'border-left-style', 'outline-style', 'display', 'tab-size',
    'background-repeat', 'background-image', 'font-weight', 'outline-width', 'text-shadow',
    'box-shadow', 'background', 'background-size',
  ];

  class Limit extends Error {}

  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (object) => get.call(object);
  };
  const method = (type, name) => {
    const call = type.prototype[name];
    return (object, ...values) => call.apply(object, values);
  };
  const bodyOf = getter(Document, 'body');
  const rootOf = getter(Document, 'documentElement');
  const scrollerOf = getter(Document, 'scrollingElement');
  const modeOf = getter(Document, 'compatMode');
  const query = method(Document, 'querySelector');
  const tagOf = getter(Element, 'tagName');
  const attribute = method(Element, 'getAttribute');
  const attributeNames = method(Element, 'getAttributeNames');
  const hasAttribute = method(Element, 'hasAttribute');
  const bounds = method(Element, 'getBoundingClientRect');
  const below = method(Element, 'getElementsByTagName');
  const shadowOf = getter(Element, 'shadowRoot');
  const slotOf = getter(Element, 'assignedSlot');
  const slotOfText = getter(Text, 'assignedSlot');
  const assigned = method(HTMLSlotElement, 'assignedNodes');
  const offsetWidth = getter(HTMLElement, 'offsetWidth');
  const offsetHeight = getter(HTMLElement, 'offsetHeight');
  const inputValue = getter(HTMLInputElement, 'value');
  const inputType = getter(HTMLInputElement, 'type');
  const clientWidth = getter(Element, 'clientWidth');
  const clientHeight = getter(Element, 'clientHeight');
  const scrollWidth = getter(Element, 'scrollWidth');
  const scrollHeight = getter(Element, 'scrollHeight');
  const scrollLeft = getter(Element, 'scrollLeft');
  const scrollTop = getter(Element, 'scrollTop');
  const firstChild = getter(Node, 'firstChild');
  const nextSibling = getter(Node, 'nextSibling');
  const parentNode = getter(Node, 'parentNode');
  const baseOf = getter(Node, 'baseURI');
  const nodeType = getter(Node, 'nodeType');
  const nodeValue = getter(Node, 'nodeValue');
  const ATTRIBUTES = ['src', 'type', 'placeholder', 'value'];
  const ELEMENT = 1;
  const TEXT = 3;

  // What is listed follows the present rules. What contributes text follows older ones: they
  // ignore content-visibility, end at the root of a shadow tree, and count all text and children as sizes.
  const AS_LISTED = 0;
  const AS_TEXT = 1;
  const VIEWS = [AS_LISTED, AS_TEXT];

  const root = rootOf(document);
  const body = bodyOf(document);
  const records = [];
  const recordOf = new Map();
  const origin = scrollOrigin();
  let steps = 0;
  let nodes = 0;
  let characters = 0;

  // ---- the tree, as an array in document order -------------------------------------------------

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

  // ---- shown -----------------------------------------------------------------------------------

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

  // ---- text ------------------------------------------------------------------------------------

  const INLINE = new Set(['inline', 'inline-block', 'inline-table', 'none', 'table-cell', 'table-column', 'table-column-group']);
  const ROOT_CONTEXT = { shown: true, space: '', transform: '' };
  const slotFor = (kid) => (kid.element === undefined ? slotOfText(kid) : slotOf(kid.element));
  const BREAK = { kind: 'break' };
  const OPEN = { kind: 'open' };
  const CLOSE = { kind: 'close' };
  const CELL = { kind: 'cell' };
  const BLOCK_CELL = { kind: 'cell', block: true };

  // The text of the page as a list of tokens; each record keeps the range that is its own. What is
  // assigned to a slot stands at the slot, a slot's own content nowhere.
  function tokenize() {
    const tokens = [];
    for (const entry of records.slice(1)) {
      if (entry.from === undefined) tokenizeFrom(entry, tokens);
    }
    return tokens;
  }

  function tokenizeFrom(start, tokens) {
    const stack = [];
    pushElement(start, stack, tokens);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.at === top.list.length) {
        stack.pop();
        top.close(tokens);
      } else {
        pushItem(top.list[top.at++], top.context, stack, tokens);
      }
    }
  }

  // `item` is the record of an element or a text node; `context` belongs to the element around it.
  function pushItem(item, context, stack, tokens) {
    if (item.element === undefined || !recordOf.has(item.element)) {
      if (context.shown) tokens.push(textToken(item, context));
    } else if (item.shadow && item.tag === 'SLOT') {
      item.from = item.from ?? tokens.length;
      const list = assigned(item.element).map((node) => recordOf.get(node) || node);
      stack.push({ list, at: 0, context, close: () => (item.to = item.to ?? tokens.length) });
    } else {
      pushElement(item, stack, tokens);
    }
  }

  function pushElement(entry, stack, tokens) {
    entry.from = tokens.length;
    const block = entry.tag !== 'TD' && entry.tag !== 'BR' && !INLINE.has(entry.display);
    const context = { shown: shown(entry, AS_TEXT), space: css(entry, 'white-space'), transform: css(entry, 'text-transform') };
    if (entry.tag === 'BR') tokens.push(BREAK);
    const list = entry.tag === 'BR' ? [] : entry.kids.filter((kid) => !slotFor(kid));
    const open = { list: [], at: 0, context, close: () => finish(entry, block, tokens) };
    const begin = () => {
      if (block) tokens.push(OPEN);
      open.list = list;
    };
    stack.push(open);
    if (entry.shadowKids === null) begin();
    else stack.push({ list: entry.shadowKids, at: 0, context: ROOT_CONTEXT, close: begin });
  }

  function finish(entry, block, tokens) {
    const cell = entry.tag === 'TD' || entry.display === 'table-cell';
    if (entry.tag !== 'BR' && cell) tokens.push(block ? BLOCK_CELL : CELL);
    else if (block) tokens.push(CLOSE);
    entry.to = tokens.length;
  }

  function textToken(node, { space, transform }) {
    let text = nodeValue(node).replace(/[\u200b\u200e\u200f]/g, '').replace(/\r\n?/g, '\n');
    if (space === 'normal' || space === 'nowrap') text = text.replace(/\n/g, ' ');
    text = space === 'pre' || space === 'pre-wrap' ? text.replace(/[ \f\t\v\u2028\u2029]/g, '\xa0')
      : text.replace(/[ \f\t\v\u2028\u2029]+/g, ' ');
    text = transformed(text, transform);
    return { kind: 'text', text, blank: !/[^\s\xa0]/.test(text) };
  }

  function transformed(text, transform) {
    if (transform === 'uppercase') return text.toUpperCase();
    if (transform === 'lowercase') return text.toLowerCase();
    if (transform !== 'capitalize') return text;
    return text.replace(/(^|[^\d\p{L}\p{S}])([\p{Ll}|\p{S}])/gu, (_, before, letter) => before + letter.toUpperCase());
  }

  // Runs the tokens of one element from an empty page.
  function textOf(entry, tokens) {
    const page = { lines: [], line: null, blank: true };
    for (let at = entry.from; at < entry.to; at++) apply(page, tokens[at]);
    if ((steps += entry.to - entry.from) > MAX_STEPS) throw new Limit('too much nested text');
    return trim(page.lines.concat(page.line ?? []).map(trim).join('\n')).replaceAll('\xa0', ' ');
  }

  function apply(page, token) {
    if (token.kind === 'text') append(page, token);
    else if (token.kind === 'break') newLine(page);
    else if (token.kind === 'open') page.blank || newLine(page);
    else {
      const { blank } = page;
      if (token.kind === 'cell' && page.line && !page.line.endsWith(' ')) page.line += ' ';
      if ((token.kind === 'close' || token.block) && !blank) newLine(page);
    }
  }

  function newLine(page) {
    if (page.line !== null) page.lines.push(page.line);
    page.line = '';
    page.blank = true;
  }

  function append(page, { text, blank }) {
    const line = page.line ?? '';
    page.line = line + (line.endsWith(' ') && text.startsWith(' ') ? text.slice(1) : text);
    page.blank = page.blank && blank;
    spend(text);
  }

  // White space at both ends goes, no-break spaces stay.
  function trim(text) {
    const white = (at) => text[at] !== '\xa0' && /\s/.test(text[at]);
    let [from, to] = [0, text.length];
    while (from < to && white(from)) from++;
    while (to > from && white(to - 1)) to--;
    return text.slice(from, to);
  }

  // ---- what is returned ------------------------------------------------------------------------

  function spend(text) {
    characters += text.length;
    if (characters > MAX_CHARACTERS) throw new Limit(`more than ${MAX_CHARACTERS} characters`);
    return text.isWellFormed() ? text : text.toWellFormed();
  }

  const textAttribute = (element, name) => {
    const value = attribute(element, name);
    return value === null ? null : spend(value);
  };

  // Whole untransformed pixels for elements of HTML; what has none (SVG, br) has its rectangle.
  function sizeOf({ element, rect }) {
    if (!(element instanceof HTMLElement)) return rect;
    const [width, height] = [offsetWidth(element), offsetHeight(element)];
    return width || height ? { width, height } : rect;
  }

  function facts(entry, tokens) {
    const { element, rect } = entry;
    const filter = textAttribute(element, 'data-filter-by');
    const evalby = textAttribute(element, 'data-evalby');
    const visible = shown(entry, AS_LISTED);
    if (!visible && filter === null && evalby === null) return null;
    const { width, height } = sizeOf(entry);
    const made = {
      tag: spend(entry.tag.toLowerCase()), id: textAttribute(element, 'id') || '',
      x: finite(rect.left + origin.x), y: finite(rect.top + origin.y), w: finite(width), h: finite(height),
      descendants: entry.descendants, class: textAttribute(element, 'class') || '', filter, evalby,
    };
    if (!visible) return { ...made, shown: false };
    made.text = spend(textOf(entry, tokens));
    made.styles = PROPERTIES.map((name) => spend(css(entry, name)));
    made.html = entry.digest.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
    const attributes = ATTRIBUTES.filter((name) => hasAttribute(element, name) || (name === 'value' && isInput(entry)));
    if (attributes.length === 0) return made;
    made.attributes = Object.fromEntries(attributes.map((name) => [name, spend(attributeValue(entry, name))]));
    return made;
  }

  // What was typed into an input counts, not what its source says.
  function attributeValue(entry, name) {
    return name === 'value' && isInput(entry) ? inputValue(entry.element) : attribute(entry.element, name);
  }

  // From the leaves up: a digest of the source of an element, to see whether an interaction changed it.
  function digest(entry) {
    const { element } = entry;
    const attributes = attributeNames(element).map((name) => `${name}=${attribute(element, name)}`);
    entry.digest = hash([entry.tag, ...attributes].join('\0'), [0x2545f491, 0x0f2eb3a7]);
    for (const kid of entry.kids) {
      entry.digest = hash(kid.digest ? `<${kid.digest}` : `"${nodeValue(kid)}`, entry.digest);
    }
  }

  function hash(text, [first, second]) {
    if ((steps += text.length) > MAX_STEPS) throw new Limit('too much source');
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
      second ^= second >>> 13;
    }
    return [first ^ text.length, second];
  }

  function finite(number) {
    if (!Number.isFinite(number)) throw new Limit('an element has no finite box');
    return number;
  }

  // Elements of shadow trees lie between a host and its children and are not descendants.
  function countDescendants() {
    for (const entry of records) entry.descendants = 0;
    for (let at = records.length - 1; at > 0; at--) {
      const { parent, descendants } = records[at];
      if (parent) parent.descendants += descendants + 1;
    }
  }

  function readElements() {
    if (!(body instanceof HTMLBodyElement)) return [];
    const count = below(body, '*').length;
    if (count > MAX_ELEMENTS) throw new Limit(`${count} elements, at most ${MAX_ELEMENTS}`);
    walk();
    records.forEach(inherit);
    for (let at = records.length - 1; at >= 0; at--) {
      gather(records[at]);
      digest(records[at]);
    }
    countDescendants();
    const tokens = tokenize();
    const found = [];
    for (const entry of records) {
      const fact = entry.shadow || entry === records[0] || entry === records[1] ? null : facts(entry, tokens);
      if (fact) found.push(fact);
    }
    return found;
  }

  const page = {
    version: 1, viewport: [window.innerWidth, window.innerHeight],
    base: baseOf(document).replace(/[^/]*$/, ''),
    document: root ? [scrollWidth(root), scrollHeight(root)] : [0, 0],
    properties: PROPERTIES, elements: [], limit: null,
  };
  try {
    page.elements = readElements();
  } catch (error) {
    if (!(error instanceof Limit)) throw error;
    page.limit = error.message;
  }
  return JSON.stringify(page);
})
