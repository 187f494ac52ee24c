const taken = new Set(["A4", "A5", "B2", "B3", "B8", "C6", "C7", "D1", "D10", "E5"]);
const price = 11;
const most = 6;
const rows = document.getElementById("rows");
const summary = document.getElementById("summary");
const book = document.getElementById("book");

function seatOf(row, number) {
  const name = row + number;
  const kind = taken.has(name) ? "seat taken" : "seat";
  return `<button type="button" class="${kind}" id="seat-${name}" data-filter-by="background-color" data-evalby="text|color|background-color|width|height|border-radius">${number}</button>`;
}

rows.innerHTML = [..."ABCDE"].map((row) => {
  const seats = Array.from({ length: 10 }, (_, index) => seatOf(row, index + 1)).join("");
  return `<div class="row"><span class="letter">${row}</span>${seats}<span class="letter">${row}</span></div>`;
}).join("");

function chosen() {
  return [...document.querySelectorAll(".row .seat.chosen")].map((seat) => seat.id.slice(5));
}

function update() {
  const names = chosen();
  summary.className = "";
  summary.textContent = names.length === 0 ? "Choose up to six seats" : `${names.join(", ")}: € ${names.length * price}`;
}

rows.addEventListener("click", (event) => {
  const seat = event.target.closest(".seat");
  if (!seat || seat.classList.contains("taken")) return;
  if (!seat.classList.contains("chosen") && chosen().length === most) return;
  seat.classList.toggle("chosen");
  update();
});

book.addEventListener("click", () => {
  const names = chosen();
  if (names.length === 0) return;
  for (const name of names) document.getElementById(`seat-${name}`).className = "seat taken";
  summary.textContent = `Booked: ${names.join(", ")}. Enjoy the film!`;
  summary.className = "booked";
  book.disabled = true;
});
