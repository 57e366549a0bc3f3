"""Raw dialogues parsed and filtered per second of processor time, on one core."""

from __future__ import annotations

import random
import statistics
import time

from material import raw_dialogue, segment

from generator.filters import DIALOGUE_FILTERS, DialogueSample, FilterSettings, run_filters
from parsers.dialogue import Dialogue, parse_dialogue

COUNT, ROUNDS = 2000, 7


def main() -> None:
    rng = random.Random(7)
    texts = [segment(rng) for _ in range(COUNT)]
    raws = [raw_dialogue(rng, text) for text in texts]
    settings = FilterSettings()
    parse_rates, whole_rates = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        parsed = [parse_dialogue(raw) for raw in raws]
        middle = time.process_time()
        for raw, text, dialogue in zip(raws, texts, parsed, strict=True):
            if isinstance(dialogue, Dialogue):
                run_filters(DialogueSample(text, dialogue, raw=raw), settings, DIALOGUE_FILTERS)
        end = time.process_time()
        parse_rates.append(COUNT / (middle - start))
        whole_rates.append(COUNT / (end - start))
    read = sum(isinstance(d, Dialogue) for d in parsed)
    size = statistics.mean(len(raw) for raw in raws)
    print(f"{COUNT} raw dialogues of {size:.0f} characters, {read} of them parsed; {ROUNDS} rounds")
    print(f"parse            median {statistics.median(parse_rates):8,.0f} a second")
    print(f"parse and filter median {statistics.median(whole_rates):8,.0f} a second")


if __name__ == "__main__":
    main()
