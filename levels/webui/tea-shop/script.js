const basket = document.getElementById("basket");
let cents = 0;
let items = 0;

function show() {
  basket.textContent = `Basket: ${items} ${items === 1 ? "tin" : "tins"}, € ${(cents / 100).toFixed(2)}`;
  basket.classList.add("full");
}

for (const tea of document.querySelectorAll(".tea")) {
  const button = tea.querySelector(".add");
  let taken = 0;
  button.addEventListener("click", () => {
    taken += 1;
    items += 1;
    cents += Math.round(Number(tea.querySelector(".price").textContent.slice(2)) * 100);
    button.textContent = `${taken} ×`;
    button.classList.add("chosen");
    show();
  });
}
