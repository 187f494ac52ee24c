// Scrolling up and down.

// The page, or what can be scrolled in the middle of it if the page cannot.
function scrolledElement() {
  const page = scrollerOf(document) || documentElementOf(document);
  if (page && page.scrollHeight - page.clientHeight > 1) return page;
  for (
    let at = elementAt(window.innerWidth / 2, window.innerHeight / 2);
    at;
    at = drawnParentOf(at)
  ) {
    const { overflowY } = getComputedStyle(at);
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight - at.clientHeight > 1)
      return at;
  }
  return page;
}

function scroll({ amount }) {
  const element = scrolledElement();
  if (!element) return { moved: false, at: 0, end: 0 };
  const view = element.clientHeight;
  const end = element.scrollHeight - view;
  const before = element.scrollTop;
  const left = amount > 0 ? end - before : before;
  const target = left <= view ? (amount > 0 ? end : 0) : before + amount * view;
  element.scrollTo({ top: target, behavior: 'instant' });
  return {
    moved: Math.abs(element.scrollTop - before) >= 1,
    at: rounded(element.scrollTop),
    end: rounded(Math.max(end, 0)),
  };
}
