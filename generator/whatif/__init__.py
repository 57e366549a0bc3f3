"""What other thresholds, filters, labels or another parser would make of a run.

    changes = JudgingChanges(filters={"max_echo": 0.7})
    result = what_if(Path("outputs/run1"), changes)
    print(result.after.accepted - result.before.accepted, result.page(limit=10))

Nothing is written and no model is asked; `refilter` with the same changes gives just that.
"""

from __future__ import annotations

from generator.judging import JudgingChanges
from generator.whatif.result import (
    Moved,
    Places,
    WhatIf,
    WhatIfCancelled,
    WhatIfProgress,
)
from generator.whatif.saving import settings_to_save
from generator.whatif.simulation import what_if

__all__ = [
    "JudgingChanges",
    "Moved",
    "Places",
    "WhatIf",
    "WhatIfCancelled",
    "WhatIfProgress",
    "settings_to_save",
    "what_if",
]
