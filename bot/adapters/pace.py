"""How fast messages may leave: times enter, seconds to wait leave. Telegram allows about 30 a second, and 20 a minute in a group."""

from collections import defaultdict, deque
from dataclasses import dataclass, field

PER_SECOND = 25
PER_MINUTE_IN_GROUP = 18


@dataclass
class Pace:
    """What was sent lately by this process."""

    everywhere: deque[float] = field(default_factory=deque)
    in_group: defaultdict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def wait(self, chat_id: int, now: float) -> float:
        """Seconds until a message may go to this chat; 0 where it may go now."""
        waits = [_until_free(self.everywhere, now, 1.0, PER_SECOND)]
        if chat_id < 0:
            waits.append(_until_free(self.in_group[chat_id], now, 60.0, PER_MINUTE_IN_GROUP))
        return max(waits)

    def sent(self, chat_id: int, now: float) -> None:
        """Count a message."""
        self.everywhere.append(now)
        if chat_id < 0:
            self.in_group[chat_id].append(now)
        for quiet in [chat for chat, times in self.in_group.items() if times and times[-1] < now - 60]:
            del self.in_group[quiet]


def _until_free(times: deque[float], now: float, window: float, most: int) -> float:
    while times and times[0] <= now - window:
        times.popleft()
    return 0.0 if len(times) < most else times[0] + window - now
