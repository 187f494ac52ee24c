const goods = [
  { id: "plane", name: "Block plane", note: "Beech, blade of 40 mm", cents: 3850, amount: 1, shape: "M12 52h60v10H12zM22 34h40l8 18H14zM52 20h10v16H52z" },
  { id: "chisel", name: "Chisel, 12 mm", note: "Handle of ash", cents: 1490, amount: 2, shape: "M38 10h10v34H38zM34 44h18v8l-3 24H37l-3-24z" },
  { id: "square", name: "Try square", note: "Brass and rosewood", cents: 2200, amount: 1, shape: "M18 14h14v42h38v12H18z" },
];
const freeFrom = 8000;
const postage = 490;
let voucher = false;

function money(cents) {
  return `€ ${(cents / 100).toFixed(2)}`;
}

function lineOf(item) {
  return `
    <article class="line" id="${item.id}">
      <div class="tile" data-filter-by="background-color" data-evalby="background-color|width|height|border-radius"><svg viewBox="0 0 84 84"><path d="${item.shape}" fill="#6b4226"/></svg></div>
      <div><p class="name" data-filter-by="text" data-evalby="text|color|font-size|font-weight">${item.name}</p><p class="note" data-filter-by="text" data-evalby="text|color|font-size">${item.note}</p></div>
      <div class="amount"><button type="button" class="less">−</button><span class="number" data-filter-by="font-size" data-evalby="text|color|font-size">${item.amount}</span><button type="button" class="more">+</button></div>
      <p class="cost" data-filter-by="font-size" data-evalby="text|color|font-size">${money(item.cents * item.amount)}</p>
    </article>`;
}

function show() {
  const sum = goods.reduce((all, item) => all + item.cents * item.amount, 0);
  const off = voucher ? Math.round(sum / 10) : 0;
  const shipping = sum - off >= freeFrom ? 0 : postage;
  document.getElementById("lines").innerHTML = goods.filter((item) => item.amount > 0).map(lineOf).join("");
  document.getElementById("goods").textContent = money(sum);
  document.getElementById("shipping").textContent = shipping === 0 ? "free" : money(shipping);
  document.getElementById("off").textContent = voucher ? `− ${money(off)}` : "none";
  document.getElementById("off").classList.toggle("used", voucher);
  document.getElementById("total").textContent = money(sum - off + shipping);
}

document.getElementById("lines").addEventListener("click", (event) => {
  const line = event.target.closest(".line");
  if (!line) return;
  const item = goods.find((one) => one.id === line.id);
  if (event.target.closest(".more")) item.amount += 1;
  if (event.target.closest(".less")) item.amount -= 1;
  show();
});

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const message = document.getElementById("message");
  voucher = document.getElementById("code").value.trim().toUpperCase() === "SHAVINGS";
  message.textContent = voucher ? "Ten percent off for you." : "This code is not known.";
  message.className = voucher ? "" : "bad";
  show();
});

show();
