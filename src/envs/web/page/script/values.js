// What is typed or chosen, and states worth a word.

const LISTED_VALUES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'spinbutton',
  'slider',
  'date',
  'time',
  'datetime',
  'month',
  'week',
  'color',
  'progressbar',
  'meter',
  'file',
  'scrollbar',
]);

// What is typed or chosen; null if nothing is.
function valueOf(record, role) {
  const { element, tag } = record;
  if (!LISTED_VALUES.has(role)) return null;
  let value = '';
  if (tag === 'input') {
    if (element.type === 'password') value = '•'.repeat(element.value.length);
    else if (element.type === 'file')
      value = Array.from(element.files || [], (file) => file.name).join(', ');
    else value = element.value;
  } else if (tag === 'textarea') value = element.value;
  else if (tag === 'select') value = chosenTexts(element).join(', ');
  else if (tag === 'progress' || tag === 'meter')
    value = hasAttribute(element, 'value') ? String(element.value) : '';
  else if (isEditingHost(element)) value = textOf(element);
  else
    value = attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow') ?? '';
  value = collapse(value);
  return value === '' ? null : value;
}

const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);

function statesOf(record, role) {
  const { element, tag } = record;
  const states = [];
  const is = (name, value = 'true') => attributeOf(element, name) === value;
  if (CHECKABLE.has(role)) {
    const native = tag === 'input' && (element.type === 'checkbox' || element.type === 'radio');
    if (native ? element.indeterminate : is('aria-checked', 'mixed')) states.push('mixed');
    else if (native ? element.checked : is('aria-checked')) states.push('checked');
  }
  if (is('aria-selected')) states.push('selected');
  if (is('aria-pressed')) states.push('pressed');
  if (is('aria-pressed', 'mixed')) states.push('mixed');
  if (
    hasAttribute(element, 'aria-current') &&
    !is('aria-current', 'false') &&
    !is('aria-current', '')
  )
    states.push('current');
  if (tag === 'summary')
    states.push(hasAttribute(parentOf(element), 'open') ? 'expanded' : 'collapsed');
  else if (is('aria-expanded')) states.push('expanded');
  else if (is('aria-expanded', 'false')) states.push('collapsed');
  if (isDisabled(element)) states.push('disabled');
  if (INTERACTIVE.has(role)) {
    if (hasAttribute(element, 'required') || is('aria-required')) states.push('required');
    if (
      (tag === 'input' || tag === 'textarea') &&
      element.readOnly &&
      role !== 'checkbox' &&
      role !== 'radio'
    )
      states.push('readonly');
    else if (is('aria-readonly')) states.push('readonly');
    if (is('aria-invalid')) states.push('invalid');
  }
  return states;
}
