const kinds = {
  length: {
    units: { metres: [1, 0], feet: [0.3048, 0], inches: [0.0254, 0], miles: [1609.344, 0] },
    facts: ["A door is about 2 metres high.", "A marathon has 26.2 miles.", "A thumb is an inch wide, more or less."],
  },
  weight: {
    units: { kilograms: [1, 0], pounds: [0.45359237, 0], ounces: [0.028349523125, 0], stone: [6.35029318, 0] },
    facts: ["A litre of water weighs a kilogram.", "A hen's egg has two ounces.", "A stone is fourteen pounds."],
  },
  temperature: {
    units: { celsius: [1, 0], fahrenheit: [5 / 9, -160 / 9], kelvin: [1, -273.15] },
    facts: ["Water freezes at 32 degrees Fahrenheit.", "A warm day has 300 kelvin.", "Both scales meet at 40 below zero."],
  },
};
const from = document.getElementById("from");
const to = document.getElementById("to");
const amount = document.getElementById("amount");
let kind = "length";

document.getElementById("kinds").innerHTML = Object.keys(kinds)
  .map((name) => `<button type="button" class="kind" id="${name}" data-filter-by="text" data-evalby="text|color|background-color|border|border-radius|width|height">${name[0].toUpperCase() + name.slice(1)}</button>`)
  .join("");

function round(value) {
  return String(Number(value.toPrecision(6)));
}

function convert(value) {
  const [factor, offset] = kinds[kind].units[from.value];
  const [otherFactor, otherOffset] = kinds[kind].units[to.value];
  return (value * factor + offset - otherOffset) / otherFactor;
}

function show() {
  const value = Number(amount.value.trim().replace(",", "."));
  const known = amount.value.trim() !== "" && Number.isFinite(value);
  document.getElementById("result").textContent = known ? round(convert(value)) : "?";
  document.getElementById("formula").textContent = known
    ? `${round(value)} ${from.value} = ${round(convert(value))} ${to.value}`
    : "Please write a number.";
}

function choose(name) {
  kind = name;
  const units = Object.keys(kinds[kind].units);
  from.innerHTML = units.map((unit) => `<option>${unit}</option>`).join("");
  to.innerHTML = from.innerHTML;
  to.value = units[1];
  for (const button of document.querySelectorAll(".kind")) button.classList.toggle("active", button.id === kind);
  document.getElementById("facts").innerHTML = kinds[kind].facts
    .map((fact) => `<li class="fact" data-filter-by="has_text" data-evalby="text|color|background-color|font-size|border-left">${fact}</li>`)
    .join("");
  show();
}

document.getElementById("kinds").addEventListener("click", (event) => {
  if (event.target.closest(".kind")) choose(event.target.id);
});
document.getElementById("swap").addEventListener("click", () => {
  [from.value, to.value] = [to.value, from.value];
  show();
});
for (const control of [from, to, amount]) control.addEventListener("input", show);

choose("length");
