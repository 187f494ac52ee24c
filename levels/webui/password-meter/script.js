const rules = [
  ["length", "ten characters or more", (word) => word.length >= 10],
  ["case", "small and capital letters", (word) => /[a-z]/.test(word) && /[A-Z]/.test(word)],
  ["digit", "a digit", (word) => /\d/.test(word)],
  ["sign", "a sign such as ! or ?", (word) => /[^A-Za-z0-9]/.test(word)],
];
const verdicts = [["Very weak", "#ff4d4d"], ["Weak", "#ff8f4d"], ["Fair", "#ffd24d"], ["Good", "#c8f04d"], ["Strong", "#9dff70"]];
const password = document.getElementById("password");
const fill = document.getElementById("fill");
const verdict = document.getElementById("verdict");

document.getElementById("rules").innerHTML = rules
  .map(([id, text]) => `<li class="rule" id="${id}" data-filter-by="text" data-evalby="text|color|background-color|border-left|font-size|height">${text}</li>`)
  .join("");

function judge() {
  let met = 0;
  for (const [id, , test] of rules) {
    const good = test(password.value);
    met += good ? 1 : 0;
    document.getElementById(id).classList.toggle("met", good);
  }
  const [words, color] = password.value === "" ? ["Empty", "#777777"] : verdicts[met];
  verdict.textContent = words;
  verdict.style.color = password.value === "" ? "" : color;
  fill.style.width = `${password.value === "" ? 12 : 100 + met * 98}px`;
  fill.style.backgroundColor = color;
}

password.addEventListener("input", judge);
document.getElementById("show").addEventListener("click", (event) => {
  const hidden = password.type === "password";
  password.type = hidden ? "text" : "password";
  event.target.textContent = hidden ? "Hide" : "Show";
});
