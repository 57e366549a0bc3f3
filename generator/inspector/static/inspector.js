import { jobs } from "/static/jobs.js";
import { keys } from "/static/keys.js";
import { sources } from "/static/sources.js";
import { progress } from "/static/progress.js";

const help = document.getElementById("help");
document.getElementById("help-button").addEventListener("click", () => help.showModal());

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("dialogsmith-theme", root.dataset.theme);
}
document.getElementById("theme-button").addEventListener("click", toggleTheme);

// A choice in a list applies at once; without script there is a button for it.
for (const id of ["sort", "dir"]) {
  document.getElementById(id)?.addEventListener("change", (event) => event.target.form.requestSubmit());
}
// Fields that were left empty do not belong into the address.
for (const form of document.querySelectorAll("form[method=get]")) {
  form.addEventListener("submit", () => {
    for (const field of form.elements) if (field.name && !field.value && !("keepEmpty" in field.dataset)) field.disabled = true;
  });
}
// Narrow screens begin with the samples, not with the filters.
const filters = document.getElementById("filters");
if (filters && matchMedia("(max-width: 860px)").matches) filters.open = false;

// The edit form opens at its first field.
const edit = document.getElementById("edit");
edit?.addEventListener("toggle", () => {
  if (edit.open) edit.querySelector("textarea").focus();
});

// A table that is wider than its place can be scrolled by keyboard too.
const widths = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of document.querySelectorAll(".wide")) widths.observe(box);

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = "Copied";
  });
}

keys({ help, toggleTheme });
sources();
progress();
jobs();
