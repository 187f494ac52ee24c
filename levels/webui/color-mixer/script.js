const width = 360;
const channels = ["red", "green", "blue"];
const presets = [["brick", "#b5523b"], ["wheat", "#e8c468"], ["fern", "#5f8f4e"], ["lake", "#3f86a6"], ["heather", "#8e6bb0"]];
let color = [217, 140, 95];
let held = -1;

document.getElementById("channels").innerHTML = channels.map((name) => `
  <div class="channel" id="${name}">
    <span class="label" data-filter-by="text" data-evalby="text|color|font-size">${name[0].toUpperCase() + name.slice(1)}</span>
    <div class="track" data-filter-by="height" data-evalby="width|height|background|background-image|border-radius"><span class="knob" data-filter-by="background-color" data-evalby="background-color|width|height|border|border-radius"></span></div>
    <span class="value" data-filter-by="font-size" data-evalby="text|color|font-size|font-family"></span>
  </div>`).join("");

document.getElementById("presets").innerHTML = presets
  .map(([name, code]) => `<button type="button" class="preset" id="${name}" title="${name}" style="background: ${code}" data-filter-by="background-color" data-evalby="background-color|width|height|border-radius"></button>`)
  .join("");

function codeOf(parts) {
  return "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");
}

function show() {
  channels.forEach((name, index) => {
    const row = document.getElementById(name);
    row.querySelector(".knob").style.left = `${Math.round((color[index] / 255) * width)}px`;
    row.querySelector(".value").textContent = String(color[index]);
  });
  document.getElementById("sample").style.backgroundColor = codeOf(color);
  document.getElementById("code").textContent = codeOf(color);
}

function pull(event) {
  if (held < 0) return;
  const track = document.querySelector(`#${channels[held]} .track`).getBoundingClientRect();
  const share = (event.clientX - track.left) / width;
  color[held] = Math.round(Math.min(1, Math.max(0, share)) * 255);
  show();
}

document.getElementById("channels").addEventListener("mousedown", (event) => {
  const row = event.target.closest(".channel");
  if (!row || !event.target.closest(".track")) return;
  event.preventDefault();
  held = channels.indexOf(row.id);
  pull(event);
});
document.addEventListener("mousemove", pull);
document.addEventListener("mouseup", () => { held = -1; });

document.getElementById("presets").addEventListener("click", (event) => {
  const preset = presets.find(([name]) => name === event.target.id);
  if (!preset) return;
  color = [1, 3, 5].map((at) => parseInt(preset[1].slice(at, at + 2), 16));
  show();
});

show();
