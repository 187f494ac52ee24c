const follow = document.getElementById("follow");
const followers = document.getElementById("followers");
const card = document.querySelector(".card");

follow.addEventListener("click", () => {
  const following = follow.classList.toggle("following");
  follow.textContent = following ? "Following" : "Follow";
  followers.textContent = following ? "2317" : "2316";
});

document.getElementById("message").addEventListener("click", () => {
  if (document.getElementById("note")) return;
  card.insertAdjacentHTML("beforeend",
    `<p class="note" id="note" data-filter-by="text" data-evalby="text|color|background-color|border-radius|font-size">Ines answers on weekdays, usually within a day.</p>`);
});
