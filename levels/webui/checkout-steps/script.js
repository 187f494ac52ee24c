const order = { name: "", street: "", way: "post" };
const ways = [["post", "By post", "two days"], ["bike", "By bicycle", "today, in town"], ["shop", "I come to the shop", "from ten o'clock"]];
const sheet = document.getElementById("sheet");
const back = document.getElementById("back");
const forward = document.getElementById("forward");
let step = 0;

function escape(words) {
  const span = document.createElement("span");
  span.textContent = words;
  return span.innerHTML.replaceAll('"', "&quot;");
}

function title(words) {
  return `<h1 data-filter-by="font-size" data-evalby="text|color|font-size|font-family">${words}</h1>`;
}

function field(id, label) {
  return `<label for="${id}" data-filter-by="text" data-evalby="text|color|font-size">${label}</label>
    <input type="text" id="${id}" value="${escape(order[id])}" data-filter-by="height" data-evalby="width|height|border|border-radius|color">`;
}

function wayOf([id, name, note]) {
  return `<button type="button" class="way ${order.way === id ? "chosen" : ""}" id="${id}" data-filter-by="background-color" data-evalby="background-color|border|border-radius|width|height">
    <span data-filter-by="text" data-evalby="text|color|font-size">${name}</span><small data-filter-by="text" data-evalby="text|color|font-size">${note}</small></button>`;
}

function review() {
  const [, name, note] = ways.find(([id]) => id === order.way);
  const lines = [order.name || "No name", order.street || "No street", `${name}, ${note}`];
  return lines.map((line) => `<p class="review" data-filter-by="text" data-evalby="text|color|font-size">${escape(line)}</p>`).join("");
}

const sheets = [
  () => title("Where to?") + field("name", "Name") + field("street", "Street and number"),
  () => title("And how?") + ways.map(wayOf).join(""),
  () => title("Is this right?") + review(),
  () => title("Thank you!") + `<p class="review" data-filter-by="text" data-evalby="text|color|font-size">Your parcel is as good as packed.</p>`,
];

function show() {
  sheet.innerHTML = sheets[step]();
  document.querySelectorAll(".stop").forEach((stop, index) => {
    stop.className = index < step ? "stop done" : index === step ? "stop current" : "stop";
  });
  back.disabled = step === 0 || step === 3;
  forward.textContent = step === 2 ? "Send order" : "Continue";
  forward.disabled = step === 3;
}

sheet.addEventListener("input", (event) => { order[event.target.id] = event.target.value; });
sheet.addEventListener("click", (event) => {
  const way = event.target.closest(".way");
  if (!way) return;
  order.way = way.id;
  show();
});
back.addEventListener("click", () => { step -= 1; show(); });
forward.addEventListener("click", () => { step += 1; show(); });
show();
