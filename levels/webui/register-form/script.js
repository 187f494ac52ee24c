const fields = {
  name: [(value) => value.trim().length >= 2, "Nice to meet you", "A name has two letters or more"],
  email: [(value) => /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(value), "We will not use it often", "Something is missing around the @"],
  voice: [(value) => value !== "Please choose", "There is a chair for you", "Please choose a voice"],
  year: [(value) => /^(19|20)\d\d$/.test(value), "Thank you", "Four digits, such as 1985"],
};
const form = document.getElementById("form");

function check(id) {
  const [test, praise, complaint] = fields[id];
  const input = document.getElementById(id);
  const good = test(input.value);
  input.parentElement.className = good ? "field good" : "field bad";
  document.getElementById(`${id}-hint`).textContent = good ? praise : complaint;
  return good;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const wrong = Object.keys(fields).filter((id) => !check(id)).length;
  const send = document.getElementById("send");
  send.classList.toggle("sent", wrong === 0);
  if (wrong === 0) send.textContent = "See you on Wednesday";
  else send.textContent = wrong === 1 ? "One field is missing" : `${wrong} fields are missing`;
});

for (const id of Object.keys(fields)) {
  document.getElementById(id).addEventListener("change", () => check(id));
}
