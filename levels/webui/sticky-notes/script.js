const colors = ["yellow", "pink", "blue", "green"];
const wall = document.getElementById("wall");
const count = document.getElementById("count");
const text = document.getElementById("text");
let made = 0;

function escape(words) {
  const span = document.createElement("span");
  span.textContent = words;
  return span.innerHTML;
}

function recount() {
  const number = wall.children.length;
  count.textContent = number === 1 ? "1 note" : `${number} notes`;
}

function addNote(words) {
  const color = colors[made % colors.length];
  made += 1;
  wall.insertAdjacentHTML("beforeend", `
    <article class="note ${color}" id="note-${made}" data-filter-by="background-color" data-evalby="background-color|width|height|box-shadow|border-radius">
      <span class="pin"></span>
      <p class="words" data-filter-by="text" data-evalby="text|color|font-size|font-family">${escape(words)}</p>
      <button type="button" class="remove" aria-label="Remove">×</button>
    </article>`);
  recount();
}

wall.addEventListener("click", (event) => {
  const note = event.target.closest(".note");
  if (!note) return;
  if (event.target.closest(".remove")) note.remove();
  else note.classList.toggle("done");
  recount();
});

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim() === "") return;
  addNote(text.value.trim());
  text.value = "";
});

["Return the ladder to Marta", "Two kilos of plums, the small blue ones", "Paint the north side of the shed", "Call the piano tuner before Friday"].forEach(addNote);
