// Reads the document and numbers what it lists. The elements are kept by key until the next
// reading.

function read({ form, most }) {
  const tree = form === 'code' ? codeTree(most) : visibleTree(most);
  const before = globalThis[WORLD];
  const count = before ? before.count + 1 : 1;
  const id = `${performance.timeOrigin}/${count}`;
  const keys = new Map();
  tree.entries.forEach(({ element, text }, key) => {
    const known = element ? keys.get(element) : 0;
    // An element is rather itself than a text in it.
    if (known === undefined || (element && !text && tree.entries[known].text))
      keys.set(element, key);
  });
  globalThis[WORLD] = { id, count, entries: tree.entries, frames: tree.frames, keys };
  return JSON.stringify({
    reading: id,
    title: whole(titleOf(document) || ''),
    url: location.href,
    viewport: [window.innerWidth, window.innerHeight],
    scroll: [rounded(window.scrollX), rounded(window.scrollY)],
    extent: extent(),
    empty: tree.empty === true,
    rows: tree.rows,
    beyond: tree.beyond,
    signs: signsOf(),
  });
}

function extent() {
  const scroller = scrollerOf(document) || documentElementOf(document);
  return scroller ? [scroller.scrollWidth, scroller.scrollHeight] : [0, 0];
}

const MOST_SIGNS = 20;
const SIGN_TEXT = 400;

// What tells walls from pages: fields for passwords, what the first words are, where frames lead.
function signsOf() {
  const text = document.body instanceof HTMLElement ? document.body.innerText : '';
  const frames = Array.from(allMatches(document, 'iframe[src], frame[src]')).slice(0, MOST_SIGNS);
  return {
    passwords: Array.from(allMatches(document, 'input[type=password]')).filter((field) =>
      field.checkVisibility(),
    ).length,
    links: Math.min(allMatches(document, 'a[href]').length, 1000),
    words: whole(collapse(text.slice(0, 20 * SIGN_TEXT)).slice(0, SIGN_TEXT)),
    length: text.length,
    headings: Array.from(allMatches(document, 'h1, h2'))
      .slice(0, 3)
      .map((one) => whole(collapse(textOf(one)).slice(0, 100))),
    frames: frames.map((frame) => whole(String(frame.src).slice(0, 300))),
  };
}
