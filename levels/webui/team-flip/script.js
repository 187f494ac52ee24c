for (const person of document.querySelectorAll(".person")) {
  person.addEventListener("click", () => person.classList.toggle("turned"));
}
