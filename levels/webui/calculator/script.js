const keys = [
  ["C", "clear", "clear"], ["±", "sign", ""], ["%", "percent", ""], ["÷", "divide", "operator"],
  ["7", "seven", ""], ["8", "eight", ""], ["9", "nine", ""], ["×", "times", "operator"],
  ["4", "four", ""], ["5", "five", ""], ["6", "six", ""], ["−", "minus", "operator"],
  ["1", "one", ""], ["2", "two", ""], ["3", "three", ""], ["+", "plus", "operator"],
  ["0", "zero", ""], [".", "point", ""], ["=", "equals", "equals"],
];
const display = document.getElementById("display");
const memory = document.getElementById("memory");
let entry = "0";
let stored = null;
let operator = null;

document.getElementById("keys").innerHTML = keys
  .map(([label, id, kind]) => `<button type="button" class="key ${kind}" id="${id}" data-filter-by="text" data-evalby="text|color|background-color|width|height|border-radius">${label}</button>`)
  .join("");

function apply(left, right) {
  if (operator === "+") return left + right;
  if (operator === "−") return left - right;
  if (operator === "×") return left * right;
  return right === 0 ? NaN : left / right;
}

function show(value) {
  display.textContent = String(value);
}

function press(label, id) {
  if (/^[0-9]$/.test(label)) {
    entry = entry === "0" ? label : (entry + label).slice(0, 12);
    return show(entry);
  }
  if (id === "point" && !entry.includes(".")) entry += ".";
  if (id === "sign") entry = String(-Number(entry));
  if (id === "percent") entry = String(Number(entry) / 100);
  if (["divide", "times", "minus", "plus"].includes(id)) {
    stored = Number(entry);
    operator = label;
    memory.textContent = `${stored} ${label}`;
    entry = "0";
    return;
  }
  if (id === "equals" && operator) {
    const result = apply(stored, Number(entry));
    memory.textContent = `${stored} ${operator} ${entry}`;
    entry = Number.isFinite(result) ? String(Number(result.toPrecision(10))) : "Error";
    operator = null;
  }
  if (id === "clear") {
    entry = "0";
    operator = null;
    memory.textContent = "No result yet";
  }
  show(entry);
}

document.getElementById("keys").addEventListener("click", (event) => {
  const key = event.target.closest(".key");
  if (key) press(key.textContent, key.id);
});
