// Reads one page into the facts that the score needs, in one evaluation that returns a JSON string.
// This is the first of the pieces that script.rs joins to one function expression. It changes nothing in the page, calls
// nothing of the page's own (run it in an isolated world) and reads the DOM through the getters of
// the prototypes, because a form or document with named children hides its own properties.
// The rules of "shown" and "text" are those of Selenium's is_displayed (4.51) and text (chromedriver).
// Text has its own, older idea of "shown": see the two views.
// Everything is computed in a few passes over arrays in document order: no recursion, so that deep
// trees cannot exhaust the stack, and each computed style and rectangle is read once.

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
