const choices = document.querySelectorAll(".choice");
const plans = document.querySelectorAll(".plan");

function showPeriod(period) {
  const yearly = period === "yearly";
  for (const choice of choices) choice.classList.toggle("active", choice.id === period);
  for (const price of document.querySelectorAll(".price")) {
    price.textContent = "€" + (yearly ? price.dataset.year : price.dataset.month);
  }
  for (const unit of document.querySelectorAll(".unit")) {
    unit.textContent = yearly ? "per year, two months free" : "per month";
  }
}

for (const choice of choices) choice.addEventListener("click", () => showPeriod(choice.id));

for (const plan of plans) {
  plan.querySelector(".choose").addEventListener("click", () => {
    for (const other of plans) other.classList.toggle("chosen", other === plan);
  });
}
