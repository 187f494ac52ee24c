// Whether an element can be operated.

function isDisabled(element) {
  if (matches(element, ':disabled')) return true;
  return closest(element, '[aria-disabled="true"]') !== null;
}
