"""Who and what is asked about: enters as a Request, leaves as a `Subject` with names resolved to shapes and cards."""

from engine.subject.asked import Subject, subject_of
from engine.subject.findings import Contradiction
from engine.subject.hardware import Cards, Machine

__all__ = ["Cards", "Contradiction", "Machine", "Subject", "subject_of"]
