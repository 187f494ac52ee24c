const log = document.getElementById("log");
const counts = {};

document.querySelector(".gallery").addEventListener("click", (event) => {
  const button = event.target.closest(".b");
  if (!button) return;
  counts[button.id] = (counts[button.id] || 0) + 1;
  for (const other of document.querySelectorAll(".b")) other.classList.toggle("last", other === button);
  log.textContent = `${button.textContent} was pressed ${counts[button.id]} times.`.replace(" 1 times", " once");
});
