const shares = [0, 5, 10, 15];
const bill = document.getElementById("bill");
let share = 10;
let guests = 2;

document.getElementById("tips").innerHTML = shares
  .map((percent) => `<button type="button" class="share" id="tip-${percent}" data-filter-by="text" data-evalby="text|color|background-color|width|height|border-radius">${percent === 0 ? "None" : percent + " %"}</button>`)
  .join("");

function money(cents) {
  return (cents / 100).toFixed(2);
}

function show() {
  const value = Number(bill.value.replace(",", "."));
  const cents = Number.isFinite(value) && value > 0 ? Math.round(value * 100) : 0;
  const tip = Math.round((cents * share) / 100);
  document.getElementById("sum").textContent = money(cents);
  document.getElementById("tip").textContent = money(tip);
  document.getElementById("total").textContent = money(cents + tip);
  document.getElementById("each").textContent = money(Math.ceil((cents + tip) / guests));
  document.getElementById("guests").textContent = String(guests);
  for (const percent of shares) document.getElementById(`tip-${percent}`).classList.toggle("active", percent === share);
}

bill.addEventListener("input", show);
document.getElementById("tips").addEventListener("click", (event) => {
  if (!event.target.closest(".share")) return;
  share = Number(event.target.id.slice(4));
  show();
});
document.getElementById("fewer").addEventListener("click", () => { guests = Math.max(1, guests - 1); show(); });
document.getElementById("more").addEventListener("click", () => { guests = Math.min(12, guests + 1); show(); });
show();
