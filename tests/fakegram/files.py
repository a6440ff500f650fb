"""Files on the server: an upload or an id enters, the object that stands in a message leaves."""

import struct
from dataclasses import dataclass, field
from typing import Any

from fakegram.refusals import bad

LARGEST_PHOTO = 10 << 20
LARGEST_DOCUMENT = 50 << 20
LARGEST_DOWNLOAD = 20 << 20


@dataclass(frozen=True)
class Stored:
    """A file the server keeps."""

    file_id: str
    name: str
    content: bytes

    @property
    def as_file(self) -> dict[str, Any]:
        """What every kind of file has."""
        return {"file_id": self.file_id, "file_unique_id": f"u{self.file_id}", "file_size": len(self.content)}


@dataclass
class Files:
    """All files, by id."""

    stored: dict[str, Stored] = field(default_factory=dict)

    def keep(self, name: str, content: bytes) -> Stored:
        """Store a file under a new id."""
        made = Stored(f"BQAC{len(self.stored) + 1:06d}", name, content)
        self.stored[made.file_id] = made
        return made

    def given(self, value: Any, uploads: dict[str, tuple[str, bytes]], parameter: str) -> Stored:
        """The file an argument means: an upload, `attach://name`, or the id of one that is known. Errors: ApiError."""
        name = value[9:] if isinstance(value, str) and value.startswith("attach://") else parameter
        if name in uploads:
            return self.keep(*uploads[name])
        if value in self.stored:
            return self.stored[value]
        raise bad("wrong remote file identifier specified: Wrong string length")

    def by_path(self, path: str) -> bytes | None:
        """Content by the path getFile gave."""
        found = self.stored.get(path.rpartition("/")[2])
        return found.content if found else None

    def described(self, file_id: str) -> dict[str, Any]:
        """getFile. Errors: ApiError."""
        found = self.stored.get(file_id)
        if found is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        if len(found.content) > LARGEST_DOWNLOAD:
            raise bad("file is too big")
        return {**found.as_file, "file_path": f"documents/{file_id}"}


def photo(file: Stored) -> list[dict[str, Any]]:
    """The sizes of a picture. Errors: ApiError for what is no PNG, too large or of extreme shape."""
    if len(file.content) > LARGEST_PHOTO:
        raise bad("file is too big for a photo")
    if file.content[:8] != b"\x89PNG\r\n\x1a\n" or file.content[12:16] != b"IHDR":
        raise bad("IMAGE_PROCESS_FAILED")
    width, height = struct.unpack(">II", file.content[16:24])
    if width + height > 10_000 or max(width, height) > 20 * min(width, height):
        raise bad("PHOTO_INVALID_DIMENSIONS")
    return [{**file.as_file, "width": width, "height": height}]


def document(file: Stored) -> dict[str, Any]:
    """A document as it stands in a message. Errors: ApiError."""
    if not file.content:
        raise bad("file must be non-empty")
    if len(file.content) > LARGEST_DOCUMENT:
        raise bad("file is too big")
    return {**file.as_file, "file_name": file.name}
