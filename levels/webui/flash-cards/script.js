const birds = [
  ["swift", "il rondone", "never lands, nearly"], ["wren", "lo scricciolo", "small and loud"], ["owl", "il gufo", "after sunset"],
  ["heron", "l'airone", "waits in the reeds"], ["swallow", "la rondine", "under the roof"], ["robin", "il pettirosso", "a friend of gardeners"],
];
const cards = document.getElementById("cards");

cards.innerHTML = birds.map(([name, italian, note]) => `
  <article class="card" id="${name}">
    <div class="face front"><p class="word" data-filter-by="text" data-evalby="text|color|font-size|font-family">${name}</p><p class="note" data-filter-by="text" data-evalby="text|color|font-size">${note}</p></div>
    <div class="face back"><p class="word" data-filter-by="text" data-evalby="text|color|font-size|font-family">${italian}</p></div>
  </article>`).join("");

cards.addEventListener("click", (event) => {
  const card = event.target.closest(".card");
  if (!card) return;
  card.classList.toggle("turned");
  document.getElementById("score").textContent = `${document.querySelectorAll(".turned").length} of ${birds.length} turned`;
});
