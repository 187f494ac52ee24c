const weeks = ["4 to 8 May", "1 to 5 June", "13 to 17 July"];
const hero = document.querySelector(".hero");

function open() {
  if (document.getElementById("ticket")) return;
  const list = weeks.map((week, index) =>
    `<button type="button" class="week" id="week-${index}" data-filter-by="text" data-evalby="text|color|background-color|border|border-radius|width|height">${week}</button>`);
  hero.insertAdjacentHTML("beforeend", `
    <aside class="ticket" id="ticket">
      <h2 data-filter-by="font-size" data-evalby="text|color|font-size|font-family">Which week?</h2>
      ${list.join("")}
    </aside>`);
}

hero.addEventListener("click", (event) => {
  if (event.target.id === "book") open();
  const week = event.target.closest(".week");
  if (!week) return;
  for (const other of document.querySelectorAll(".week")) other.classList.toggle("chosen", other === week);
  document.querySelector(".ticket h2").textContent = "See you on the quay";
});
