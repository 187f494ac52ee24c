"use strict";
const byId = (id) => document.getElementById(id);
if (window !== window.top) document.body.classList.add("embedded");

// More titles when the end of the list comes into view.
const more = byId("more");
if (more) {
  let busy = false;
  const load = async () => {
    if (busy || !more.dataset.next) return;
    busy = true;
    more.textContent = "Loading more titles…";
    const answer = await fetch(more.dataset.next);
    byId("titles").insertAdjacentHTML("beforeend", await answer.text());
    more.dataset.next = answer.headers.get("x-next") || "";
    more.textContent = more.dataset.next ? "" : "That is all.";
    busy = false;
  };
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) load(); }).observe(more);
}

// A bar that makes room when the reader scrolls down and comes back when the reader scrolls up.
const bar = document.querySelector(".hiding");
if (bar) {
  let last = 0;
  addEventListener("scroll", () => {
    const now = scrollY;
    if (Math.abs(now - last) > 4) bar.classList.toggle("away", now > last && now > 80);
    last = now;
  }, { passive: true });
  byId("request").addEventListener("submit", (event) => {
    event.preventDefault();
    const known = byId("code").value.trim() === "AR-7719";
    byId("answer").textContent = known ? "Your reading place is reserved." : "This code is not known.";
  });
}

// The rest of a long text, where the page keeps it short.
const whole = byId("read-more");
if (whole) {
  whole.addEventListener("click", () => {
    byId("rest").hidden = false;
    whole.remove();
  });
}
