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

// On a phone, the tab of the page is not left beyond the edge of the tabs.
document.querySelector('.tab-item[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });

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

// <select data-picker="/procurar/…"> offers a few records; this makes it a field
// that searches all of them (the combobox of the ARIA authoring practices). The
// select stays, hidden, and holds the value that the form sends.
const pickers = new WeakSet();

// In a row of a document, what the catalogue says of the chosen item stands in
// the fields that are left empty. What it said of the item before goes.
const fill = (select, fills) => {
  const prefix = select.closest("[data-row]")?.dataset.row;
  if (!prefix) return;
  const field = (name) => select.form.elements[prefix + name];
  const [item, price, ...description] = (field("was")?.value ?? "").split("|");
  const was = { price, description: description.join("|") };
  for (const name of ["description", "price"]) {
    const input = field(name);
    input.placeholder = fills?.[name] ?? (name === "price" ? "0,00" : "");
    if (item && select.value !== item && input.value === was[name]) input.value = "";
  }
};

const pick = (select) => {
  if (pickers.has(select)) return;
  pickers.add(select);
  const field = document.createElement("div");
  field.className = "relative";
  const input = document.createElement("input");
  const list = document.createElement("ul");
  input.id = select.id;
  input.type = "text";
  input.className = "input picker-input";
  input.autocomplete = "off";
  input.placeholder = "Procurar…";
  for (const [name, value] of [["role", "combobox"], ["aria-expanded", "false"], ["aria-autocomplete", "list"], ["aria-controls", `${select.id}-lista`]]) input.setAttribute(name, value);
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (select.hasAttribute(name)) input.setAttribute(name, select.getAttribute(name));
  }
  list.id = `${select.id}-lista`;
  list.className = "picker-list";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Encontrados");
  select.removeAttribute("id");
  select.required = false;
  select.hidden = true;
  select.before(field);
  field.append(input, list, select);

  const chosen = () => select.selectedOptions[0];
  const none = [...select.options].find((option) => option.value === "");
  const show = () => { input.value = chosen()?.value ? chosen().textContent : ""; };
  if (none && none.textContent.length > 1) input.placeholder = none.textContent;
  show();

  let active = -1, asked = 0, timer = 0, abort = null;
  const options = () => [...list.querySelectorAll("[role=option]")];
  const close = () => {
    clearTimeout(timer);
    asked++;
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  };
  const mark = (at) => {
    const all = options();
    if (all.length === 0) return;
    active = (at + all.length) % all.length;
    all.forEach((option, n) => option.setAttribute("aria-selected", String(n === active)));
    all[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", all[active].id);
  };
  const choose = ({ value, text, hint, fills }) => {
    let option = [...select.options].find((one) => one.value === value);
    if (!option) {
      option = new Option(text, value);
      select.add(option);
    }
    option.dataset.hint = hint ?? "";
    select.value = value;
    show();
    close();
    fill(select, fills);
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const say = (text) => {
    const item = document.createElement("li");
    item.className = "picker-note";
    item.textContent = text;
    list.replaceChildren(item);
  };
  const open = (found) => {
    if (found.length === 0) say("Nada encontrado.");
    else list.replaceChildren(...found.map((one, n) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${n}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.append(Object.assign(document.createElement("span"), { textContent: one.text }));
      if (one.hint) item.append(Object.assign(document.createElement("small"), { textContent: one.hint }));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(one);
      });
      item.choose = () => choose(one);
      return item;
    }));
    active = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const search = async (text) => {
    const mine = ++asked;
    abort?.abort();
    abort = new AbortController();
    try {
      const answer = await fetch(`${select.dataset.picker}?q=${encodeURIComponent(text)}`, { signal: abort.signal, redirect: "error" });
      if (!answer.ok) throw new Error(answer.statusText);
      const { data } = await answer.json();
      if (mine === asked && document.activeElement === input) open(data);
    } catch (error) {
      if (mine !== asked || error.name === "AbortError") return;
      say("Não foi possível procurar. Recarregue a página.");
      list.hidden = false;
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200, input.value);
  });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => { if (list.hidden) search(""); });
  input.addEventListener("keydown", (event) => {
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        event.preventDefault();
        if (list.hidden) search("");
        else mark(active + (event.key === "ArrowDown" ? 1 : active < 0 ? 0 : -1));
        break;
      case "Enter":
        event.preventDefault();
        (options()[active] ?? (options().length === 1 ? options()[0] : null))?.choose();
        break;
      case "Escape":
        if (list.hidden) return;
        event.stopPropagation();
        close();
        show();
        break;
    }
  });
  // Enter chooses, and never sends the form: the choice may still be on its way.
  input.addEventListener("keypress", (event) => { if (event.key === "Enter") event.preventDefault(); });
  input.addEventListener("blur", () => {
    if (input.value.trim() === "" && select.value !== "" && none) choose({ value: "", text: none.textContent });
    close();
    show();
  });
};

const pickAll = (root) => {
  for (const select of root.querySelectorAll("select[data-picker]")) pick(select);
};
pickAll(document);
document.addEventListener("htmx:load", (event) => pickAll(event.target));
