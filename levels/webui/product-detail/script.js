const colors = {
  brick: ["Brick", "#b5523b", "#f1ece2"],
  moss: ["Moss", "#6b7f4a", "#e9eede"],
  night: ["Night", "#2f3e5c", "#e2e7f0"],
};
const price = 129;
const buy = document.getElementById("buy");
let amount = 1;

function paint(id) {
  const [name, shade, ground] = colors[id];
  document.getElementById("color").textContent = name;
  document.documentElement.style.setProperty("--shade", shade);
  document.getElementById("view").style.backgroundColor = ground;
  for (const swatch of document.querySelectorAll(".swatch")) swatch.classList.toggle("active", swatch.id === id);
}

function count(change) {
  amount = Math.min(9, Math.max(1, amount + change));
  document.getElementById("number").textContent = String(amount);
  document.getElementById("price").textContent = `€ ${amount * price}`;
}

for (const id of Object.keys(colors)) document.getElementById(id).addEventListener("click", () => paint(id));
document.getElementById("less").addEventListener("click", () => count(-1));
document.getElementById("more").addEventListener("click", () => count(1));
buy.addEventListener("click", () => {
  buy.textContent = amount === 1 ? "1 lamp in the basket" : `${amount} lamps in the basket`;
  buy.classList.add("done");
});
