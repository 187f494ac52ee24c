"use strict";
const byId = (id) => document.getElementById(id);
const on = (id, act) => { const found = byId(id); if (found) found.addEventListener("click", act); };
if (document.querySelector("[data-small]")) document.body.classList.add("small");

// The banner covers the front page until it is answered.
const banner = byId("cookies");
if (banner) {
  banner.hidden = localStorage.getItem("cookies") !== null;
  for (const [id, answer] of [["accept", "all"], ["decline", "needed"]]) {
    on(id, () => { localStorage.setItem("cookies", answer); banner.hidden = true; });
  }
}

on("fares", (event) => {
  const slug = event.currentTarget.dataset.slug;
  window.open(`/fares/${slug}`, "fares", "popup,width=520,height=480");
});
for (const fare of document.querySelectorAll("[data-fare]")) {
  fare.addEventListener("click", () => {
    byId("picked").textContent = `You chose ${fare.dataset.fare}.`;
    if (window.opener) window.opener.postMessage({ fare: fare.dataset.fare }, location.origin);
  });
}
addEventListener("message", (event) => {
  const shown = byId("fare");
  if (shown && event.origin === location.origin && event.data.fare) shown.textContent = `Fare: ${event.data.fare}`;
});
on("close", () => window.close());

on("hello", () => { alert("Take a seat on the left: the view is better."); byId("said").textContent = "Tip shown."; });
on("name", () => { byId("said").textContent = `Welcome, ${prompt("Your name?", "Traveller") || "stranger"}.`; });
on("sure", () => { byId("said").textContent = confirm("Delete all your notes?") ? "Deleted." : "Kept."; });

const cancel = byId("cancel");
if (cancel) {
  cancel.addEventListener("submit", (event) => {
    if (!confirm(`Cancel booking ${byId("ref").value}? This cannot be undone.`)) event.preventDefault();
  });
}

const letter = byId("letter");
if (letter) {
  let changed = false;
  letter.addEventListener("input", () => { changed = true; });
  addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
}

on("book", () => byId("booking").showModal());
on("later", () => byId("booking").close());

// A seat plan in a shadow tree, and a small closed one.
customElements.define("seat-plan", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: this.getAttribute("mode") || "open" });
    root.innerHTML = "<style>button { font: inherit; width: 46px; height: 40px; margin: 3px; border: 1px solid #b9a3ae; border-radius: 6px; background: #fff; cursor: pointer } button[aria-pressed=true] { background: #7a1f4b; color: #fff } p { margin: 6px 3px }</style><div id='seats'></div><p id='seat' role='status'>No seat chosen.</p>";
    const car = this.getAttribute("car");
    for (let row = 1; row <= 4; row += 1) {
      const line = document.createElement("div");
      for (const letter of "ABCD") {
        const seat = Object.assign(document.createElement("button"), { type: "button", textContent: `${row}${letter}` });
        seat.setAttribute("aria-pressed", "false");
        seat.disabled = (row * 7 + letter.charCodeAt(0)) % 5 === 0;
        seat.addEventListener("click", () => {
          for (const other of root.querySelectorAll("button")) other.setAttribute("aria-pressed", other === seat);
          root.getElementById("seat").textContent = `Car ${car}, seat ${seat.textContent}.`;
          this.dispatchEvent(new CustomEvent("seat", { detail: `${car}-${seat.textContent}`, bubbles: true }));
        });
        line.append(seat);
      }
      root.getElementById("seats").append(line);
    }
  }
});
addEventListener("seat", (event) => { byId("my-seat").textContent = `Your seat: ${event.detail}`; });
