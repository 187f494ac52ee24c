// The first piece of every function that runs in a page. The functions run in a world of their own,
// so the page's scripts
// cannot change what they call; the DOM is read through the getters of the prototypes, because a
// form or a
// document with named children hides its own properties. Nothing in the page is changed but by what
// acts say.
// Trees are walked with lists, not by recursion: a page may be deeper than the stack.

const getter = (type, name) => {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
  return (object) => get.call(object);
};
const method = (type, name) => {
  const call = type.prototype[name];
  return (object, value) => call.call(object, value);
};
const parentOf = getter(Node, 'parentNode');
const firstChildOf = getter(Node, 'firstChild');
const nextSiblingOf = getter(Node, 'nextSibling');
const typeOf = getter(Node, 'nodeType');
const valueOfNode = getter(Node, 'nodeValue');
const textOf = getter(Node, 'textContent');
const rootOf = method(Node, 'getRootNode');
const isConnected = getter(Node, 'isConnected');
const localNameOf = getter(Element, 'localName');
const namespaceOf = getter(Element, 'namespaceURI');
const attributeOf = method(Element, 'getAttribute');
const hasAttribute = method(Element, 'hasAttribute');
const matches = method(Element, 'matches');
const closest = method(Element, 'closest');
const boundsOf = method(Element, 'getBoundingClientRect');
const boundsListOf = method(Element, 'getClientRects');
const shadowOf = getter(Element, 'shadowRoot');
const slotOf = getter(Element, 'assignedSlot');
const slotOfText = getter(Text, 'assignedSlot');
const assignedTo = method(HTMLSlotElement, 'assignedNodes');
const hostOf = getter(ShadowRoot, 'host');
const documentElementOf = getter(Document, 'documentElement');
const titleOf = getter(Document, 'title');
const scrollerOf = getter(Document, 'scrollingElement');
const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
const DOCUMENT = 9;
const FRAGMENT = 11;
const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

const isElement = (node) => typeOf(node) === ELEMENT;
const tagOf = (element) => localNameOf(element).toLowerCase();

// The first match of a selector in a document or a shadow root; null if the selector is invalid.
function firstMatch(root, selector) {
  const query = typeOf(root) === DOCUMENT ? Document : DocumentFragment;
  try {
    return query.prototype.querySelector.call(root, selector);
  } catch {
    return null;
  }
}

function allMatches(root, selector) {
  const query = typeOf(root) === DOCUMENT ? Document : DocumentFragment;
  try {
    return query.prototype.querySelectorAll.call(root, selector);
  } catch {
    return [];
  }
}

function byId(root, id) {
  const query = typeOf(root) === DOCUMENT ? Document : DocumentFragment;
  return query.prototype.getElementById.call(root, id);
}

// The parent as it is drawn: slots and hosts of shadow trees included.
function drawnParentOf(node) {
  const slot =
    typeOf(node) === TEXT ? slotOfText(node) : typeOf(node) === ELEMENT ? slotOf(node) : null;
  if (slot) return slot;
  const parent = parentOf(node);
  if (parent && typeOf(parent) === FRAGMENT && parent instanceof ShadowRoot) return hostOf(parent);
  return parent && isElement(parent) ? parent : null;
}

// The children as they are drawn.
function drawnChildrenOf(element) {
  const tag = localNameOf(element);
  if (tag === 'slot' && namespaceOf(element) === HTML) {
    const assigned = assignedTo(element);
    if (assigned.length > 0) return assigned;
  }
  const children = [];
  const start = shadowOf(element) || element;
  for (let node = firstChildOf(start); node; node = nextSiblingOf(node)) children.push(node);
  return children;
}

function isDrawnInside(node, ancestor) {
  for (let at = node; at; at = drawnParentOf(at)) if (at === ancestor) return true;
  return false;
}

const collapse = (text) => text.replace(/\s+/g, ' ').trim();
const whole = (text) => text.toWellFormed();
const rounded = (value) => Math.round(value * 100) / 100;

// The relation of the world to the page: what was numbered at the last reading.
const WORLD = 'mageyardReading';

// The element with this key, or why there is none.
function numbered(argument) {
  const reading = globalThis[WORLD];
  if (!reading) return { refused: 'document' };
  if (reading.id !== argument.reading) return { refused: 'reading' };
  const found = reading.entries[argument.key];
  if (!found || !found.element) return { refused: 'absent' };
  if (!isConnected(found.element)) return { refused: 'removed' };
  return found;
}
