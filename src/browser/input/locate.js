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

  const scrolled = (element) => {
    if (!hits(element, centre(element))) {
      element.scrollIntoView({ behavior: "instant", block: "center", inline: "center" });
    }
    return centre(element);
  };

  const pointed = (element, covered) => {
    const wrong = notShown(element);
    if (wrong) return wrong;
    const at = scrolled(element);
    if (!at) return fault("out_of_reach");
    if (!covered && !hits(element, at)) {
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
    if (!page) scrolled(element);
    const had = document.activeElement === element;
    if (!had && !page) element.focus({ preventScroll: true });
    if (!page && document.activeElement !== element) return fault("not_focusable");
    if (!had) caretToEnd(element);
    return { found: {} };
  };

  const announce = (element, names) => {
    for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true, composed: name === "input" }));
  };

  const chosen = (list, option) => {
    if (option.disabled || list.disabled) return fault("disabled_option");
    const at = pointed(list);
    if (at.fault) return at;
    return { found: { ...at.found, list: true } };
  };

  const select = (option) => {
    const list = option.closest("select");
    list.focus({ preventScroll: true });
    const before = option.selected;
    option.selected = list.multiple ? !before : true;
    if (option.selected !== before) announce(list, ["input", "change"]);
    return { found: {} };
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
      announce(element, ["input", "change"]);
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

  const optionOf = (list) => {
    if (list.localName !== "select") return fault("not_a_select");
    const text = (option) => option.text.replace(/\s+/g, " ").trim();
    const option = [...list.options].find((option) => text(option) === order.option);
    if (!option) return fault("no_option", JSON.stringify(order.option));
    return order.select ? select(option) : chosen(list, option);
  };

  const optionClicked = (element) => {
    const list = element.closest("select");
    return order.select ? select(element) : chosen(list, element);
  };

  const uses = {
    point: (element) =>
      element.localName === "option" && element.closest("select") ? optionClicked(element) : pointed(element),
    hover: (element) => pointed(element, true),
    focus: focused,
    clear: emptied,
    submit: submitted,
    option: optionOf,
    scroll: (element) => {
      element.scrollIntoView({ behavior: "instant", block: "center", inline: "nearest" });
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
