// Work in the background: says how far it is, then shows its result.

const number = new Intl.NumberFormat("en");

export function jobs() {
  const box = document.querySelector("[data-job]");
  if (!box) return;
  const ask = async () => {
    let state;
    try {
      const answer = await fetch(`/jobs/${box.dataset.job}`);
      if (!answer.ok) return location.reload();
      state = await answer.json();
    } catch {
      return;
    }
    if (state.finished) return location.reload();
    const much = state.total ? `: ${number.format(state.done)} of ${number.format(state.total)}` : "";
    document.getElementById("job-text").textContent = `${state.phase}${much} …`;
    const share = state.total ? (100 * state.done) / state.total : 0;
    document.getElementById("job-bar").setAttribute("width", `${share}%`);
    setTimeout(ask, 500);
  };
  setTimeout(ask, 300);
}
