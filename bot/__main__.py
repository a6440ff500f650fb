"""`sizewell` and `python -m bot`: start quickly, then hand over to the command line.

Measured savings: pydantic would look through every installed package for plugins, the garbage collector would search in vain what
imports make to stay (a tenth of the start each), and libraries of the bot would load what colours tracebacks (a tenth of its start).
"""

import gc
import os
import sys

_NOT_NEEDED = ("rich", "pygments")  # httpx wants them for a command of its own, structlog and Mako for tracebacks


def main() -> None:
    """Entry point of the command."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    sys.modules.update(dict.fromkeys(_NOT_NEEDED))  # type: ignore[arg-type]  # None says that there is none
    gc.disable()
    from bot.cli import main as run

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
