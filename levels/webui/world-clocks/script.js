const cities = [["lima", "Lima", -300], ["lisbon", "Lisbon", 0], ["nairobi", "Nairobi", 180], ["mumbai", "Mumbai", 330], ["osaka", "Osaka", 540], ["auckland", "Auckland", 720]];
const day = 24 * 60;
let moment = 12 * 60 + 30;
let home = "lisbon";

function clock(minutes) {
  const within = ((minutes % day) + day) % day;
  const pad = (number) => String(number).padStart(2, "0");
  return [within, `${pad(Math.floor(within / 60))}:${pad(within % 60)}`];
}

function partOf(minutes) {
  if (minutes < 300 || minutes >= 1260) return ["night", "asleep"];
  if (minutes < 540) return ["dawn", "getting up"];
  if (minutes < 1080) return ["day", "at work"];
  return ["dusk", "at table"];
}

function show() {
  document.getElementById("utc").textContent = `UTC ${clock(moment)[1]}`;
  document.getElementById("cities").innerHTML = cities.map(([id, name, offset]) => {
    const [minutes, time] = clock(moment + offset);
    const [kind, words] = partOf(minutes);
    return `<section class="city ${kind} ${id === home ? "home" : ""}" id="${id}" data-filter-by="background-color" data-evalby="background-color|width|height">
      <p class="name" data-filter-by="text" data-evalby="text|color|font-size">${name}</p>
      <p class="time" data-filter-by="font-size" data-evalby="text|color|font-size|font-family|letter-spacing">${time}</p>
      <p class="part" data-filter-by="has_text" data-evalby="text|color|font-size">${words}</p>
    </section>`;
  }).join("");
}

document.getElementById("earlier").addEventListener("click", () => { moment -= 180; show(); });
document.getElementById("later").addEventListener("click", () => { moment += 180; show(); });
document.getElementById("cities").addEventListener("click", (event) => {
  const city = event.target.closest(".city");
  if (!city) return;
  home = city.id;
  show();
});
show();
