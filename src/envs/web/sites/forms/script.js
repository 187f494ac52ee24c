"use strict";
const byId = (id) => document.getElementById(id);

// A form that shows what it received, in the page.
for (const form of document.querySelectorAll("form[data-show]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const list = document.createElement("dl");
    for (const [name, value] of new FormData(form)) {
      list.appendChild(document.createElement("dt")).textContent = name;
      list.appendChild(document.createElement("dd")).textContent = value instanceof File ? value.name : value;
    }
    const result = byId("result");
    result.replaceChildren(Object.assign(document.createElement("strong"), { textContent: form.dataset.show }), list);
    for (const editor of form.querySelectorAll("[contenteditable]")) {
      list.appendChild(document.createElement("dt")).textContent = editor.id;
      list.appendChild(document.createElement("dd")).textContent = editor.textContent;
    }
    result.scrollIntoView({ block: "center" });
  });
}

const check = byId("check");
if (check) {
  check.addEventListener("click", () => {
    const digits = byId("number").value.replace(/\D/g, "");
    const known = digits === "6035718200991140" && byId("pin").value === "4821";
    byId("result").textContent = known
      ? "Balance: $37.50. The card is valid until June 2031."
      : "There is no card with this number and PIN.";
  });
}
const send = byId("send-card");
if (send) {
  send.addEventListener("click", () => {
    const mail = byId("recipient").value;
    byId("sent").textContent = mail.includes("@") ? `A card of ${byId("amount").value} will be sent to ${mail}.` : "Please enter an e-mail address.";
  });
}

for (const tool of document.querySelectorAll(".tools button")) {
  tool.addEventListener("click", () => { byId("message").focus(); document.execCommand(tool.dataset.command); });
}

const calendar = byId("days");
if (calendar) {
  const months = [["March 2027", 0, 31, []], ["April 2027", 3, 30, []], ["May 2027", 5, 31, [4, 12, 19, 27]]];
  const slots = ["09:40", "11:20", "14:00"];
  let month = 0;
  let when = "";
  let service = "";
  const show = () => {
    const [name, start, days, free] = months[month];
    byId("month").textContent = name;
    const cells = [...Array(start)].map(() => document.createElement("span"));
    for (let day = 1; day <= days; day += 1) {
      const cell = Object.assign(document.createElement("div"), { className: "day", textContent: day, tabIndex: 0 });
      cell.setAttribute("role", "button");
      cell.setAttribute("aria-disabled", !free.includes(day));
      cell.id = `day-${month + 3}-${day}`;
      if (free.includes(day)) cell.addEventListener("click", () => choose(cell, `${day} ${name}`));
      cells.push(cell);
    }
    calendar.replaceChildren(...cells);
    byId("before").disabled = month === 0;
    byId("after").disabled = month === months.length - 1;
  };
  const choose = (cell, date) => {
    for (const other of calendar.querySelectorAll(".chosen")) other.classList.remove("chosen");
    cell.classList.add("chosen");
    byId("slots").replaceChildren(...slots.map((time, index) => {
      const slot = Object.assign(document.createElement("button"), { className: "plain", type: "button", textContent: time });
      slot.id = `slot-${index + 1}`;
      slot.addEventListener("click", () => { when = `${date}, ${time}`; byId("chosen").textContent = `Chosen: ${when}`; });
      return slot;
    }));
  };
  for (const item of document.querySelectorAll("[data-service]")) {
    item.addEventListener("click", () => {
      service = item.dataset.service;
      byId("service").textContent = service;
      byId("when").hidden = false;
    });
  }
  byId("before").addEventListener("click", () => { month -= 1; show(); });
  byId("after").addEventListener("click", () => { month += 1; show(); });
  byId("confirm").addEventListener("click", () => {
    byId("result").textContent = when
      ? `Confirmed: ${service}, ${when}. Your note: ${byId("remark").textContent || "none"}`
      : "Please choose a day and a time.";
  });
  show();
}
