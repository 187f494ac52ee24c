"use strict";
const byId = (id) => document.getElementById(id);
const kind = document.querySelector("[data-trouble]");
const trouble = {
  // A page that never comes to rest: it changes and asks the server ten times a second.
  restless() {
    let ticks = 0;
    setInterval(() => {
      ticks += 1;
      byId("ticks").textContent = ticks;
      fetch(`/tick?n=${ticks % 10}`);
    }, 100);
    byId("confirm").addEventListener("click", () => { byId("done").textContent = "Reading confirmed."; });
  },
  endless() {
    byId("start").addEventListener("click", () => { for (;;) { Math.random(); } });
    if (location.search === "?now=1") for (;;) { Math.random(); }
  },
  alerts() {
    for (let number = 1; number <= 30; number += 1) alert(`Warning ${number} of 30: it is raining.`);
    byId("after").textContent = "All warnings were shown.";
  },
  popups() {
    const open = () => { for (let number = 1; number <= 30; number += 1) window.open(`/popup?n=${number}`, "_blank"); };
    byId("open").addEventListener("click", open);
    open();
  },
  closing() { setTimeout(() => window.close(), 300); },
  wandering() {
    byId("target").addEventListener("mouseenter", () => { byId("target").style.marginLeft = byId("target").style.marginLeft ? "" : "300px"; });
  },
  grow() {
    const more = () => { byId("heap").insertAdjacentHTML("beforeend", "<p>Another line of rain.</p>".repeat(50)); };
    addEventListener("scroll", more, { passive: true });
    more();
  },
  leaving() { addEventListener("beforeunload", (event) => event.preventDefault()); },
};
if (kind) trouble[kind.dataset.trouble]();
