const answer = "MITTEN";
const parts = [
  `<circle cx="200" cy="346" r="84" fill="#ffffff" stroke="#b6cde0" stroke-width="4"/>`,
  `<circle cx="200" cy="222" r="62" fill="#ffffff" stroke="#b6cde0" stroke-width="4"/>`,
  `<circle cx="200" cy="124" r="46" fill="#ffffff" stroke="#b6cde0" stroke-width="4"/>`,
  `<path d="M142 214L62 160M66 182l-30-6M258 214l80-54M334 182l30-6" stroke="#6b4a32" stroke-width="7" stroke-linecap="round"/>`,
  `<path d="M150 86h100M168 86V34h64v52z" fill="#21364a" stroke="#21364a" stroke-width="10"/>`,
  `<path d="M200 126l52 12-52 8z" fill="#f2842f"/><circle cx="184" cy="110" r="6" fill="#21364a"/><circle cx="216" cy="110" r="6" fill="#21364a"/>`,
];
const word = document.getElementById("word");
const letters = document.getElementById("letters");
const left = document.getElementById("left");
const guessed = new Set();
let wrong = 0;

function show() {
  const over = wrong === parts.length;
  const won = [...answer].every((letter) => guessed.has(letter));
  word.innerHTML = [...answer].map((letter) =>
    `<span class="slot" data-filter-by="height" data-evalby="text|color|font-size|width|height|border-bottom-color">${guessed.has(letter) || over ? letter : ""}</span>`).join("");
  left.textContent = won ? "You saved the garden from a snowman" : over ? "The snowman is finished" : `${parts.length - wrong} parts left`;
  left.classList.toggle("over", over);
  return over || won;
}

letters.innerHTML = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
  .map((letter) => `<button type="button" class="letter" id="letter-${letter}" data-filter-by="text" data-evalby="text|color|background-color|width|height|border-radius">${letter}</button>`)
  .join("");

letters.addEventListener("click", (event) => {
  const button = event.target.closest(".letter");
  if (!button || guessed.has(button.textContent) || left.dataset.end) return;
  guessed.add(button.textContent);
  const right = answer.includes(button.textContent);
  button.classList.add(right ? "right" : "wrong");
  if (!right) {
    document.getElementById("snowman").insertAdjacentHTML("beforeend", parts[wrong]);
    wrong += 1;
  }
  if (show()) left.dataset.end = "yes";
});

show();
