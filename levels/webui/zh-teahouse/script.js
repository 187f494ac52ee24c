const teas = [
  ["longjing", "龙井", "杭州，清香，微甜", 38], ["tieguanyin", "铁观音", "安溪，兰花香", 42], ["puer", "普洱", "云南，陈香，温和", 45],
  ["molihua", "茉莉花茶", "福州，花香，清爽", 32], ["juhua", "菊花茶", "不含茶叶，晚上也能喝", 26],
];
const menu = document.getElementById("menu");
const total = document.getElementById("total");
const order = document.getElementById("order");

menu.innerHTML = teas.map(([id, name, about, price]) => `
  <li class="tea" id="${id}">
    <span class="name" data-filter-by="text" data-evalby="text|color|font-size|font-weight">${name}</span>
    <span class="about" data-filter-by="text" data-evalby="text|color|font-size">${about}</span>
    <span class="price" data-filter-by="text" data-evalby="text|color|font-size">¥${price}</span>
    <button type="button" class="add" data-filter-by="height" data-evalby="text|color|background-color|border|border-radius|width|height">加一壶</button>
  </li>`).join("");

function update() {
  const chosen = teas.filter(([id]) => document.getElementById(id).classList.contains("chosen"));
  const sum = chosen.reduce((all, tea) => all + tea[3], 0);
  total.textContent = chosen.length === 0 ? "还没有点茶" : `共 ${chosen.length} 壶，¥${sum}`;
}

menu.addEventListener("click", (event) => {
  const button = event.target.closest(".add");
  if (!button || order.classList.contains("sent")) return;
  button.textContent = button.closest(".tea").classList.toggle("chosen") ? "已加" : "加一壶";
  update();
});

order.addEventListener("click", () => {
  if (!document.querySelector(".tea.chosen")) return;
  order.classList.add("sent");
  order.textContent = "已下单";
  total.textContent = "谢谢！茶马上就来。";
});
