"""What people report about a run that misbehaves: a message enters, symptoms the rules know leave. They are no part of the Request."""

import re
from collections.abc import Mapping

from engine.rules.case import Symptom

_SIGNS: Mapping[Symptom, re.Pattern[str]] = {
    "out_of_memory": re.compile(
        r"\boom\b|out[ -]of[ -](?:cuda[ -])?memory|insufficient memory|not enough (?:v?ram|memory)|run(?:s|ning)? out of (?:v?ram|memory)"
        r"|out of cuda|speicher(?:\s+\w+)? (?:läuft|laeuft|ist) (?:über|ueber|voll)|läuft (?:der speicher )?über|zu wenig (?:speicher|vram)"
        r"|speicher reicht nicht|kein speicher mehr|speicherüberlauf|speicherfehler",
        re.I,
    ),
    "fails_at_evaluation": re.compile(
        r"(?:after|during|at|in|on|when|while|starts?)\s+(?:the\s+)?(?:first\s+)?(?:validation|eval(?:uation|uating|s)?\b|checkpoint|generat)"
        r"|(?:eval(?:uation)?|validation)\s+(?:step|loop|run|phase|crash|fail|oom|die)"
        r"|(?:beim?|bei der|nach der|während der)\s+(?:ersten\s+)?(?:validierung|evaluierung|evaluation|auswertung|eval\b|generierung)"
        r"|(?:beim|nach dem)\s+(?:checkpoint|evaluieren|generieren|validieren)",
        re.I,
    ),
    "slow": re.compile(
        r"(?:super|very|painfully|extremely|really|so|too|way|terribly)\s+slow|\bslow(?:er|ly)?\b|crawl(?:s|ing)\b|takes (?:forever|ages)"
        r"|langsam|quälend|ewig lang|schnecke|dauert ewig|kriecht",
        re.I,
    ),
    "near_limit": re.compile(
        r"(?:at|near|close to|reaching|hitting) (?:the|my|its) (?:limit|max)|nvidia-smi (?:shows?|says?|zeigt|meldet)"
        r"|almost full|nearly full|am limit|am anschlag|fast voll|randvoll"
        r"|\d+(?:[.,]\d+)?\s*(?:/|of|von)\s*\d+(?:[.,]\d+)?\s*(?:gb|gib|mib)\b(?!\s*ram)",
        re.I,
    ),
    "no_speedup": re.compile(
        r"no faster|not (?:any )?faster|(?:twice|half) as (?:slow|fast)|slower than (?:one|a single|single|1)|no speed-?up"
        r"|nicht schneller|kein(?:en)? (?:geschwindigkeits)?(?:vorteil|gewinn)|langsamer als (?:eine|mit einer)",
        re.I,
    ),
    "not_sharded": re.compile(
        r"(?:removed?|without|dropped|disabled?|no|not using|deleted)\s+(?:the\s+)?(?:fsdp|deepspeed|zero|sharding)"
        r"|(?:fsdp|deepspeed|zero-?[123]|sharding)\b.{0,30}\b(?:removed|disabled|errored|not (?:active|working)|off)\b"
        r"|(?:ohne|kein|keine)\s+(?:fsdp|deepspeed|sharding)|each (?:gpu|card) (?:loads|holds|uses) (?:the )?(?:whole|full|same)"
        r"|(?:fsdp|deepspeed)\b.{0,30}\b(?:entfernt|ausgeschaltet|deaktiviert|abgeschaltet)\b",
        re.I,
    ),
}


def symptoms_of(message: str) -> frozenset[Symptom]:
    """The symptoms a message reports; only its first 4,096 characters are read."""
    return frozenset(symptom for symptom, sign in _SIGNS.items() if sign.search(message[:4096]))
