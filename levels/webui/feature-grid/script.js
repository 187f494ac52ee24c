const features = [
  ["wind", "Wind", "Speed and direction, with the strongest gust of the last hour.", "M12 26h28a7 7 0 1 0-7-7M12 36h36a7 7 0 1 1-7 7"],
  ["rain", "Rain", "Counts each tenth of a millimetre in a tipping spoon.", "M20 34a10 10 0 1 1 4-19 12 12 0 0 1 22 6 8 8 0 0 1 0 13zM24 42v6M34 42v8M44 42v6"],
  ["sun", "Sunshine", "Minutes of sun, also through thin clouds.", "M32 22a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM32 10v5M32 49v5M10 32h5M49 32h5M17 17l3 3M44 44l3 3M47 17l-3 3M17 47l3-3"],
  ["frost", "Frost", "Rings before the first cold night of the year.", "M32 10v44M13 21l38 22M51 21L13 43M26 14l6 6 6-6M26 50l6-6 6 6"],
  ["soil", "Soil", "Moisture at three depths, for trees and for lettuce.", "M12 30h40M18 40h4M30 44h4M42 40h4M24 52h4M38 52h4M32 30V16M32 22c6 0 10-4 10-8-6 0-10 4-10 8z"],
  ["air", "Air", "Fine dust and pollen, counted twice, to be sure.", "M16 20h2M28 16h2M42 20h2M20 32h2M34 30h2M48 34h2M14 44h2M28 46h2M42 48h2"],
];
const grid = document.getElementById("grid");

grid.innerHTML = features.map(([id, title, words, path]) => `
  <article class="feature" id="${id}" data-filter-by="background-color" data-evalby="background-color|border|border-radius|width|height">
    <svg class="icon" viewBox="0 0 64 64"><path d="${path}"/></svg>
    <h3 data-filter-by="text" data-evalby="text|color|font-size|font-weight">${title}</h3>
    <p data-filter-by="text" data-evalby="text|color|font-size">${words}</p>
  </article>`).join("");

grid.addEventListener("click", (event) => {
  const feature = event.target.closest(".feature");
  if (feature) feature.classList.toggle("lit");
});
