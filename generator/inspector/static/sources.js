// Pointing at an utterance, or at a cited part of it, lights the sentences of the source that it rests on.

function light(turn, on) {
  const numbers = turn.dataset.sentences.split(" ").filter(Boolean);
  const documents = (turn.dataset.cites ?? "").split(" ").filter(Boolean);
  let first = null;
  for (const number of numbers) {
    const sentence = document.getElementById(`sentence-${number}`);
    sentence?.classList.toggle("lit", on);
    first ??= sentence;
  }
  for (const number of documents) {
    document.getElementById(`source-${number}`)?.classList.toggle("lit", on);
  }
  if (on && first) {
    const panel = first.closest(".source-text");
    panel.scrollTop = first.offsetTop - panel.clientHeight / 3;
  }
}

export function sources() {
  for (const turn of document.querySelectorAll("[data-turn], [data-span]")) {
    for (const [name, on] of [["mouseenter", true], ["focusin", true], ["mouseleave", false], ["focusout", false]]) {
      turn.addEventListener(name, () => light(turn, on));
    }
  }
}
