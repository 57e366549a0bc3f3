// The keys of the page. Which there are, and what they do, stands in the help table.

const byKey = new Map(
  [...document.querySelectorAll("#help tr[data-key]")].map((row) => [row.dataset.key, row.dataset.action]),
);

let chosen = -1;
let fault = -1;

const rows = () => [...document.querySelectorAll("#rows > .row")];

function choose(step) {
  const all = rows();
  const next = chosen + step;
  if (next >= all.length) return follow("#next-page");
  if (next < 0) return chosen <= 0 ? follow("#previous-page") : undefined;
  all[chosen]?.removeAttribute("aria-current");
  chosen = next;
  all[chosen].setAttribute("aria-current", "true");
  all[chosen].querySelector(".open-row").focus({ preventScroll: true });
  all[chosen].scrollIntoView({ block: "nearest" });
}

function follow(selector) {
  document.querySelector(selector)?.click();
}

function press(selector) {
  const button = document.querySelector(selector);
  if (button && !button.disabled) button.click();
}

export function showFault(mark) {
  mark.scrollIntoView({ block: "center" });
  for (const lit of document.querySelectorAll("mark.fault.lit")) lit.classList.remove("lit");
  mark.classList.add("lit");
}

function toggleDetails() {
  const all = [...document.querySelectorAll("main details")];
  const open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
}

export function keys({ help, toggleTheme }) {
  const list = document.body.dataset.page === "list";
  const actions = {
    next: () => (list ? choose(1) : follow("#next-sample")),
    previous: () => (list ? choose(-1) : follow("#previous-sample")),
    open: () => rows()[chosen]?.querySelector(".open-row").click(),
    "next-page": () => follow("#next-page"),
    "previous-page": () => follow("#previous-page"),
    accept: () => press("[data-action=accept]"),
    refuse: () => press("[data-action=refuse]"),
    undo: () => press("[data-action=undo]"),
    edit: () => press("[data-action=edit]"),
    fault: () => {
      const marks = document.querySelectorAll("mark.fault");
      if (marks.length) showFault(marks[(fault = (fault + 1) % marks.length)]);
    },
    details: toggleDetails,
    back: () => follow("#back-to-list"),
    search: () => document.getElementById("search").select(),
    funnel: () => follow("#nav-funnel"),
    list: () => follow("#nav-list"),
    whatif: () => follow("#nav-whatif"),
    compare: () => follow("#nav-compare"),
    theme: toggleTheme,
    help: () => help.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const field = event.target.closest("input, textarea, select, [contenteditable]");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    const action = byKey.get(event.key);
    if (!action) return;
    // A focused link or button keeps its Enter.
    if (action === "open" && (chosen < 0 || event.target.closest("a, button, summary"))) return;
    event.preventDefault();
    actions[action]();
  });

  for (const button of document.querySelectorAll("[data-goto-fault]")) {
    button.addEventListener("click", () => {
      const mark = document.querySelector(`mark.fault[data-reason="${button.dataset.gotoFault}"]`);
      if (mark) showFault(mark);
    });
  }
}
