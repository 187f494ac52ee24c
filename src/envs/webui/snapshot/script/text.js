// The visible text of an element.

const INLINE = new Set(['inline', 'inline-block', 'inline-table', 'none', 'table-cell', 'table-column', 'table-column-group']);
const ROOT_CONTEXT = { shown: true, space: '', transform: '' };
const slotFor = (kid) => (kid.element === undefined ? slotOfText(kid) : slotOf(kid.element));
const BREAK = { kind: 'break' };
const OPEN = { kind: 'open' };
const CLOSE = { kind: 'close' };
const CELL = { kind: 'cell' };
const BLOCK_CELL = { kind: 'cell', block: true };

// The text of the page as a list of tokens; each record keeps the range that is its own. What is
// assigned to a slot stands at the slot, a slot's own content nowhere.
function tokenize() {
  const tokens = [];
  for (const entry of records.slice(1)) {
    if (entry.from === undefined) tokenizeFrom(entry, tokens);
  }
  return tokens;
}

function tokenizeFrom(start, tokens) {
  const stack = [];
  pushElement(start, stack, tokens);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top.at === top.list.length) {
      stack.pop();
      top.close(tokens);
    } else {
      pushItem(top.list[top.at++], top.context, stack, tokens);
    }
  }
}

// `item` is the record of an element or a text node; `context` belongs to the element around it.
function pushItem(item, context, stack, tokens) {
  if (item.element === undefined || !recordOf.has(item.element)) {
    if (context.shown) tokens.push(textToken(item, context));
  } else if (item.shadow && item.tag === 'SLOT') {
    item.from = item.from ?? tokens.length;
    const list = assigned(item.element).map((node) => recordOf.get(node) || node);
    stack.push({ list, at: 0, context, close: () => (item.to = item.to ?? tokens.length) });
  } else {
    pushElement(item, stack, tokens);
  }
}

function pushElement(entry, stack, tokens) {
  entry.from = tokens.length;
  const block = entry.tag !== 'TD' && entry.tag !== 'BR' && !INLINE.has(entry.display);
  const context = { shown: shown(entry, AS_TEXT), space: css(entry, 'white-space'), transform: css(entry, 'text-transform') };
  if (entry.tag === 'BR') tokens.push(BREAK);
  const list = entry.tag === 'BR' ? [] : entry.kids.filter((kid) => !slotFor(kid));
  const open = { list: [], at: 0, context, close: () => finish(entry, block, tokens) };
  const begin = () => {
    if (block) tokens.push(OPEN);
    open.list = list;
  };
  stack.push(open);
  if (entry.shadowKids === null) begin();
  else stack.push({ list: entry.shadowKids, at: 0, context: ROOT_CONTEXT, close: begin });
}

function finish(entry, block, tokens) {
  const cell = entry.tag === 'TD' || entry.display === 'table-cell';
  if (entry.tag !== 'BR' && cell) tokens.push(block ? BLOCK_CELL : CELL);
  else if (block) tokens.push(CLOSE);
  entry.to = tokens.length;
}

function textToken(node, { space, transform }) {
  let text = nodeValue(node).replace(/[\u200b\u200e\u200f]/g, '').replace(/\r\n?/g, '\n');
  if (space === 'normal' || space === 'nowrap') text = text.replace(/\n/g, ' ');
  text = space === 'pre' || space === 'pre-wrap' ? text.replace(/[ \f\t\v\u2028\u2029]/g, '\xa0')
    : text.replace(/[ \f\t\v\u2028\u2029]+/g, ' ');
  text = transformed(text, transform);
  return { kind: 'text', text, blank: !/[^\s\xa0]/.test(text) };
}

function transformed(text, transform) {
  if (transform === 'uppercase') return text.toUpperCase();
  if (transform === 'lowercase') return text.toLowerCase();
  if (transform !== 'capitalize') return text;
  return text.replace(/(^|[^\d\p{L}\p{S}])([\p{Ll}|\p{S}])/gu, (_, before, letter) => before + letter.toUpperCase());
}

// Runs the tokens of one element from an empty page.
function textOf(entry, tokens) {
  const page = { lines: [], line: null, blank: true };
  for (let at = entry.from; at < entry.to; at++) apply(page, tokens[at]);
  if ((steps += entry.to - entry.from) > MAX_STEPS) throw new Limit('too much nested text');
  return trim(page.lines.concat(page.line ?? []).map(trim).join('\n')).replaceAll('\xa0', ' ');
}

function apply(page, token) {
  if (token.kind === 'text') append(page, token);
  else if (token.kind === 'break') newLine(page);
  else if (token.kind === 'open') page.blank || newLine(page);
  else {
    const { blank } = page;
    if (token.kind === 'cell' && page.line && !page.line.endsWith(' ')) page.line += ' ';
    if ((token.kind === 'close' || token.block) && !blank) newLine(page);
  }
}

function newLine(page) {
  if (page.line !== null) page.lines.push(page.line);
  page.line = '';
  page.blank = true;
}

function append(page, { text, blank }) {
  const line = page.line ?? '';
  page.line = line + (line.endsWith(' ') && text.startsWith(' ') ? text.slice(1) : text);
  page.blank = page.blank && blank;
  spend(text);
}

// White space at both ends goes, no-break spaces stay.
function trim(text) {
  const white = (at) => text[at] !== '\xa0' && /\s/.test(text[at]);
  let [from, to] = [0, text.length];
  while (from < to && white(from)) from++;
  while (to > from && white(to - 1)) to--;
  return text.slice(from, to);
}
