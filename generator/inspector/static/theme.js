// Runs before the page is painted, so that a chosen theme does not flash.
(() => {
  const chosen = localStorage.getItem("dialogsmith-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
})();
