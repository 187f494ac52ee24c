const books = [
  ["The Slow Train", "M. Okafor", "travel", 7], ["Salt and Bread", "I. Brandt", "cooking", 12],
  ["A House of Aunts", "P. Lindqvist", "novels", 6], ["Lichens of the North", "T. Arden", "nature", 18],
  ["Eleven Harbours", "C. Duarte", "travel", 9], ["The Glass Postman", "R. Oyelaran", "novels", 5],
  ["Moths at the Window", "E. Tamm", "nature", 11], ["Soup for Six", "J. Moreau", "cooking", 8],
  ["Winter in the Mill", "A. Kovac", "novels", 7], ["Over the Passes", "H. Sato", "travel", 14],
];
const subjects = [["all", "Everything"], ["travel", "Travel"], ["novels", "Novels"], ["nature", "Nature"], ["cooking", "Cooking"]];
const shelf = document.getElementById("shelf");

document.getElementById("subjects").innerHTML = subjects
  .map(([id, title]) => `<button type="button" class="subject" id="${id}" data-filter-by="text" data-evalby="text|color|font-size|border-bottom-color">${title}</button>`)
  .join("");

function bookOf([title, by, subject, cost]) {
  return `<article class="book">
    <div class="cover ${subject}" data-filter-by="background-color" data-evalby="background-color|color|width|height|box-shadow|border-radius"><b data-filter-by="text" data-evalby="text|color|font-size|font-family">${title}</b></div>
    <p class="by" data-filter-by="text" data-evalby="text|color|font-size">${by}</p>
    <p class="cost" data-filter-by="text" data-evalby="text|color|font-size|font-weight">€ ${cost}</p>
  </article>`;
}

function show(subject) {
  const fitting = books.filter((book) => subject === "all" || book[2] === subject);
  shelf.innerHTML = fitting.map(bookOf).join("");
  document.getElementById("found").textContent = `${fitting.length} books`;
  for (const button of document.querySelectorAll(".subject")) button.classList.toggle("active", button.id === subject);
}

document.getElementById("subjects").addEventListener("click", (event) => {
  if (event.target.closest(".subject")) show(event.target.id);
});

show("all");
