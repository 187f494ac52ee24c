const promise = document.getElementById("promise");
const email = document.getElementById("email");

document.getElementById("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const good = /^\S+@\S+\.\S+$/.test(email.value);
  promise.className = good ? "line thanks" : "line wrong";
  promise.textContent = good ? "Thank you. The next letter comes with the blossom." : "That does not look like an address.";
  if (good) email.value = "";
});

document.getElementById("leaves").addEventListener("click", (event) => {
  const autumn = document.querySelector("footer").classList.toggle("autumn");
  event.target.textContent = autumn ? "Summer colours" : "Autumn colours";
});
