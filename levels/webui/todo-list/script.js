const tasks = [
  { what: "Water the tomatoes", done: true, urgent: false },
  { what: "Give the key to Mrs Alder", done: false, urgent: false },
  { what: "Find the second walking boot", done: false, urgent: false },
  { what: "Buy tickets for the night train", done: false, urgent: false },
  { what: "Stop the newspaper", done: false, urgent: false },
];
const list = document.getElementById("list");
const text = document.getElementById("text");
let filter = "all";

function escape(words) {
  const span = document.createElement("span");
  span.textContent = words;
  return span.innerHTML;
}

function show() {
  list.innerHTML = tasks.map((task, index) => {
    if ((filter === "open" && task.done) || (filter === "done" && !task.done)) return "";
    const kind = `${task.done ? "done" : ""} ${task.urgent ? "urgent" : ""}`;
    return `<li class="task ${kind}" id="task-${index}"><span class="box" data-filter-by="background-color" data-evalby="background-color|width|height|border|border-radius"></span><span class="what" data-filter-by="text" data-evalby="text|color|font-size|font-weight">${escape(task.what)}</span></li>`;
  }).join("");
  document.getElementById("rest").textContent = `${tasks.filter((task) => !task.done).length} open`;
  for (const button of document.querySelectorAll(".filter")) button.classList.toggle("active", button.id === filter);
}

function taskOf(event) {
  const item = event.target.closest(".task");
  return item ? tasks[Number(item.id.slice(5))] : null;
}

list.addEventListener("click", (event) => {
  const task = event.target.closest(".box") ? taskOf(event) : null;
  if (!task) return;
  task.done = !task.done;
  show();
});
list.addEventListener("dblclick", (event) => {
  const task = event.target.closest(".what") ? taskOf(event) : null;
  if (!task) return;
  task.urgent = !task.urgent;
  show();
});
document.getElementById("filters").addEventListener("click", (event) => {
  if (!event.target.closest(".filter")) return;
  filter = event.target.id;
  show();
});
document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (text.value.trim() === "") return;
  tasks.push({ what: text.value.trim(), done: false, urgent: false });
  text.value = "";
  show();
});

show();
