// While the index is built or the run is written, says how far it is. The page itself stays as it
// is until somebody asks for what is new.

const number = new Intl.NumberFormat("en");

function sentence(state) {
  if (state.trouble) return state.trouble;
  const [done, total] = [number.format(state.done), number.format(state.total)];
  if (state.phase === "building") return `Indexing: ${done} of ${total} items. What is indexed can be seen already.`;
  if (state.phase === "checking") return `Looking for changes: ${done} of ${total} items.`;
  if (state.writing) {
    const { accepted, rejected } = state.counts;
    return `The run is being written: ${total} items so far, ${number.format(accepted)} accepted, ${number.format(rejected)} rejected.`;
  }
  return "";
}

export function progress() {
  const line = document.getElementById("progress");
  const text = document.getElementById("progress-text");
  const reload = document.getElementById("progress-reload");
  let shown = null;
  const ask = async () => {
    if (document.hidden) return;
    let state;
    try {
      const answer = await fetch("/progress");
      if (!answer.ok) return;
      state = await answer.json();
    } catch {
      line.hidden = false;
      text.textContent = "The inspector has ended; start `dialogsmith inspect` again.";
      return;
    }
    shown ??= state.generation;
    const changed = state.generation !== shown;
    const now = sentence(state);
    text.textContent = now || (changed ? "The run has changed." : "");
    if (changed && document.querySelector("[data-waiting]")) return location.reload();
    line.dataset.phase = state.phase;
    line.hidden = !text.textContent;
    reload.hidden = !changed;
  };
  ask();
  setInterval(ask, 2000);
}
