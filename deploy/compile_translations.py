"""Build hook of hatchling: compiles templates/locale/<language>/LC_MESSAGES/sizewell.po to .mo, for wheels and editable installs.

An editable install also gets the bytecode that pip makes for every other one: where PYTHONDONTWRITEBYTECODE is set, each start
would compile all modules anew, a third of a second.
"""

import compileall
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("engine", "bot")


class CompileTranslations(BuildHookInterface[Any]):
    """Every .po beside its .mo before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling names them
        """Called by hatchling before the build. Errors: whatever makes a .po unreadable stops the build."""
        root = Path(self.root)
        catalogues = _translations(root)
        for language in catalogues.LANGUAGES:
            catalogues.write(language, root / "templates" / "locale")
        if version == "editable":
            for folder in SOURCES:
                compileall.compile_dir(root / folder, quiet=2)


def _translations(root: Path) -> ModuleType:
    """The product's own compiler, loaded by path: its dependencies are not installed while it is being built."""
    path = root / "bot" / "rendering" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
