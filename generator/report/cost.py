"""What the calls of a run cost."""

from __future__ import annotations

from generator.calling.prices import PriceTable
from generator.store import RunStore


def cost_of_calls(store: RunStore, prices: PriceTable) -> float | None:
    """US dollars of all calls; None where a price or a count is unknown."""
    total = 0.0
    for spec, usage in store.usage_by_spec():
        price = prices.price_of(spec)
        cost = None if price is None else price.cost_of(usage)
        if cost is None:
            return None
        total += cost
    return round(total, 8)
