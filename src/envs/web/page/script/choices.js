// The options of a select.

const MOST_CHOICES = 2000;

function selectOf(element) {
  const tag = tagOf(element);
  if (tag === 'select') return element;
  if (tag === 'option' || tag === 'optgroup') return closest(element, 'select');
  if (tag === 'label' && element.control && tagOf(element.control) === 'select')
    return element.control;
  return null;
}

function choices(argument) {
  const entry = numbered(argument);
  if (entry.refused) return entry;
  const select = selectOf(entry.element);
  if (!select) return { refused: 'select', why: tagOf(entry.element) };
  const isOff = (option) => option.disabled || Boolean(closest(option, 'optgroup[disabled]'));
  const options = Array.from(select.options).slice(0, MOST_CHOICES);
  return {
    disabled: isDisabled(select),
    options: options.map((option) => ({
      text: whole(collapse(option.label || option.text)),
      value: whole(option.value),
      disabled: isOff(option),
    })),
  };
}

function choose(argument) {
  const entry = numbered(argument);
  if (entry.refused) return entry;
  const select = selectOf(entry.element);
  const option = select && select.options[argument.option];
  if (!option) return { refused: 'removed' };
  if (isDisabled(select) || option.disabled) return { refused: 'disabled' };
  select.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  select.focus({ preventScroll: true });
  const changes = !option.selected || select.selectedOptions.length !== 1;
  if (select.multiple) for (const other of select.options) other.selected = other === option;
  else select.selectedIndex = argument.option;
  select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return {
    changed: changes,
    text: whole(collapse(option.label || option.text)),
    value: whole(option.value),
  };
}
