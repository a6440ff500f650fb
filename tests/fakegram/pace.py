"""How many messages the server takes: 30 a second in all, 20 a minute in a group, about one a second in a chat with bursts."""

import math
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field

from fakegram.refusals import too_many

EVERYWHERE = (30, 1.0)
IN_GROUP = (20, 60.0)
BURST = (20, 10.0)  # in one private chat; "avoid sending more than one message per second, short bursts are allowed"


@dataclass
class Pace:
    """When messages were taken. `until`: chats that were told to wait."""

    everywhere: deque[float] = field(default_factory=deque)
    by_chat: defaultdict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))
    until: dict[int, float] = field(default_factory=dict)
    refused: int = 0

    def take(self, chat_id: int) -> None:
        """Count a message. Errors: ApiError 429, also for whoever comes back too early."""
        now = time.monotonic()
        if now < self.until.get(chat_id, 0.0):
            self._refuse(chat_id, self.until[chat_id] - now)
        for times, (most, window) in ((self.by_chat[chat_id], IN_GROUP if chat_id < 0 else BURST), (self.everywhere, EVERYWHERE)):
            while times and times[0] <= now - window:
                times.popleft()
            if len(times) >= most:
                self._refuse(chat_id, times[0] + window - now)
        self.everywhere.append(now)
        self.by_chat[chat_id].append(now)

    def _refuse(self, chat_id: int, seconds: float) -> None:
        wait = max(1, math.ceil(seconds))
        self.until[chat_id] = time.monotonic() + wait
        self.refused += 1
        raise too_many(wait)
