const answers = {
  time: "A flat tyre is done while you drink a coffee. For everything else we ask for two days, and for three in April, when the whole town remembers that it owns a bicycle.",
  cost: "Forty-five for the small service, ninety for the large one. Parts are extra, and we ring you before we fit any that cost more than twenty.",
  loan: "Yes. There are six grey ones in the yard. They are heavy, they have three gears, and they are free.",
  old: "The older the better. We have spokes for wheels from 1950 on, and a man who knows what to do with them.",
  learn: "On the first Monday of each month the workshop is open until ten. Bring your bicycle and clothes that may get black.",
};

document.getElementById("list").addEventListener("click", (event) => {
  const entry = event.target.closest(".entry");
  if (!entry || event.target.closest(".answer")) return;
  if (entry.classList.toggle("open")) {
    entry.insertAdjacentHTML("beforeend", `<p class="answer" data-filter-by="has_text" data-evalby="text|color|font-size|height">${answers[entry.id]}</p>`);
  } else {
    entry.querySelector(".answer").remove();
  }
});
