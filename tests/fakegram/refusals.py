"""What the server answers when it refuses: a code, its words, and the parameters that go with them."""

from typing import Any


class ApiError(Exception):
    """A refusal as the Bot API words it."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


def bad(text: str, **parameters: Any) -> ApiError:
    """400 Bad Request."""
    return ApiError(400, f"Bad Request: {text}", **parameters)


def too_many(seconds: int) -> ApiError:
    """429: the same number stands in the words, in the parameters and in the header."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def forbidden(text: str) -> ApiError:
    """403 Forbidden."""
    return ApiError(403, f"Forbidden: {text}")
