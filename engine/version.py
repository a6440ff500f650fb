"""The engine's version, as in every answer."""

ENGINE_VERSION = "0.1.0"
