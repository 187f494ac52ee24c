const pages = {
  visit: [
    ["Hours and tickets", "Open from Tuesday to Sunday. Children pay what is in their pockets."],
    ["How to find us", "Tram 4 to the old mint, then two minutes along the canal."],
    ["The café", "Small cups, small cakes, a large terrace."],
  ],
  rooms: [
    ["Room of keys", "Four hundred keys, and not one of the locks."],
    ["Room of tickets", "Journeys of other people, punched and folded."],
    ["Room of buttons", "Sorted by coat, by colour and by regret."],
    ["Room of thimbles", "Silver, bone, brass and one of glass."],
  ],
  learn: [
    ["For schools", "A class is twenty-four hands at most."],
    ["Workshops", "Bring one small thing and its story."],
  ],
};

function close() {
  for (const entry of document.querySelectorAll(".entry.open")) {
    entry.classList.remove("open");
    entry.querySelector(".list").remove();
  }
}

function open(entry) {
  const items = pages[entry.id].map(([title], index) =>
    `<li><a class="item" id="${entry.id}-${index}" href="#${entry.id}" data-filter-by="text" data-evalby="text|color|font-size|width|height">${title}</a></li>`);
  entry.insertAdjacentHTML("beforeend", `<ul class="list">${items.join("")}</ul>`);
  entry.classList.add("open");
}

document.getElementById("menu").addEventListener("click", (event) => {
  const entry = event.target.closest(".entry");
  const item = event.target.closest(".item");
  if (item) {
    event.preventDefault();
    const [title, text] = pages[entry.id][Number(item.id.split("-")[1])];
    document.getElementById("heading").textContent = title;
    document.getElementById("text").textContent = text;
    return close();
  }
  if (!entry) return;
  const wasOpen = entry.classList.contains("open");
  close();
  if (!wasOpen) open(entry);
});
