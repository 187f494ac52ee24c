// The lines of what is really visible.

const MOST_OPTIONS = 100;
const DEEPEST = 30;
const NEAR = 8;

// The lines of the document: an array of plain rows, and by key what they name.
function visibleTree(most) {
  const { records, byElement } = collect();
  const names = nameMaker(records, byElement);
  const rows = [];
  const entries = [];
  const frames = [];
  let beyond = 0;
  // Listed elements around the present record: where they end, their depth, what their name says.
  const open = [];
  // Where the blocks around the present record end.
  const blocks = [];
  let pending = null;

  const depthNow = () => Math.min(open.length, DEEPEST);
  // What is beyond the limit is counted by its roles, without names.
  const isFull = () => most > 0 && rows.length >= most;

  // Whether this holds of a listed element around. Only the nearest ones are asked.
  function isInside(holds) {
    for (let at = open.length - 1; at >= 0 && at >= open.length - NEAR; at--)
      if (holds(open[at])) return true;
    return false;
  }

  function list(row, entry) {
    if (isFull()) {
      beyond++;
      return;
    }
    row.key = entries.length;
    row.depth = depthNow();
    rows.push(row);
    entries.push(entry);
  }

  function flush() {
    if (!pending) return;
    const run = pending;
    pending = null;
    if (isFull()) {
      if (!isInside((one) => one.acts || one.says)) beyond++;
      return;
    }
    const text = collapse(run.texts.join(''));
    if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return;
    // A cross or an arrow on a button that has a name.
    if (text.length === 1 && open.length > 0 && open[open.length - 1].acts) return;
    if (isSaid(text, run.record)) return;
    const rect = textBounds(run.nodes);
    if (!rect) return;
    const owner = run.nodes.length === 1 ? records[run.parent] : records[run.block];
    const label = cut(text);
    list(
      { kind: 'text', role: 'text', label, tag: owner.tag, rect: box(rect) },
      { element: owner.element, text: run.nodes[0] },
    );
  }

  // Whether a listed element around says it already, or the control that this label names.
  function isSaid(text, record) {
    if (isInside((one) => one.says && one.says.includes(text))) return true;
    const label = labelAround(record);
    const control = label && label.control;
    const index = control ? byElement.get(control) : undefined;
    if (index === undefined || !isListable(records[index])) return false;
    return names
      .nameOf(index, records[index].role ?? roleOf(control, records[index].tag))[0]
      .includes(text);
  }

  function labelAround(record) {
    for (
      let at = record.parent, steps = 0;
      at >= 0 && steps < 8;
      at = records[at].parent, steps++
    ) {
      if (records[at].tag === 'label') return records[at].element;
    }
    return null;
  }

  function isListable(record) {
    if (record.hidden) return false;
    return record.shown || isDrawnByLabel(record);
  }

  // Check boxes, radio buttons and file inputs are often hidden under a drawing of the page's own:
  // then the label is operated.
  function isDrawnByLabel(record) {
    if (record.tag !== 'input' || !['checkbox', 'radio', 'file'].includes(record.element.type))
      return false;
    return labelRecord(record) !== null;
  }

  function labelRecord(record) {
    for (const label of record.element.labels || []) {
      const index = byElement.get(label);
      if (index !== undefined && records[index].shown && !records[index].hidden)
        return records[index];
    }
    return null;
  }

  function boundsOfRecord(record) {
    if (!record.shown) {
      const label = labelRecord(record);
      if (label) return label.union || label.rect;
    }
    return record.union || record.rect;
  }

  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index];
    if (record.element === null) continue;
    record.role = roleOf(record.element, record.tag);
    record.acts = INTERACTIVE.has(record.role) && isListable(record);
    const above = records[record.parent];
    if (above && (record.acts || record.interactiveInside)) above.interactiveInside = true;
  }

  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    while (open.length > 0 && open[open.length - 1].end <= index) {
      flush();
      open.pop();
    }
    if (record.element === null) {
      if (record.shown) addText(record, index);
      continue;
    }
    if (record.block || record.tag === 'br') {
      if (record.tag === 'br' && pending) pending.texts.push(' ');
      else flush();
    }
    if (record.block) blocks.push(record.end);
    if (!isListable(record)) continue;
    visit(record, index);
  }
  flush();

  function addText(record, index) {
    while (blocks.length > 0 && blocks[blocks.length - 1] <= index) {
      blocks.pop();
      flush();
    }
    if (pending && pending.depth !== open.length) flush();
    if (!pending) {
      if (!record.text.trim()) return;
      const block = records[record.parent].blockAt;
      pending = { texts: [], nodes: [], parent: record.parent, block, depth: open.length, record };
    }
    pending.texts.push(record.text);
    if (record.text.trim()) pending.nodes.push(record.node);
  }

  function visit(record, index) {
    const { role } = record;
    if (role === 'none' || (role === '' && isFull())) return;
    const clickable = role === '' && isClickable(record, index);
    if (role === '' && !clickable) return;
    const shape = boundsOfRecord(record);
    if (shape.width === 0 || shape.height === 0) return;
    if (isFull()) {
      countBeyond(record, index, role);
      return;
    }
    const [name, byContent] = clickable
      ? [names.content(index, new Set()), true]
      : names.nameOf(index, role);
    // Cells have lines of their own, so a row is a line around them.
    const label = role === 'row' && byContent ? '' : name;
    if (!isWorthALine(record, role, label, clickable)) return;
    if (role === 'img' && open.length > 0 && open[open.length - 1].says?.includes(label)) return;
    flush();
    const row = {
      kind: role === 'frame' ? 'frame' : 'element',
      role: clickable ? 'clickable' : role,
      label: cut(label),
      tag: record.tag,
      rect: box(shape),
    };
    if (record.acts || clickable) row.acts = true;
    const value = valueOf(record, role);
    if (value !== null) row.value = cut(value);
    const states = statesOf(record, role);
    if (states.length > 0) row.states = states;
    if (role === 'frame') {
      row.frame = frames.length;
      frames.push(record.element);
    }
    list(row, { element: record.element });
    const says = label && (NAMED_BY_CONTENT.has(role) || clickable || byContent) ? label : null;
    const acts = row.acts === true;
    if (record.tag === 'select') {
      open.push({ end: record.end, says, acts });
      listOptions(record, shape);
    } else if (record.end > index + 1) {
      open.push({ end: record.end, says: says ?? (role === 'textbox' ? value : null), acts });
    }
  }

  function countBeyond(record, index, role) {
    const isCell = role === 'cell' || role === 'gridcell';
    if (!record.acts && (!ALWAYS_LISTED.has(role) || (isCell && record.interactiveInside))) return;
    flush();
    beyond += record.tag === 'select' ? 1 + record.element.options.length : 1;
    const says = NAMED_BY_CONTENT.has(role) ? '?' : null;
    if (record.end > index + 1) open.push({ end: record.end, says, acts: record.acts });
  }

  function isWorthALine(record, role, label, clickable) {
    if (clickable) return label !== '';
    if (role === 'row') return true;
    // What a cell contains is listed by itself where it can be operated.
    if (role === 'cell' || role === 'gridcell') return label !== '' && !record.interactiveInside;
    return label !== '' || ALWAYS_LISTED.has(role) || record.acts;
  }

  // A generic element that a page made operable.
  function isClickable(record, index) {
    if (
      record.interactiveInside ||
      record.tag === 'html' ||
      record.tag === 'body' ||
      record.tag === 'label'
    )
      return false;
    const { element } = record;
    if (hasAttribute(element, 'onclick')) return true;
    const order = attributeOf(element, 'tabindex');
    if (order !== null && Number(order) >= 0 && record.end - index < 40) return true;
    if (record.parent < 0 || isInside((one) => one.says)) return false;
    return isPointed(record) && !isPointed(records[record.parent]);
  }

  function isPointed(record) {
    if (record.pointed === undefined) record.pointed = record.style.cursor === 'pointer';
    return record.pointed;
  }

  function listOptions(record, shape) {
    const options = record.element.options;
    let group = null;
    let grouped = false;
    for (let at = 0; at < options.length; at++) {
      const option = options[at];
      const parent = parentOf(option);
      const its = parent && isElement(parent) && tagOf(parent) === 'optgroup' ? parent : null;
      if (its !== group) {
        if (grouped) open.pop();
        grouped = its !== null;
        group = its;
        if (its) {
          list(
            {
              kind: 'element',
              role: 'group',
              label: cut(attributeOf(its, 'label') || ''),
              tag: 'optgroup',
              rect: box(shape),
            },
            { element: its },
          );
          open.push({ end: record.end, says: null });
        }
      }
      if (at >= MOST_OPTIONS) {
        list(
          {
            kind: 'note',
            role: 'note',
            label: `${options.length - at} more options`,
            tag: 'option',
            rect: box(shape),
          },
          { element: null },
        );
        break;
      }
      const states = [];
      if (option.selected) states.push('selected');
      if (option.disabled || (its && hasAttribute(its, 'disabled'))) states.push('disabled');
      const row = {
        kind: 'element',
        role: 'option',
        label: cut(collapse(option.label)),
        tag: 'option',
        rect: box(shape),
        acts: true,
      };
      if (states.length > 0) row.states = states;
      list(row, { element: option });
    }
    if (grouped) open.pop();
  }

  return { rows, entries, frames, beyond };
}

// A text cut to the limit of names, with how many characters more there are.
function cut(text) {
  const all = whole(text);
  if (all.length <= MOST_NAME) return all;
  return `${all.slice(0, MOST_NAME).toWellFormed()}… (${all.length - MOST_NAME} more characters)`;
}

// The box around texts; null if nothing of them can be seen.
function textBounds(nodes) {
  const range = document.createRange();
  let all = null;
  for (const node of nodes) {
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) continue;
    if (rect.right + window.scrollX <= 0 || rect.bottom + window.scrollY <= 0) continue;
    all = all ? around(all, rect) : rect;
  }
  return all;
}
