"""Whether a region of a provider lies in the EU: its name enters, yes, no or unknown leaves. Only what a name says for sure."""

import re

_OUTSIDE_EU_IN_EUROPE = frozenset(
    (
        *("eu-west-2", "eu-central-2", "europe-west2", "europe-west6"),  # London, Zurich
        *("uksouth", "ukwest", "norwayeast", "norwaywest", "switzerlandnorth", "switzerlandwest", "uk", "gb", "ch", "no", "is"),
        *("london", "oslo", "zurich", "zürich", "reykjavik", "great britain", "switzerland", "norway", "iceland"),
    )
)
_EU_COUNTRIES = frozenset(
    (
        *("at", "be", "bg", "hr", "cy", "cz", "de", "dk", "ee", "es", "fi", "fr", "gr", "hu", "ie", "it", "lt", "lu", "lv", "mt", "nl"),
        *("pl", "pt", "ro", "se", "si", "sk", "deu", "fra", "fin", "nld", "swe", "esp", "ita", "pol", "irl"),
    )
)
_EU_NAMES = frozenset(
    (
        *("eu", "fin-01", "fin-02", "fin-03", "gra", "sbg", "rbx", "fsn1", "nbg1", "hel1", "waw", "par", "ams"),
        *("westeurope", "northeurope", "germanywestcentral", "germanynorth", "francecentral", "swedencentral", "polandcentral"),
        *("italynorth", "spaincentral", "frankfurt", "paris", "amsterdam", "stockholm", "helsinki", "warsaw", "falkenstein", "nürnberg"),
        *("germany", "france", "finland", "netherlands", "sweden", "spain", "italy", "poland", "ireland", "austria", "deutschland"),
    )
)
_EUROPEAN = re.compile(r"(?:eu|europe)-[a-z]+-?\d*(?:-?[a-z]|/.*)?")
_ELSEWHERE = re.compile(
    r"(?:us|ca|ap|sa|me|af|il|mx|asia|australia|northamerica|southamerica|eastus|westus|centralus|canada|japan|china)\b.*|(?:east|west|central|north|south)us\d?|us.*"
)


def in_eu(region: str) -> bool | None:
    """True in the EU, False outside, None where the name does not tell or names several regions."""
    name = region.strip().lower()
    zone = re.sub(r"(?<=\d)-?[a-f]$", "", name)  # an availability zone lies in its region
    if zone in _OUTSIDE_EU_IN_EUROPE:
        return False
    if zone in _EU_NAMES or zone in _EU_COUNTRIES or _EUROPEAN.fullmatch(zone):
        return True
    return False if _ELSEWHERE.fullmatch(zone) and "/" not in zone else None
