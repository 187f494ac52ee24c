// What a person does in the document, as it happens. Only what the browser got from a device counts:
// events that scripts make are not trusted, and trusted ones that scripts can cause (such as those
// of `label.click()` or `execCommand`) are distinguished from real ones by the
// pointer or the keys before them.

// How long after a key or a paste a change of a text is that of the person, in milliseconds.
const RECENT = 1000;
// The most elements of a document in which names are computed: that takes a while.
const MOST_NAMED = 20000;
// The most characters of a text. What is longer is reported without it.
const MOST_TEXT = 20000;
const countOf = method(Document, 'getElementsByTagName');
// Fields whose text no script can type.
const PICKED = new Set(['date', 'month', 'week', 'time', 'datetime-local', 'color', 'range']);
// Inputs that have no text.
const PRESSED = new Set([
  'checkbox',
  'radio',
  'button',
  'submit',
  'reset',
  'image',
  'file',
  'hidden',
]);
// What a person operates by touching something inside.
const AROUND = `${OPERATED}, label, select, input, textarea, [contenteditable]`;

function watchTouches({ paths }, report) {
  // The last key or pointer of the person.
  let last = { target: null, key: null, at: -Infinity };
  let released = { target: null, at: -Infinity };

  const targetOf = (event) =>
    event.composedPath().find((node) => node instanceof Node && isElement(node)) || null;
  const isRecent = (target) => last.target === target && performance.now() - last.at < RECENT;

  function send(verb, element, text, option) {
    const related = (reference) => touchRelation(reference, element, option);
    const known = text !== null && text.length > MOST_TEXT ? null : text;
    const touch = {
      verb,
      text: known,
      cut: known !== text,
      role: roleOf(element, tagOf(element)),
      label: verb === 'fill_form' ? '' : labelOf(element),
      element: factsOf(element, paths, related, option),
    };
    report(JSON.stringify(touch, (_, value) => (typeof value === 'string' ? whole(value) : value)));
  }

  function clicked(event) {
    const target = targetOf(event);
    if (!target) return;
    const byKey = (last.key === 'Enter' || last.key === ' ') && isRecent(target);
    if (event.detail > 0 ? isPressed(target) : byKey) send('click', target, null, null);
  }

  // Whether the pointer was released on it, or on its label. A label passes clicks on, those that
  // scripts have made too, and the control then gets a trusted one.
  function isPressed(target) {
    const under = released.target;
    if (!under || performance.now() - released.at >= RECENT) return false;
    const label = closest(under, 'label');
    return isDrawnInside(under, target) || (label !== null && label.control === target);
  }

  function changed(event) {
    const target = targetOf(event);
    if (!target) return;
    const tag = tagOf(target);
    if (tag === 'select') {
      if (event.type !== 'change') return;
      const option = target.selectedOptions[0] || null;
      send('select_option', target, option ? option.text : '', option);
      return;
    }
    if (event.type !== 'input' || (tag === 'input' && PRESSED.has(target.type))) return;
    const isPicked = tag === 'input' && PICKED.has(target.type);
    if (!isPicked && !isRecent(target)) return;
    const isField = tag === 'input' || tag === 'textarea';
    send('fill_form', target, isField ? target.value : textOf(target), null);
  }

  function focused(event) {
    const target = targetOf(event);
    const byKey = last.key === 'Tab' && performance.now() - last.at < RECENT;
    if (target && byKey && matches(target, 'input, textarea, select, [contenteditable]'))
      send('focus', target, null, null);
  }

  const on = (types, listen) => {
    const trusted = (event) => {
      if (event.isTrusted) listen(event);
    };
    const options = { capture: true, passive: true };
    for (const type of types) window.addEventListener(type, trusted, options);
  };
  on(['pointerdown', 'keydown', 'paste', 'cut', 'drop', 'compositionend'], (event) => {
    last = { target: targetOf(event), key: event.key ?? null, at: performance.now() };
  });
  on(['pointerup'], (event) => {
    released = { target: targetOf(event), at: performance.now() };
  });
  on(['click'], clicked);
  on(['input', 'change'], changed);
  on(['focusin'], focused);
}

// The relation of a reference to what was touched: also that to what the touch operates, such as
// the button around a drawing.
function touchRelation(reference, touched, option) {
  const relation = relationOf(reference, touched, option);
  if (relation) return relation;
  let around = drawnParentOf(touched);
  while (around && !matches(around, AROUND)) around = drawnParentOf(around);
  return around && relationOf(reference, around, option) ? 'operated' : null;
}

function labelOf(element) {
  if (countOf(document, '*').length > MOST_NAMED) return described(element).label;
  const { records, byElement } = collect();
  const index = byElement.get(element);
  const [name] =
    index === undefined
      ? ['']
      : nameMaker(records, byElement).nameOf(index, roleOf(element, tagOf(element)));
  return (name || described(element).label).slice(0, MOST_NAME);
}
