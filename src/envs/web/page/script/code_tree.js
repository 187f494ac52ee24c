// The tree of the released code of WebCanvas (0.0.3), made from the DOM of the main document. It
// parses the
// HTML of the page again with libxml2; what that changes is imitated where it is known: unknown
// void elements
// contain what follows them, and the content of templates, `noscript` and frames is part of the
// page.

const VALID_TAGS = new Set(
  (
    'button a input select textarea option datalist label div span p th tr td ul li h1 h2 ' +
    'h3 h4 h5 h6 filter-chip sup ' +
    'select-label optgroup'
  ).split(' '),
);
// Elements without a role whose text belongs to the parent.
const PASSED_ON = new Set(['span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'li', 'ul', 'p']);
const BY_ROLE = new Set(['span', 'td', 'th', 'tr', 'li', 'div', 'label', 'filter-chip']);
const CODE_ROLES = {
  button: 'button',
  link: 'link',
  menuitem: 'link',
  textbox: 'input',
  checkbox: 'checkbox',
  radio: 'radio',
  tab: 'link',
  switch: 'switch',
  option: 'option',
  row: 'row',
  'search-box': 'search-box',
};
const CAN_BE_DISABLED = new Set(['button', 'input', 'textarea', 'select', 'option']);
const SWALLOWING = new Set(['source', 'track', 'wbr', 'embed']);
const RAW_CONTENT = new Set(['noscript', 'iframe', 'noembed', 'noframes']);
// The depth from which lines are not indented further: parsers of HTML nest no deeper.
const DEEPEST_CODE = 512;

// Python's strip().
const BLANKS =
  ' \\t\\n\\v\\f\\r\\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const EDGES = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, 'g');
const strip = (text) => text.replace(EDGES, '');

// The tree as the released code has it: plain nodes in document order.
function codeNodes() {
  const nodes = [];
  const html = documentElementOf(document);
  if (!html) return nodes;
  const stack = [{ dom: html, parent: -1 }];
  while (stack.length > 0) {
    const { dom, parent, rest } = stack.pop();
    const index = nodes.length;
    const above = parent < 0 ? null : nodes[parent];
    const node = codeNode(dom, parent, above);
    nodes.push(node);
    const children = node.comment ? [] : contentOf(dom);
    if (node.text === null) node.text = leadingText(children);
    let inside = children.filter((child) => typeOf(child) === ELEMENT || typeOf(child) === COMMENT);
    if (rest) inside = inside.concat(rest);
    const swallow = inside.findIndex(
      (child) => typeOf(child) === ELEMENT && SWALLOWING.has(tagOf(child)),
    );
    if (swallow >= 0 && swallow + 1 < inside.length) {
      const followers = inside.splice(swallow + 1);
      stack.push({ dom: inside[swallow], parent: index, rest: followers });
      inside.pop();
    }
    for (let at = inside.length - 1; at >= 0; at--) stack.push({ dom: inside[at], parent: index });
  }
  return nodes;
}

function codeNode(dom, parent, above) {
  const comment = typeOf(dom) === COMMENT;
  return {
    dom,
    comment,
    parent,
    tag: comment ? '' : tagOf(dom),
    depth: above ? above.depth + 1 : 1,
    text: comment ? '' : null,
    valid: false,
  };
}

// The child nodes, with what a parser without scripts would see.
function contentOf(dom) {
  const tag = tagOf(dom);
  let start = dom;
  if (tag === 'template' && dom.content) start = dom.content;
  else if (RAW_CONTENT.has(tag) && textOf(dom).includes('<')) {
    start = new DOMParser().parseFromString(`<body>${textOf(dom)}`, 'text/html').body || dom;
  }
  const children = [];
  for (let node = firstChildOf(start); node; node = nextSiblingOf(node)) children.push(node);
  return children;
}

// The text before the first child; blanks count, comments are children.
function leadingText(children) {
  let text = '';
  for (const child of children) {
    if (typeOf(child) !== TEXT) break;
    text += valueOfNode(child);
  }
  return text;
}

const codeAttribute = (node, name) => (node.comment ? null : attributeOf(node.dom, name));

// The name of an element, or 'unknown'.
function codeName(node) {
  const { tag } = node;
  if (tag === 'input') {
    const type = codeAttribute(node, 'type');
    return type === 'checkbox' || type === 'radio' || type === 'button' ? type : 'input';
  }
  if (['select', 'optgroup', 'textarea', 'option', 'datalist', 'button'].includes(tag)) return tag;
  if (tag === 'a') return 'link';
  const role = BY_ROLE.has(tag) ? codeAttribute(node, 'role') : null;
  return role && Object.hasOwn(CODE_ROLES, role) ? CODE_ROLES[role] : 'unknown';
}

class Unreadable extends Error {}

function isValidInCode(node) {
  if (!VALID_TAGS.has(node.tag)) return false;
  const name = codeName(node);
  if (name === 'input' && codeAttribute(node, 'type') === 'hidden') return false;
  if (CAN_BE_DISABLED.has(name) && codeAttribute(node, 'disabled')) return false;
  const style = codeAttribute(node, 'style') || '';
  if (style.includes('display: none') || style.includes('opacity: 0')) return false;
  if (codeAttribute(node, 'aria-hidden') === 'true') return false;
  if (style.includes('visibility: hidden') || style.includes('visibility: collapse')) return false;
  // An attribute of this name stops the released code, which then has no observation.
  if (codeAttribute(node, 'rect')) throw new Unreadable();
  return true;
}

function codeLabel(node) {
  if (node.text) return node.text;
  for (const name of ['title', 'placeholder', 'aria-label', 'aria-checked']) {
    const value = codeAttribute(node, name);
    if (value) return value;
  }
  if (codeAttribute(node, 'type') === 'submit') return 'submit';
  return node.tag === 'select' ? 'Select an option value' : '';
}

// The element that a text belongs to, with its name; null if the text is dropped.
function codeOwner(nodes, node) {
  for (let at = node; at; at = nodes[at.parent]) {
    const name = codeName(at);
    if (name !== 'unknown') return { owner: at, name };
    if (!PASSED_ON.has(at.tag)) return null;
  }
  return null;
}

function codeTree(most) {
  const empty = { rows: [], entries: [], frames: [], beyond: 0, empty: true };
  const nodes = codeNodes();
  try {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index];
      if (!node.valid && !isValidInCode(node)) continue;
      node.valid = true;
      if (node.parent >= 0) nodes[node.parent].valid = true;
    }
  } catch (error) {
    if (error instanceof Unreadable) return empty;
    throw error;
  }
  if (nodes.length === 0 || !nodes[0].valid) return empty;
  const tree = { rows: [], entries: [], frames: [], beyond: 0, empty: false };
  for (const node of nodes) {
    if (!node.valid || node.comment) continue;
    const label = strip(codeLabel(node).replace(/[\n\t]/g, ''));
    const found = label === '' ? null : codeOwner(nodes, node);
    if (found) listInCode(tree, node, label, found, most);
  }
  return tree;
}

function listInCode(tree, node, label, { owner, name }, most) {
  if (most > 0 && tree.rows.length >= most) {
    tree.beyond++;
    return;
  }
  const alive = isConnected(owner.dom);
  const drawn =
    owner.tag === 'option' || owner.tag === 'optgroup'
      ? closest(owner.dom, 'select') || owner.dom
      : owner.dom;
  const rect = alive ? box(boundsOf(drawn)) : [0, 0, 0, 0];
  const depth = Math.min(node.depth, DEEPEST_CODE) - 1;
  tree.rows.push({
    kind: 'element',
    role: name,
    label: cut(label),
    tag: owner.tag,
    rect,
    acts: true,
    depth,
    key: tree.entries.length,
  });
  tree.entries.push({ element: owner.dom });
}
