"""Reading one table: what enters is a CSV file of engine/data, what leaves are `Row`s that know their file and line.

A line that starts with `#` is a comment. Every complaint is a `CatalogueError` that names file, line and column.
"""

import csv
import datetime
from collections.abc import Collection, Iterator
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import NoReturn

from engine.errors import CatalogueError

_FLAGS = {"y": True, "n": False}


class Row:
    """One line of a table by column name; the readings name file, line and column when a cell is wrong."""

    __slots__ = ("_cells", "file", "line")

    def __init__(self, cells: dict[str, str], file: str, line: int) -> None:
        self._cells = cells
        self.file = file
        self.line = line

    def wrong(self, why: str) -> NoReturn:
        """Errors: always CatalogueError, with file and line."""
        raise CatalogueError(f"{self.file}:{self.line}: {why}")

    def text(self, column: str) -> str:
        """The cell, empty if nothing stands there."""
        return self._cells[column]

    def needed(self, column: str) -> str:
        """The cell, which may not be empty. Errors: CatalogueError."""
        return self._cells[column] or self.wrong(f"{column} is empty")

    def number(self, column: str) -> float | None:
        """A finite number, or None where nothing stands. Errors: CatalogueError."""
        cell = self._cells[column]
        if not cell:
            return None
        try:
            number = float(cell)
        except ValueError:
            self.wrong(f"{column} is no number: {cell!r}")
        return number if isfinite(number) else self.wrong(f"{column} is not finite: {cell!r}")

    def needed_number(self, column: str) -> float:
        """A finite number. Errors: CatalogueError."""
        number = self.number(column)
        return self.wrong(f"{column} is empty") if number is None else number

    def scaled(self, column: str, factor: float) -> float | None:
        """A number in the base unit: the cell times `factor`."""
        number = self.number(column)
        return None if number is None else number * factor

    def whole(self, column: str) -> int | None:
        """A whole number, or None where nothing stands. Errors: CatalogueError."""
        cell = self._cells[column]
        if not cell:
            return None
        try:
            return int(cell)
        except ValueError:
            self.wrong(f"{column} is no whole number: {cell!r}")

    def needed_whole(self, column: str) -> int:
        """A whole number. Errors: CatalogueError."""
        number = self.whole(column)
        return self.wrong(f"{column} is empty") if number is None else number

    def wholes(self, *columns: str) -> tuple[int | None, ...]:
        """As `whole`, of many columns at once. Errors: CatalogueError."""
        cells = self._cells
        try:
            return tuple([int(cell) if (cell := cells[column]) else None for column in columns])
        except ValueError:
            return tuple([self.whole(column) for column in columns])

    def needed_wholes(self, *columns: str) -> tuple[int, ...]:
        """As `needed_whole`, of many columns at once. Errors: CatalogueError."""
        cells = self._cells
        try:
            return tuple([int(cells[column]) for column in columns])
        except ValueError:
            return tuple([self.needed_whole(column) for column in columns])

    def flag(self, column: str) -> bool | None:
        """y, n, or None where nothing stands. Errors: CatalogueError."""
        cell = self._cells[column]
        if not cell:
            return None
        if cell not in _FLAGS:
            self.wrong(f"{column} is neither y nor n: {cell!r}")
        return _FLAGS[cell]

    def day(self, column: str) -> datetime.date | None:
        """A date as YYYY-MM-DD, or None where nothing stands. Errors: CatalogueError."""
        cell = self._cells[column]
        if not cell:
            return None
        try:
            return datetime.date.fromisoformat(cell)
        except ValueError:
            self.wrong(f"{column} is no date: {cell!r}")

    def word(self, column: str, allowed: Collection[str]) -> str:
        """One of the allowed words. Errors: CatalogueError."""
        cell = self._cells[column]
        if cell not in allowed:
            self.wrong(f"{column} is none of {', '.join(sorted(allowed))}: {cell!r}")
        return cell

    def words(self, column: str, separator: str = ";") -> tuple[str, ...]:
        """A list of words."""
        return _parts(self._cells[column], separator)

    def set_of(self, column: str) -> frozenset[str]:
        """A set of words between commas."""
        return _set(self._cells[column])


@lru_cache(maxsize=512)
def _set(cell: str) -> frozenset[str]:
    return frozenset(_parts(cell, ","))


@lru_cache(maxsize=2048)  # the same sources and verified fields stand in many rows
def _parts(cell: str, separator: str) -> tuple[str, ...]:
    return tuple([part.strip() for part in cell.split(separator)]) if cell else ()


def rows(path: Path, columns: str) -> Iterator[Row]:
    """The lines of a table whose header must be exactly `columns` (names between blanks), in any order. Errors: CatalogueError."""
    with path.open(encoding="utf-8", newline="") as lines:
        header: list[str] | None = None
        reader, name = csv.reader(lines), path.name
        for cells in reader:
            if not cells or cells[0].startswith("#"):
                continue
            if header is None:
                header = _checked_header(cells, columns.split(), path, reader.line_num)
                continue
            if len(cells) != len(header):
                raise CatalogueError(f"{path.name}:{reader.line_num}: {len(cells)} cells, the header has {len(header)}")
            yield Row(dict(zip(header, cells, strict=False)), name, reader.line_num)


def _checked_header(header: list[str], columns: Collection[str], path: Path, line: int) -> list[str]:
    unknown, missing = sorted(set(header) - set(columns)), sorted(set(columns) - set(header))
    if unknown or missing or len(set(header)) < len(header):
        raise CatalogueError(f"{path.name}:{line}: unknown columns {unknown}, missing columns {missing}, or one twice")
    return header
