// What is returned, and the limits.

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
