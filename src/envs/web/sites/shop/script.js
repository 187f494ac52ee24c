"use strict";
// The cart lives in the browser: the server keeps nothing.
const read = (name) => JSON.parse(localStorage.getItem(name) || "[]");
const write = (name, list) => localStorage.setItem(name, JSON.stringify(list));
const byId = (id) => document.getElementById(id);
const dollars = (cents) => "$" + (cents / 100).toFixed(2);
const count = () => { byId("cart-count").textContent = read("cart").reduce((sum, row) => sum + row.count, 0); };
count();

for (const select of document.querySelectorAll("select[data-submit]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}
for (const swatch of document.querySelectorAll(".swatch")) {
  const choose = () => {
    for (const other of swatch.parentElement.children) other.setAttribute("aria-checked", other === swatch);
  };
  swatch.addEventListener("click", choose);
  swatch.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") choose(); });
}

const add = byId("add");
if (add) {
  add.addEventListener("click", () => {
    const size = byId("size") ? byId("size").value : "";
    if (byId("size") && !size) { byId("notice").textContent = "Please choose a size first."; return; }
    const colour = document.querySelector(".swatch[aria-checked=true]").textContent;
    const cart = read("cart");
    const { slug, name, cents } = add.dataset;
    const same = cart.find((row) => row.slug === slug && row.size === size && row.colour === colour);
    const many = Math.max(1, Number(byId("many").value) || 1);
    if (same) same.count += many; else cart.push({ slug, name, cents: Number(cents), size, colour, count: many });
    write("cart", cart);
    count();
    byId("notice").textContent = `${name} is in your cart.`;
  });
  const save = byId("save");
  save.addEventListener("click", () => {
    const saved = save.getAttribute("aria-pressed") !== "true";
    save.setAttribute("aria-pressed", saved);
    save.title = saved ? "Saved" : "Save for later";
    byId("notice").textContent = saved ? "Saved for later." : "";
  });
}

const rows = byId("cart-rows");
if (rows) {
  let discount = 0;
  const show = () => {
    const cart = read("cart");
    rows.replaceChildren(...cart.map((row, index) => {
      const line = document.createElement("tr");
      const cells = [row.name, [row.colour, row.size].filter(Boolean).join(", "), row.count, dollars(row.cents * row.count)];
      for (const text of cells) line.appendChild(document.createElement("td")).textContent = text;
      const remove = document.createElement("button");
      remove.className = "plain";
      remove.textContent = "Remove";
      remove.addEventListener("click", () => { cart.splice(index, 1); write("cart", cart); show(); });
      line.appendChild(document.createElement("td")).append(remove);
      return line;
    }));
    const sum = cart.reduce((total, row) => total + row.cents * row.count, 0);
    byId("total").textContent = dollars(Math.round(sum * (100 - discount) / 100));
    byId("empty").hidden = cart.length > 0;
    count();
  };
  byId("apply").addEventListener("click", () => {
    const known = byId("promo").value.trim().toUpperCase() === "LARK10";
    discount = known ? 10 : 0;
    byId("promo-note").textContent = known ? "10% off." : "This code is not valid.";
    show();
  });
  show();
}
