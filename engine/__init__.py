"""Sizewell's engine: `advise(request, catalogue, today)` gives a `Recommendation`. No Telegram, database, clock or network here."""
