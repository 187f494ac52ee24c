const leaves = [
  ["windows", "Windows", "The windows are open."], ["water", "Water", "Water runs in rows 1 to 6."], ["shade", "Shade", "The blinds are down."],
  ["heat", "Heat", "The heating goes to 24 degrees."], ["light", "Light", "The lamps are on until nine."], ["fan", "Fan", "The fan turns slowly."],
];
const ring = document.getElementById("ring");
const hub = document.getElementById("hub");
const state = document.getElementById("state");

function leafOf([id, name], index) {
  const angle = (index * Math.PI) / 3;
  const x = Math.round(280 + Math.sin(angle) * 200) - 55;
  const y = Math.round(280 - Math.cos(angle) * 200) - 55;
  return `<button type="button" class="leaf" id="${id}" style="left: ${x}px; top: ${y}px" data-filter-by="text" data-evalby="text|color|background-color|border|border-radius|width|height">${name}</button>`;
}

hub.addEventListener("click", () => {
  const open = hub.classList.toggle("open");
  hub.textContent = open ? "Close" : "Menu";
  for (const leaf of ring.querySelectorAll(".leaf")) leaf.remove();
  if (open) ring.insertAdjacentHTML("beforeend", leaves.map(leafOf).join(""));
});

ring.addEventListener("click", (event) => {
  const leaf = event.target.closest(".leaf");
  if (!leaf) return;
  for (const other of ring.querySelectorAll(".leaf")) other.classList.toggle("on", other === leaf);
  state.textContent = leaves.find(([id]) => id === leaf.id)[2];
});
