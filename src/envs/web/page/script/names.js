// Names by the accessible name computation (accname 1.2) with the steps of HTML-AAM 1.0 for native
// elements.

// The maximum number of characters of a name. What is longer ends with a mark.
const MOST_NAME = 1000;
// The maximum number of elements whose text from style sheets is read: that is slow.
const MOST_GENERATED = 6000;
// The maximum number of records that all names of a page read together: nested elements could make the work
// quadratic.
const MOST_WORK = 4000000;
const MOST_REFERENCES = 50;

function nameMaker(records, byElement) {
  let work = 0;
  let asked = 0;

  // The text of a referenced element; hidden ones count when they are referenced directly.
  function referenced(element, seen) {
    const label = attributeOf(element, 'aria-label');
    if (label && label.trim()) return label;
    const index = byElement.get(element);
    if (index === undefined) return hiddenText(element);
    return alternative(index, seen) ?? content(index, seen);
  }

  function hiddenText(element) {
    const tag = tagOf(element);
    if (tag === 'img') return attributeOf(element, 'alt') || '';
    return textOf(element).slice(0, 10 * MOST_NAME);
  }

  function labelledBy(element, seen) {
    const ids = attributeOf(element, 'aria-labelledby');
    if (!ids || seen.size > 0) return '';
    const root = rootOf(element);
    if (typeOf(root) !== DOCUMENT && typeOf(root) !== FRAGMENT) return '';
    const parts = [];
    for (const id of ids
      .split(/\s+/)
      .filter((word) => word)
      .slice(0, MOST_REFERENCES)) {
      const other = byId(root, id);
      if (other) parts.push(referenced(other, new Set([element])));
    }
    return collapse(parts.join(' '));
  }

  // What an element says by its attributes or as an embedded control; null if its content is to be
  // read.
  function alternative(index, seen) {
    const { element, tag } = records[index];
    const label = attributeOf(element, 'aria-label');
    if (label && label.trim()) return label;
    if (tag === 'img' || tag === 'area')
      return attributeOf(element, 'alt') ?? attributeOf(element, 'title') ?? '';
    if (tag === 'svg' && records[index].foreign)
      return drawingTitle(element) || attributeOf(element, 'title') || null;
    if (tag === 'input') {
      const type = element.type;
      if (type === 'button' || type === 'submit' || type === 'reset')
        return attributeOf(element, 'value') ?? defaultName(type);
      if (type === 'image') return attributeOf(element, 'alt') ?? '';
      if (
        type === 'checkbox' ||
        type === 'radio' ||
        type === 'password' ||
        type === 'hidden' ||
        type === 'file'
      )
        return '';
      return element.value;
    }
    if (tag === 'textarea') return element.value;
    if (tag === 'select') return chosenTexts(element).join(' ');
    if (tag === 'iframe' || tag === 'video' || tag === 'audio' || tag === 'canvas') return '';
    return null;
  }

  // The text inside of an element with the names of what is embedded there. Blocks are set off by
  // blanks.
  function content(index, seen) {
    const root = records[index];
    const parts = [];
    let length = 0;
    const ends = [];
    const add = (text) => {
      parts.push(text);
      length += text.length;
    };
    const close = (upTo) => {
      while (ends.length > 0 && ends[ends.length - 1].end <= upTo) {
        const { after, block } = ends.pop();
        if (after) add(after);
        if (block) add(' ');
      }
    };
    const [before, after] = generated(root);
    if (before) add(before);
    for (let at = index + 1; at < root.end;) {
      if (length > 4 * MOST_NAME || ++work > MOST_WORK) break;
      close(at);
      const record = records[at];
      if (record.element === null) {
        if (!record.hidden) add(record.text);
        at++;
        continue;
      }
      if (record.hidden && record.end === at + 1) {
        at++;
        continue;
      }
      if (record.tag === 'br') add(' ');
      const text = record.hidden ? null : labelledBy(record.element, seen) || alternative(at, seen);
      if (text !== null && text !== '') {
        if (record.block) add(' ');
        add(text);
        if (record.block) add(' ');
        at = record.end;
        continue;
      }
      const [first, last] = record.hidden ? ['', ''] : generated(record);
      if (record.block) add(' ');
      if (first) add(first);
      ends.push({ end: record.end, after: last, block: record.block });
      at++;
    }
    close(Infinity);
    if (after) add(after);
    return collapse(parts.join(''));
  }

  // Text that a style sheet adds before and after.
  function generated(record) {
    if (record.generated) return record.generated;
    if (record.foreign || record.tag === 'br' || ++asked > MOST_GENERATED) return NO_TEXTS;
    record.generated = [
      pseudoText(record.element, '::before'),
      pseudoText(record.element, '::after'),
    ];
    return record.generated;
  }

  function labelsText(element) {
    const labels = element.labels;
    if (!labels || labels.length === 0) return '';
    const parts = [];
    for (const label of Array.from(labels).slice(0, MOST_REFERENCES)) {
      const index = byElement.get(label);
      if (index === undefined) continue;
      const own = attributeOf(label, 'aria-label');
      parts.push(own && own.trim() ? own : labelContent(index, element));
    }
    return collapse(parts.join(' '));
  }

  // The content of a label without the control that it names.
  function labelContent(index, control) {
    const at = byElement.get(control);
    const record = at === undefined ? null : records[at];
    if (!record || at <= index || at >= records[index].end)
      return content(index, new Set([control]));
    const { tag } = record;
    record.tag = 'iframe';
    const text = content(index, new Set([control]));
    record.tag = tag;
    return text;
  }

  function childText(element, tag) {
    for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
      if (!isElement(node) || tagOf(node) !== tag) continue;
      const index = byElement.get(node);
      return index === undefined ? '' : content(index, new Set([element]));
    }
    return '';
  }

  function native(record, index) {
    const { element, tag } = record;
    switch (tag) {
      case 'input': {
        const type = element.type;
        const labels = labelsText(element);
        if (labels) return labels;
        if (type === 'button') return attributeOf(element, 'value') || '';
        if (type === 'submit' || type === 'reset')
          return attributeOf(element, 'value') ?? defaultName(type);
        if (type === 'image')
          return attributeOf(element, 'alt') || attributeOf(element, 'title') || 'Submit';
        return '';
      }
      case 'button':
      case 'select':
      case 'textarea':
      case 'meter':
      case 'progress':
      case 'output':
        return labelsText(element);
      case 'img':
      case 'area':
        return attributeOf(element, 'alt') || '';
      case 'svg':
        return drawingTitle(element);
      case 'fieldset':
        return childText(element, 'legend');
      case 'table':
        return childText(element, 'caption');
      case 'figure':
        return childText(element, 'figcaption');
      case 'optgroup':
        return attributeOf(element, 'label') || '';
      default:
        return record.foreign ? drawingTitle(element) : '';
    }
  }

  // The name of the record with this role, and whether it is its content.
  function nameOf(index, role) {
    const record = records[index];
    const { element } = record;
    const by = labelledBy(element, new Set());
    if (by) return [by, false];
    const label = attributeOf(element, 'aria-label');
    if (label && label.trim()) return [collapse(label), false];
    if (role !== 'none') {
      const own = collapse(native(record, index));
      if (own)
        return [
          own,
          record.tag === 'fieldset' || record.tag === 'table' || record.tag === 'figure',
        ];
    }
    if (NAMED_BY_CONTENT.has(role)) {
      const text = content(index, new Set());
      if (text) return [text, true];
    }
    const title = attributeOf(element, 'title');
    if (title && title.trim()) return [collapse(title), false];
    const hint = attributeOf(element, 'placeholder') ?? attributeOf(element, 'aria-placeholder');
    return [hint ? collapse(hint) : '', false];
  }

  return { nameOf, content };
}

const NO_TEXTS = ['', ''];

function pseudoText(element, which) {
  const { content } = getComputedStyle(element, which);
  if (!content || content === 'none' || content === 'normal' || !content.includes('"')) return '';
  const slash = content.indexOf('" / "');
  const source = slash >= 0 ? content.slice(slash + 4) : content;
  const texts = source.match(/"(?:[^"\\]|\\.)*"/g) || [];
  // Private characters are signs of fonts.
  return texts
    .map((text) =>
      text
        .slice(1, -1)
        .replace(/\\(.)/g, '$1')
        .replace(/[\ue000-\uf8ff]/g, ''),
    )
    .join('');
}

function defaultName(type) {
  return type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : '';
}

function drawingTitle(element) {
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
    if (isElement(node) && localNameOf(node) === 'title') return textOf(node);
  }
  return '';
}

function chosenTexts(select) {
  return Array.from(select.selectedOptions, (option) => option.label);
}
