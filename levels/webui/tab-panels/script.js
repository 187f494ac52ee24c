const panel = document.getElementById("panel");
const tabs = [...document.querySelectorAll(".tab")];
const texts = {
  things: [["Flour", "250 g"], ["Butter, cold", "125 g"], ["Onions", "1 kg"], ["Cream", "200 ml"], ["Eggs", "3"], ["Caraway", "1 tsp"]],
  steps: [
    "Rub the butter into the flour, add water and a little salt, and leave the dough in the cold.",
    "Cut the onions into thin rings and let them grow soft and golden. This takes half an hour.",
    "Mix cream, eggs and caraway with the onions.",
    "Line a tin with the dough, fill it, and bake it for 35 minutes at 190 degrees.",
  ],
  notes: "My grandmother added bacon, my aunt took it out again. With young wine it needs nothing else. A green salad does no harm.",
};

const views = {
  things: () => texts.things.map(([name, amount]) =>
    `<p class="thing"><span data-filter-by="text" data-evalby="text|color|font-size">${name}</span><b data-filter-by="text" data-evalby="text|color|font-size|font-weight">${amount}</b></p>`).join(""),
  steps: () => `<ol>${texts.steps.map((step) => `<li data-filter-by="has_text" data-evalby="text|color|font-size|height">${step}</li>`).join("")}</ol>`,
  notes: () => `<p data-filter-by="has_text" data-evalby="text|color|font-size|height">${texts.notes}</p>`,
};

function show(id) {
  panel.innerHTML = views[id]();
  for (const tab of tabs) tab.classList.toggle("active", tab.id === id);
}

document.getElementById("tabs").addEventListener("click", (event) => {
  if (event.target.closest(".tab")) show(event.target.id);
});

document.addEventListener("keydown", (event) => {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move) return;
  const current = tabs.findIndex((tab) => tab.classList.contains("active"));
  const next = tabs[(current + move + tabs.length) % tabs.length];
  next.focus();
  show(next.id);
});

show("things");
