const trains = [
  ["coast", "Coast", 10, 8, "The express to the coast leaves at 10:15."],
  ["valley", "Valley", 13, 40, "The valley train stops at every barn."],
  ["capital", "Capital", 18, 25, "Six coaches and a dining car to the capital."],
  ["sleeper", "Sleeper", 23, 55, "The sleeper waits for the last tram."],
];
const digits = document.getElementById("digits");

document.getElementById("marks").innerHTML = Array.from({ length: 12 }, (_, index) => {
  const angle = ((index + 1) * Math.PI) / 6;
  const x = Math.round(Math.sin(angle) * 210);
  const y = Math.round(-Math.cos(angle) * 210);
  return `<span class="mark" style="transform: translate(${x}px, ${y}px)" data-filter-by="text" data-evalby="text|color|font-size|font-family">${index + 1}</span>`;
}).join("");

document.getElementById("trains").innerHTML = trains
  .map(([id, name], index) => `<button type="button" id="${id}" class="${index === 0 ? "active" : ""}" data-filter-by="text" data-evalby="text|color|background-color|border|border-radius|height">${name}</button>`)
  .join("");

function show(id) {
  const [, , hour, minute, words] = trains.find((train) => train[0] === id);
  document.getElementById("hours").style.transform = `rotate(${((hour % 12) + minute / 60) * 30}deg)`;
  document.getElementById("minutes").style.transform = `rotate(${minute * 6}deg)`;
  digits.textContent = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  document.getElementById("train").textContent = words;
  for (const button of document.querySelectorAll(".trains button")) button.classList.toggle("active", button.id === id);
}

document.getElementById("trains").addEventListener("click", (event) => {
  if (event.target.id !== "trains") show(event.target.id);
});
document.getElementById("light").addEventListener("click", (event) => {
  const night = document.body.classList.toggle("night");
  document.body.classList.toggle("day", !night);
  event.target.textContent = night ? "Day lights" : "Night lights";
});
