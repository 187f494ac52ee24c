const answer = "robin";
const tries = 4;
const letters = 5;
const grid = document.getElementById("grid");
const keyboard = document.getElementById("keyboard");
const message = document.getElementById("message");
let row = 0;
let word = "";

grid.innerHTML = Array.from({ length: tries * letters }, (_, index) =>
  `<div class="cell" id="cell-${index}" data-filter-by="background-color" data-evalby="text|color|background-color|border|border-radius|width|height|font-size"></div>`).join("");

function keyOf(name) {
  return `<button type="button" class="key" id="key-${name}" data-filter-by="text" data-evalby="text|color|background-color|border-radius|width|height">${name.length === 1 ? name.toUpperCase() : name}</button>`;
}

keyboard.innerHTML = [[..."qwertyuiop"], [..."asdfghjkl"], ["enter", ..."zxcvbnm", "back"]]
  .map((names) => `<div class="line">${names.map(keyOf).join("")}</div>`)
  .join("");

function judge(guess) {
  const left = [...answer].filter((letter, index) => guess[index] !== letter);
  return [...guess].map((letter, index) => {
    if (answer[index] === letter) return "hit";
    const place = left.indexOf(letter);
    if (place < 0) return "miss";
    left.splice(place, 1);
    return "near";
  });
}

function draw() {
  for (let index = 0; index < letters; index += 1) {
    const cell = document.getElementById(`cell-${row * letters + index}`);
    cell.textContent = word[index] || "";
    cell.classList.toggle("filled", index < word.length);
  }
}

function enter() {
  if (word.length < letters) {
    message.textContent = "Not enough letters";
    return;
  }
  judge(word).forEach((kind, index) => {
    document.getElementById(`cell-${row * letters + index}`).classList.add(kind);
    const key = document.getElementById(`key-${word[index]}`);
    if (!key.classList.contains("hit")) key.className = `key ${kind}`;
  });
  const won = word === answer;
  row += 1;
  message.textContent = won ? "A robin it is!" : row === tries ? "It was ROBIN" : `${tries - row} guesses left`;
  message.classList.toggle("won", won);
  if (won) row = tries;
  word = "";
}

function press(name) {
  if (row === tries) return;
  if (name === "enter") return enter();
  if (name === "back") word = word.slice(0, -1);
  else if (/^[a-z]$/.test(name) && word.length < letters) word += name;
  draw();
}

keyboard.addEventListener("click", (event) => {
  const key = event.target.closest(".key");
  if (key) press(key.id.slice(4));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Backspace") press("back");
  else if (event.key === "Enter") press("enter");
  else press(event.key.toLowerCase());
});
