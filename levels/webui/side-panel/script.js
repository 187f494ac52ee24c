const data = {
  today: ["Today", [["312", "loaves"], ["€ 1,184", "taken"], ["9", "cakes ordered"], ["06:10", "first guest"]], [["7", 64], ["8", 82], ["9", 51], ["10", 33], ["11", 28], ["12", 54]]],
  week: ["This week", [["2,040", "loaves"], ["€ 7,960", "taken"], ["41", "cakes ordered"], ["05:58", "first guest"]], [["Mon", 290], ["Tue", 305], ["Wed", 318], ["Thu", 344], ["Fri", 371], ["Sat", 412]]],
  month: ["This month", [["8,415", "loaves"], ["€ 32,600", "taken"], ["173", "cakes ordered"], ["05:52", "first guest"]], [["Week 1", 1980], ["Week 2", 2105], ["Week 3", 2290], ["Week 4", 2040]]],
};
const app = document.getElementById("app");

function show(id) {
  const [title, figures, bars] = data[id];
  const most = Math.max(...bars.map(([, value]) => value));
  document.getElementById("title").textContent = title;
  document.getElementById("figures").innerHTML = figures.map(([value, label]) =>
    `<div class="figure"><b data-filter-by="text" data-evalby="text|color|font-size|font-weight">${value}</b><span data-filter-by="text" data-evalby="text|color|font-size">${label}</span></div>`).join("");
  document.getElementById("bars").innerHTML = bars.map(([label, value]) =>
    `<div class="column"><span data-filter-by="text" data-evalby="text|color|font-size">${value}</span><div class="bar" style="height: ${Math.round((value / most) * 260)}px" data-filter-by="height" data-evalby="width|height|background|background-image|border-radius"></div><span data-filter-by="text" data-evalby="text|color|font-size">${label}</span></div>`).join("");
  for (const place of document.querySelectorAll(".place")) place.classList.toggle("active", place.id === id);
}

for (const place of document.querySelectorAll(".place")) place.addEventListener("click", () => show(place.id));
document.getElementById("fold").addEventListener("click", (event) => {
  event.target.textContent = app.classList.toggle("folded") ? "»" : "«";
});

show("today");
