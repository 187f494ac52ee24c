// Selectors and paths of one element.

const PASSED = new Set(['span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'li', 'ul', 'p']);

const elementParentOf = (element) => {
  const parent = parentOf(element);
  return parent && isElement(parent) ? parent : null;
};

// Its position among the siblings of its tag and all siblings, from 1, with the number of the
// former.
function positionOf(element) {
  const parent = parentOf(element);
  const tag = localNameOf(element);
  const position = { ofTag: 0, tags: 0 };
  for (let node = parent ? firstChildOf(parent) : element; node; node = nextSiblingOf(node)) {
    if (!isElement(node) || localNameOf(node) !== tag) continue;
    position.tags++;
    if (node === element) position.ofTag = position.tags;
  }
  return position;
}

// A selector that finds exactly this element in its document or shadow tree, by attributes that
// rarely change if there are such; null if none does.
function selectorOf(element) {
  const root = rootOf(element);
  const tag = CSS.escape(localNameOf(element));
  const isExact = (selector) => {
    const found = allMatches(root, selector);
    return found.length === 1 && found[0] === element;
  };
  const written = (name) => `[${name}=${quoted(attributeOf(element, name))}]`;
  const id = attributeOf(element, 'id');
  if (id && isExact(`#${CSS.escape(id)}`)) return `#${CSS.escape(id)}`;
  for (const name of ['data-testid', 'name', 'aria-label', 'href', 'alt', 'title', 'value']) {
    if (
      attributeOf(element, name) &&
      attributeOf(element, name).length <= 200 &&
      isExact(tag + written(name))
    )
      return tag + written(name);
  }
  let path = '';
  for (let at = element; at; at = elementParentOf(at)) {
    const its = attributeOf(at, 'id');
    const start = its ? `#${CSS.escape(its)}` : null;
    if (start && at !== element && allMatches(root, start).length === 1 && isExact(start + path))
      return start + path;
    const name = CSS.escape(localNameOf(at));
    const { ofTag, tags } = positionOf(at);
    path = ` > ${name}${tags > 1 ? `:nth-of-type(${ofTag})` : ''}${path}`;
  }
  const selector = path.slice(3);
  if (isExact(selector)) return selector;
  // In a shadow tree a path may match deeper elements too: its first element has no parent.
  const anchored = selector.replace(/^[^ ]+/, (first) => `${first}:not(* > *)`);
  return isExact(anchored) ? anchored : null;
}

const quoted = (text) =>
  `"${text.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`;

function pathOf(element) {
  let path = '';
  for (let at = element; at; at = elementParentOf(at)) {
    const { ofTag } = positionOf(at);
    const name =
      namespaceOf(at) === HTML ? localNameOf(at) : `*[name()='${at.nodeName.replace(/'/g, '')}']`;
    const isRoot = !elementParentOf(at) && typeOf(parentOf(at) || at) === DOCUMENT;
    path = `/${name}${isRoot ? '' : `[${ofTag}]`}${path}`;
  }
  return path;
}

// The selector that the released code makes: it may find another element or none. Null where it
// makes none.
function codeSelectorOf(element) {
  let selector = '';
  for (let at = element; ; at = elementParentOf(at)) {
    const parent = elementParentOf(at);
    const tag = tagOf(at);
    if (!parent) return tag + selector;
    const id = attributeOf(at, 'id');
    if (id) {
      const name = codeEscaped(id);
      return name === null ? null : `#${name}${selector}`;
    }
    const part = codePart(at, parent, tag);
    if (part === null) return null;
    selector = ` > ${part}${selector}`;
  }
}

// The part of one element: its tag, the tag with its class, or its place among the siblings,
// comments included.
function codePart(element, parent, tag) {
  const own = attributeOf(element, 'class');
  let place = 0;
  let count = 0;
  let sameTag = false;
  let sameClass = false;
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    if (!isElement(node) && typeOf(node) !== COMMENT) continue;
    count++;
    if (node === element) {
      place = count;
      continue;
    }
    if (!isElement(node)) continue;
    if (tagOf(node) === tag) sameTag = true;
    if (own && attributeOf(node, 'class') === own) sameClass = true;
  }
  if (!sameTag) return tag;
  if (!own || sameClass) return `${tag}:nth-child(${place})`;
  const name = codeEscaped(own);
  return name === null ? null : `${tag}.${name}`;
}

function codeEscaped(text) {
  const words = text.split(/[\s\x1c-\x1f\x85]+/).filter((word) => word);
  if (words.length === 0) return null;
  const escaped = words
    .join(' ')
    .replace(/[#.>+~[\]():*^$|=%@!']/g, '\\$&')
    .replaceAll(' ', '.');
  const first = String.fromCodePoint(escaped.codePointAt(0));
  if (!/\p{Nd}|[²³¹⁰⁴-⁹₀-₉]/u.test(first)) return escaped;
  return `\\${first.codePointAt(0).toString(16).toUpperCase()} ${escaped.slice(first.length)}`;
}
