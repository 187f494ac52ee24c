// Finds an element, checks that a person could use it, and prepares it. Runs apart from the scripts of the page.
// Returns {found: {...}} or {fault: name, detail: text}.
(function (order) {
  const fault = (name, detail) => ({ fault: name, detail: detail ?? "" });

  const byText = (text, tags) => {
    const same = (element) => element.textContent.replace(/\s+/g, " ").trim() === text;
    return [...document.querySelectorAll(tags)].filter(
      (element) => same(element) && ![...element.children].some(same));
  };
  const byXpath = (expression) => {
    const found = document.evaluate(expression, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const nodes = Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
    return nodes.filter((node) => node instanceof Element);
  };
  const finders = {
    id: (value) => document.querySelectorAll(`[id="${CSS.escape(value)}"]`),
    class: (value) => document.querySelectorAll(`.${CSS.escape(value)}`),
    css: (value) => document.querySelectorAll(value),
    xpath: byXpath,
    text: (value) => byText(value, "body *:not(script, style, noscript, template)"),
    link_text: (value) => [...document.querySelectorAll("a")].filter(
      (link) => link.textContent.replace(/\s+/g, " ").trim() === value),
    name: (value) => document.querySelectorAll(`[name="${CSS.escape(value)}"]`),
  };

  const named = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const classes = [...element.classList].map((name) => `.${name}`).join("");
    return `<${element.localName}${id}${classes}>`.slice(0, 200);
  };

  // The first rectangle with an area: an inline element around a block begins with an empty one.
  const rectangle = (element) => {
    const all = [...element.getClientRects()];
    return all.find((rect) => rect.width > 0 && rect.height > 0) ?? all[0];
  };

  const notShown = (element) => {
    const rect = rectangle(element);
    if (!rect) return fault("not_displayed");
    const style = getComputedStyle(element);
    if (style.visibility !== "visible") return fault("hidden");
    if (!(rect.width > 0 && rect.height > 0)) return fault("no_size");
    return null;
  };

  // The centre of what is visible of the first rectangle, in whole pixels.
  const centre = (element) => {
    const rect = rectangle(element);
    const [left, right] = [Math.max(0, rect.left), Math.min(innerWidth, rect.right)];
    const [top, bottom] = [Math.max(0, rect.top), Math.min(innerHeight, rect.bottom)];
    if (!(right > left && bottom > top)) return null;
    return [Math.floor((left + right) / 2), Math.floor((top + bottom) / 2)];
  };

  const hits = (element, at) => {
    const hit = at && document.elementFromPoint(at[0], at[1]);
    return Boolean(hit) && (hit === element || element.contains(hit));
  };

  // What the place of an element depends on: a fixed one on nothing, an absolute one on the next positioned ancestor.
  const containerOf = (element) => {
    const position = getComputedStyle(element).position;
    if (position === "fixed") return null;
    let above = element.parentElement;
    while (position === "absolute" && above && getComputedStyle(above).position === "static") above = above.parentElement;
    return above;
  };

  // Whether an ancestor cuts the element off where no scrolling reaches it.
  const cutOff = (element) => {
    const rect = element.getBoundingClientRect();
    for (let above = containerOf(element); above && above !== document.documentElement; above = containerOf(above)) {
      const { overflowX, overflowY } = getComputedStyle(above);
      if (above === document.body || (overflowX === "visible" && overflowY === "visible")) continue;
      const box = above.getBoundingClientRect();
      const before = [rect.right <= box.left, rect.bottom <= box.top];
      const outside = [before[0] || rect.left >= box.right, before[1] || rect.top >= box.bottom];
      const beyond = [rect.right <= box.left - above.scrollLeft, rect.bottom <= box.top - above.scrollTop];
      const hidden = [overflowX, overflowY].map((overflow) => overflow === "hidden" || overflow === "clip");
      if ([0, 1].some((axis) => outside[axis] && (hidden[axis] || (before[axis] && beyond[axis])))) return true;
      if (outside[0] || outside[1]) return cutOff(above);
    }
    return false;
  };

  // Scrolls as little as needed; what is larger than the viewport is centred. `end` is the rule of movements.
  const scrolled = (element, end) => {
    if (!hits(element, centre(element))) {
      const rect = rectangle(element);
      const block = rect.height > innerHeight ? "center" : end ? "end" : "nearest";
      const inline = rect.width > innerWidth ? "center" : "nearest";
      element.scrollIntoView({ behavior: "instant", block, inline });
    }
    return centre(element);
  };

  const pointed = (element, moves) => {
    const wrong = notShown(element);
    if (wrong) return wrong;
    const at = cutOff(element) ? null : moves && centre(element) || scrolled(element, moves);
    if (!at) return fault("out_of_reach");
    if (!moves && !hits(element, at)) {
      if (getComputedStyle(element).pointerEvents === "none") return fault("ignores_pointer");
      const hit = document.elementFromPoint(at[0], at[1]);
      return hit ? fault("covered", named(hit)) : fault("out_of_reach");
    }
    return { found: { at } };
  };

  const caretToEnd = (element) => {
    if (element.isContentEditable) {
      const range = document.createRange();
      range.selectNodeContents(element);
      range.collapse(false);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return;
    }
    // Numbers and dates have no caret that a script can move; focus puts it where a person has it.
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch (_) {}
  };

  const focused = (element) => {
    const page = element === document.body || element === document.documentElement;
    const wrong = page ? null : notShown(element);
    if (wrong) return wrong;
    const had = page || document.activeElement === element;
    // The browser scrolls to what gets the focus.
    if (!had) element.focus();
    if (!had && document.activeElement !== element) return fault("not_focusable");
    if (!had) caretToEnd(element);
    return { found: {} };
  };

  const announce = (element, ...names) => {
    for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true }));
  };

  const mouse = (element, ...names) => {
    for (const name of names) element.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true, view: window }));
  };

  // An option has no place on the page, so the list is changed without the pointer.
  const select = (option, list) => {
    const wrong = notShown(list);
    if (wrong) return wrong;
    list.focus();
    const clicked = list.multiple ? option : list;
    if (list.multiple) mouse(option, "mousemove");
    if (!option.disabled && !list.disabled && (list.multiple || !option.selected)) {
      option.selected = !option.selected;
      announce(list, "change");
    }
    mouse(clicked, "mouseup", "click");
    return { found: { done: true } };
  };

  // Fields whose value is a picture of it: keys do not reach the value.
  const typed = (element) => {
    if (!element.matches("input[type=color i]")) return focused(element);
    const wrong = notShown(element);
    if (wrong) return wrong;
    element.value = order.text;
    announce(element, "input", "change");
    return { found: { done: true } };
  };

  const emptied = (element) => {
    const editable = element.isContentEditable || element.matches("input, textarea");
    if (!editable || element.disabled || element.readOnly) return fault("not_editable");
    const ready = focused(element);
    if (ready.fault) return ready;
    if (element.isContentEditable) {
      element.textContent = "";
    } else if (element.value !== "") {
      element.value = "";
      announce(element, "change");
    }
    element.blur();
    return { found: {} };
  };

  const submitted = (element) => {
    const form = element instanceof HTMLFormElement ? element : element.form ?? element.closest("form");
    if (!form) return fault("no_form");
    const event = new SubmitEvent("submit", { bubbles: true, cancelable: true });
    if (form.dispatchEvent(event)) HTMLFormElement.prototype.submit.call(form);
    return { found: {} };
  };

  const chosen = (list) => {
    if (list.localName !== "select") return fault("not_a_select");
    const text = (option) => option.text.replace(/\s+/g, " ").trim();
    const option = [...list.options].find((option) => text(option) === order.text);
    if (!option) return fault("no_option", JSON.stringify(order.text));
    if (option.disabled) return fault("disabled_option");
    return option.selected ? { found: { done: true } } : select(option, list);
  };

  const clicked = (element) => {
    const list = element.localName === "option" ? element.closest("select") : null;
    return list ? select(element, list) : pointed(element, false);
  };

  const uses = {
    point: clicked,
    hover: (element) => pointed(element, true),
    focus: focused,
    type: typed,
    clear: emptied,
    submit: submitted,
    option: chosen,
    scroll: (element) => {
      element.scrollIntoView({ behavior: "instant", block: "start", inline: "nearest" });
      return { found: {} };
    },
  };

  let elements;
  try {
    elements = finders[order.kind](order.value);
  } catch (error) {
    return fault("invalid_expression", String(error.message).slice(0, 200));
  }
  const element = elements[order.index];
  return element ? uses[order.use](element) : fault("not_found");
})
