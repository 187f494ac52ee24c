const words = {
  march: "The ice goes with a sound like a slow door.",
  may: "Everything that can sing does so before five.",
  july: "Nineteen degrees, and the boards of the jetty burn.",
  october: "The boats are turned over, and the geese count themselves.",
  january: "One can walk to the island, but the island is asleep.",
};

document.getElementById("row").addEventListener("click", (event) => {
  const season = event.target.closest(".season");
  if (!season) return;
  for (const other of document.querySelectorAll(".season")) other.classList.toggle("open", other === season);
  document.getElementById("words").textContent = words[season.id];
});
