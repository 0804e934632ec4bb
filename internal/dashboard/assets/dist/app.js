// Everything works without this file; it only spares a person trouble.
"use strict";

// A second click on a form that is on its way does nothing. (The server runs it
// once anyway; this keeps the first answer, which may show a secret.)
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  for (const button of form.querySelectorAll("button[type=submit], button:not([type])")) {
    button.setAttribute("aria-busy", "true");
    button.classList.add("btn-disabled");
  }
});

// Back from the browser's cache, the forms can be sent again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll(".btn-disabled[aria-busy]")) {
      button.removeAttribute("aria-busy");
      button.classList.remove("btn-disabled");
    }
  }
});

// <button data-copy="id">: copies the text of an element, and says so.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  await navigator.clipboard.writeText(source.textContent.trim());
  const said = button.textContent;
  button.textContent = "Copiado";
  setTimeout(() => { button.textContent = said; }, 2000);
});

// One menu at a time; Escape and a click elsewhere close it.
const close = (except) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.removeAttribute("open");
  }
};
document.addEventListener("click", (event) => close(event.target.closest("details[data-menu]")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details[data-menu][open]");
  if (menu) {
    menu.querySelector("summary").focus();
    close();
  }
});

// <select data-follow>: the parts of the form that belong to another choice are hidden.
const follow = (select) => {
  for (const part of document.querySelectorAll(`[data-when="${select.name}"]`)) {
    part.hidden = part.dataset.is !== select.value;
  }
};
for (const select of document.querySelectorAll("select[data-follow]")) {
  follow(select);
  select.addEventListener("change", () => follow(select));
}

// <button data-check="name">: ticks or clears all boxes of a name.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-check]");
  if (!button) return;
  const boxes = [...button.form.querySelectorAll(`input[name="${button.dataset.check}"]`)]
    .filter((box) => !button.dataset.ending || box.value.endsWith(button.dataset.ending));
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
});
