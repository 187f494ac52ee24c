const questions = [
  ["Which planet turns so slowly that its day is longer than its year?", ["Mercury", "Venus", "Mars", "Neptune"], 1, "Venus needs 243 days to turn and 225 to circle the Sun."],
  ["Which planet would float if there were a bath large enough?", ["Jupiter", "Uranus", "Saturn", "Earth"], 2, "Saturn is lighter than water, by about a third."],
  ["On which planet is the highest known volcano?", ["Mars", "Earth", "Venus", "Jupiter"], 0, "Olympus Mons on Mars is almost 22 km high."],
];
const card = document.getElementById("card");
let current = 0;
let points = 0;

function ask() {
  const [question, answers] = questions[current];
  document.getElementById("count").textContent = `Question ${current + 1} of ${questions.length}`;
  document.getElementById("bar").style.width = `${(720 * (current + 0.5)) / questions.length}px`;
  card.innerHTML = `
    <h1 data-filter-by="font-size" data-evalby="text|color|font-size|font-family">${question}</h1>
    <div class="answers">${answers.map((answer, index) =>
      `<button type="button" class="answer" id="answer-${index}" data-filter-by="text" data-evalby="text|color|background-color|border|border-radius|width|height">${answer}</button>`).join("")}</div>
    <div class="after" id="after"></div>`;
}

function judge(index) {
  const [, , right, comment] = questions[current];
  if (document.querySelector(".answer.right")) return;
  if (index === right) points += 1;
  else document.getElementById(`answer-${index}`).classList.add("wrong");
  document.getElementById(`answer-${right}`).classList.add("right");
  document.getElementById("bar").style.width = `${(720 * (current + 1)) / questions.length}px`;
  document.getElementById("after").innerHTML = `
    <p class="comment" data-filter-by="has_text" data-evalby="text|color|font-size">${comment}</p>
    <button type="button" class="next" id="next" data-filter-by="text" data-evalby="text|color|background-color|border-radius|width|height">Next</button>`;
}

function finish() {
  document.getElementById("count").textContent = "Finished";
  card.innerHTML = `<h1 data-filter-by="font-size" data-evalby="text|color|font-size|font-family">You have ${points} of ${questions.length} right.</h1>`;
}

card.addEventListener("click", (event) => {
  const answer = event.target.closest(".answer");
  if (answer) judge(Number(answer.id.split("-")[1]));
  if (!event.target.closest(".next")) return;
  current += 1;
  if (current < questions.length) ask();
  else finish();
});

ask();
