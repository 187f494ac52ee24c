// Roles by HTML-AAM 1.0 and WAI-ARIA 1.2, in the words that the lines have.

const ARIA_ROLES = new Set(
  (
    'alert alertdialog article banner button cell checkbox columnheader combobox ' +
    'complementary contentinfo dialog document feed ' +
    'figure form grid gridcell group heading img link list listbox listitem log main ' +
    'marquee math menu menubar menuitem ' +
    'menuitemcheckbox menuitemradio meter navigation note option progressbar radio ' +
    'radiogroup region row rowheader ' +
    'scrollbar search searchbox separator slider spinbutton status switch tab table ' +
    'tablist tabpanel term textbox ' +
    'timer toolbar tooltip tree treegrid treeitem none presentation generic'
  ).split(' '),
);
const INPUT_ROLES = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
  file: 'file',
  color: 'color',
  date: 'date',
  time: 'time',
  'datetime-local': 'datetime',
  month: 'month',
  week: 'week',
};
const TAG_ROLES = {
  button: 'button',
  summary: 'button',
  textarea: 'textbox',
  progress: 'progressbar',
  meter: 'meter',
  nav: 'navigation',
  main: 'main',
  aside: 'complementary',
  dialog: 'dialog',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  table: 'table',
  caption: 'caption',
  ul: 'list',
  ol: 'list',
  menu: 'list',
  li: 'listitem',
  fieldset: 'group',
  optgroup: 'group',
  option: 'option',
  article: 'article',
  figure: 'figure',
  form: 'form',
  output: 'status',
  search: 'search',
  hr: 'separator',
  video: 'video',
  audio: 'audio',
  iframe: 'frame',
  frame: 'frame',
  math: 'math',
  address: 'group',
  hgroup: 'group',
};
// Roles that take their name from their content.
const NAMED_BY_CONTENT = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox ' +
    'menuitemradio option radio row rowheader ' +
    'switch tab tooltip treeitem'
  ).split(' '),
);
// Roles that a person operates.
const INTERACTIVE = new Set(
  (
    'button checkbox color combobox date datetime file link listbox menuitem ' +
    'menuitemcheckbox menuitemradio month option radio ' +
    'searchbox slider spinbutton switch tab textbox time treeitem week'
  ).split(' '),
);
// Roles that are listed without a name too; others only with one.
const ALWAYS_LISTED = new Set(
  (
    'alert alertdialog audio banner button cell checkbox color columnheader combobox ' +
    'complementary contentinfo date datetime dialog ' +
    'file form frame grid gridcell heading link listbox main menu menubar menuitem ' +
    'menuitemcheckbox menuitemradio meter month ' +
    'navigation option progressbar radio radiogroup rowheader search searchbox slider ' +
    'spinbutton status switch ' +
    'tab table tablist tabpanel textbox time toolbar tooltip tree treegrid treeitem video week'
  ).split(' '),
);
// Landmarks that lose their role inside of these.
const SECTIONS = 'article, aside, main, nav, section';

function isSelectBox(element) {
  return !hasAttribute(element, 'multiple') && !(Number(attributeOf(element, 'size')) > 1);
}

function inputRole(element) {
  const type = element.type;
  const listed = hasAttribute(element, 'list');
  if (listed && ['text', 'search', 'tel', 'url', 'email'].includes(type)) return 'combobox';
  if (type === 'checkbox' && hasAttribute(element, 'switch')) return 'switch';
  return INPUT_ROLES[type] || 'textbox';
}

// The role of the table around a cell decides that of the cell.
function cellRole(element, tag) {
  if (tag === 'th') {
    const scope = (attributeOf(element, 'scope') || '').toLowerCase();
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    const row = parentOf(element);
    return row && rowIsHeader(row) ? 'columnheader' : 'rowheader';
  }
  const table = closest(element, 'table');
  const role = table && explicitRole(table);
  return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
}

function rowIsHeader(row) {
  for (let node = firstChildOf(row); node; node = nextSiblingOf(node)) {
    if (isElement(node) && tagOf(node) === 'td') return false;
  }
  return true;
}

function explicitRole(element) {
  const written = attributeOf(element, 'role');
  if (!written) return null;
  for (const word of written.toLowerCase().split(/\s+/)) {
    if (ARIA_ROLES.has(word)) return word === 'image' ? 'img' : word;
    if (word === 'image') return 'img';
  }
  return null;
}

function nativeRole(element, tag) {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(element, 'href') ? 'link' : '';
    case 'input':
      return inputRole(element);
    case 'select':
      return isSelectBox(element) ? 'combobox' : 'listbox';
    case 'img':
      return attributeOf(element, 'alt') === '' && !hasAttribute(element, 'title') ? 'none' : 'img';
    case 'svg':
      return 'img';
    case 'header':
      return closest(element, SECTIONS) ? '' : 'banner';
    case 'footer':
      return closest(element, SECTIONS) ? '' : 'contentinfo';
    case 'section':
      return isNamed(element) ? 'region' : '';
    case 'form':
      return isNamed(element) ? 'form' : '';
    case 'tr':
    case 'td':
    case 'th': {
      const table = closest(element, 'table');
      const written = table && explicitRole(table);
      if (!table || written === 'none' || written === 'presentation') return '';
      return tag === 'tr' ? 'row' : cellRole(element, tag);
    }
    case 'summary': {
      const parent = parentOf(element);
      return parent && isElement(parent) && tagOf(parent) === 'details' ? 'button' : '';
    }
    default:
      return Object.hasOwn(TAG_ROLES, tag) ? TAG_ROLES[tag] : '';
  }
}

function isNamed(element) {
  return (
    hasAttribute(element, 'aria-label') ||
    hasAttribute(element, 'aria-labelledby') ||
    hasAttribute(element, 'title')
  );
}

function isFocusable(element, tag) {
  if (hasAttribute(element, 'tabindex')) return true;
  if (tag === 'a') return hasAttribute(element, 'href');
  return (
    ['button', 'input', 'select', 'textarea', 'summary'].includes(tag) &&
    !matches(element, ':disabled')
  );
}

// The role of an element: 'none' if it has none on purpose, '' if it is generic.
function roleOf(element, tag) {
  const written = explicitRole(element);
  const named =
    written !== null &&
    (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby'));
  if (written && written !== 'none' && written !== 'presentation' && written !== 'generic') {
    if ((written === 'region' || written === 'form') && !named && !hasAttribute(element, 'title'))
      return nativeRole(element, tag);
    return written === 'document' ? '' : written;
  }
  // A focusable or named element keeps its role.
  const native =
    namespaceOf(element) === HTML || tag === 'svg'
      ? nativeRole(element, tag)
      : foreignRole(element, tag);
  if (written && written !== 'generic' && !named && !isFocusable(element, tag)) return 'none';
  if (native === '' && isEditingHost(element)) return 'textbox';
  return native;
}

function foreignRole(element, tag) {
  return tag === 'a' && (hasAttribute(element, 'href') || hasAttribute(element, 'xlink:href'))
    ? 'link'
    : '';
}

function isEditingHost(element) {
  const value = attributeOf(element, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false';
}
