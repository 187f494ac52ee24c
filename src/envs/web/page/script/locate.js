// Everything that key nodes compare of a numbered element.

const OPERATED =
  'a, button, summary, [role=button], [role=link], [role=menuitem], [role=tab], ' +
  '[role=checkbox], [role=radio], [role=switch], [onclick]';

function locate(argument) {
  const found = numbered(argument);
  if (found.refused) return found;
  const { element } = found;
  const option = chosenOption(element, argument.option);
  const related = (reference) => relationOf(reference, element, option);
  return factsOf(element, argument.paths, related, option);
}

// Everything that is compared of an element; `related` says how a reference is related to it.
function factsOf(element, paths, related, option) {
  const codeCss = codeSelectorOf(element);
  const byCode = codeCss === null ? null : firstMatch(document, codeCss);
  return {
    tag: tagOf(element),
    css: selectorOf(element),
    codeCss,
    xpath: pathOf(element),
    rect: box(
      boundsOf(tagOf(element) === 'option' ? closest(element, 'select') || element : element),
    ),
    document: location.href,
    paths: paths.map(({ path, xpath }) => {
      const reference = referenceOf(element, path, xpath);
      return {
        path,
        tag: reference && tagOf(reference),
        relation: reference && related(reference),
        code:
          reference &&
          byCode &&
          relationOf(reference, byCode, tagOf(byCode) === 'select' ? option : null),
      };
    }),
  };
}

function chosenOption(element, index) {
  if (index === null || index === undefined) return null;
  const select = tagOf(element) === 'select' ? element : closest(element, 'select');
  return select && select.options ? select.options[index] || null : null;
}

// The first match in the document, else in the shadow tree of the element.
function referenceOf(element, path, xpath) {
  if (xpath) {
    try {
      return document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null)
        .singleNodeValue;
    } catch {
      return null;
    }
  }
  const root = rootOf(element);
  return firstMatch(document, path) || (root === document ? null : firstMatch(root, path));
}

// How the element of a reference is related to a chosen one; null if it is not.
function relationOf(reference, chosen, option) {
  if (!isElement(reference)) return null;
  if (reference === chosen) return 'same';
  const referenceTag = tagOf(reference);
  if (option && (reference === option || isDrawnInside(reference, option))) return 'chosen_option';
  if (
    referenceTag === 'select' &&
    tagOf(chosen) === 'option' &&
    closest(chosen, 'select') === reference
  )
    return 'select_of_option';
  // An option that is not chosen is not what was done to the select.
  if (referenceTag === 'option' || !isDrawnInside(reference, chosen)) return null;
  let levels = 0;
  for (let at = reference; at && at !== chosen; at = elementParentOf(at)) levels++;
  const isNear = levels <= 3 && rootOf(reference) === rootOf(chosen);
  if (isNear && PASSED.has(referenceTag)) return { above: levels };
  return matches(chosen, OPERATED) ? 'inside' : null;
}

// The key of what is listed for the first match of a selector; the nearest listed element around it
// counts.
function find({ reading, selector }) {
  const known = globalThis[WORLD];
  if (!known || known.id !== reading) return { refused: known ? 'reading' : 'document' };
  const element = firstMatch(document, selector);
  return { exists: element !== null, key: element ? listedAround(known, element) : null };
}

function listedAround(known, element) {
  for (let at = element; at; at = drawnParentOf(at)) {
    const key = known.keys.get(at);
    if (key !== undefined) return key;
  }
  return null;
}
