const frame = document.getElementById("frame");
const form = document.getElementById("form");
const email = document.getElementById("email");
const password = document.getElementById("password");
const statusLine = document.getElementById("status");
const words = {
  in: ["Good to see you", "New here? Make an account, it takes a minute.", "Sign up", "Sign in"],
  up: ["Come on in", "You have an account already? Then go straight to it.", "Sign in", "Make an account"],
};

function report(text, kind) {
  statusLine.textContent = text;
  statusLine.className = `status ${kind}`;
}

document.getElementById("switch").addEventListener("click", () => {
  const joining = frame.classList.toggle("joining");
  const [welcome, hint, other, title] = words[joining ? "up" : "in"];
  document.getElementById("welcome").textContent = welcome;
  document.getElementById("hint").textContent = hint;
  document.getElementById("switch").textContent = other;
  document.getElementById("title").textContent = title;
  report("Your data stays on this computer.", "");
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const emailWrong = !/^\S+@\S+\.\S+$/.test(email.value);
  const passwordWrong = password.value.length < 8;
  email.parentElement.classList.toggle("wrong", emailWrong);
  password.parentElement.classList.toggle("wrong", passwordWrong);
  if (emailWrong) report("This e-mail address is not complete.", "error");
  else if (passwordWrong) report("The password needs at least 8 characters.", "error");
  else report(`Welcome, ${email.value.split("@")[0]}.`, "good");
});
