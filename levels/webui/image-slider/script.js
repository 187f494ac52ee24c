const slides = [
  ["harbour.svg", "Harbour at noon", "The ferry is late and the gulls have noticed."],
  ["desert.svg", "Desert road", "Two hundred kilometres without a bend."],
  ["forest.svg", "Forest in May", "Under the beeches it is cool and green."],
  ["night.svg", "Night over the pass", "The last hut has its lamp on."],
];
const thumbs = document.querySelectorAll(".thumb");
let current = 0;

function show(index) {
  current = (index + slides.length) % slides.length;
  const [source, title, caption] = slides[current];
  document.getElementById("picture").src = source;
  document.getElementById("title").textContent = title;
  document.getElementById("caption").textContent = caption;
  document.getElementById("place").textContent = `${current + 1} / ${slides.length}`;
  thumbs.forEach((thumb, at) => thumb.classList.toggle("active", at === current));
}

thumbs.forEach((thumb, at) => thumb.addEventListener("click", () => show(at)));
document.getElementById("previous").addEventListener("click", () => show(current - 1));
document.getElementById("next").addEventListener("click", () => show(current + 1));
