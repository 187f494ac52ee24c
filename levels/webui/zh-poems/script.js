const poems = {
  rain: ["夜半雨声细，", "灯前一卷书。", "山深无客到，", "且煮一壶茶。"],
  boat: ["江上晚风起，", "渔人收网归。", "小桥灯火近，", "犬吠出柴扉。"],
  moon: ["明月上东墙，", "花影落满床。", "问君何处去？", "随我过横塘。"],
};
const notes = { rain: "雨夜读书，点一句看看。", boat: "傍晚的江边，点一句看看。", moon: "月下散步，点一句看看。" };
const poem = document.getElementById("poem");
const note = document.getElementById("note");

function show(id) {
  poem.innerHTML = poems[id]
    .map((verse, index) => `<p class="verse" id="verse-${index}" data-filter-by="text" data-evalby="text|color|background-color|font-size|letter-spacing|height">${verse}</p>`)
    .join("");
  note.textContent = notes[id];
  for (const title of document.querySelectorAll(".title")) title.classList.toggle("active", title.id === id);
}

document.getElementById("titles").addEventListener("click", (event) => {
  if (event.target.closest(".title")) show(event.target.id);
});

poem.addEventListener("click", (event) => {
  const verse = event.target.closest(".verse");
  if (!verse) return;
  for (const other of document.querySelectorAll(".verse")) other.classList.toggle("chosen", other === verse);
  note.textContent = `已选：${verse.textContent.slice(0, -1)}`;
});

show("rain");
