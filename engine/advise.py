"""The path from a Request to a Recommendation: each stage is called once, in this order, and none reads from a later one."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

from engine.acquire import acquired
from engine.catalogue import Catalogue, Figure
from engine.missing import missing
from engine.people import at_once_of
from engine.placement import largest
from engine.recommendation import Acquisition, Question, Recommendation
from engine.request import Request
from engine.rules.approach import approach_of
from engine.rules.case import Case
from engine.rules.cautions import cautions
from engine.rules.surroundings import figures_of, surroundings_of
from engine.rules.ways import choices_of, ways_of
from engine.sizing import run_figures, run_for, serving_for, sizings_for
from engine.subject import subject_of
from engine.version import ENGINE_VERSION

_SEVERAL = ("quotes", "hardware", "model", "budget")


def advise(
    request: Request,
    catalogue: Catalogue,
    today: date,
    questions: tuple[Question, ...] = (),
    symptoms: frozenset[str] = frozenset(),
) -> Recommendation:
    """The advice for a request on a day. `questions`: what its reader must ask
    back; `symptoms`: what they report of a run (`engine.rules.case.SYMPTOMS`). Errors: Refusal for what cannot be used."""
    subject = subject_of(request, catalogue, questions)
    case = Case(subject, catalogue, today, symptoms, (*questions, *subject.questions))
    approach = approach_of(case)
    case = replace(case, sizings=sizings_for(case, approach))
    ways, reasons = ways_of(case, approach)
    money = acquired(case, approach, ways)
    asked = _distinct((*case.questions, *missing(case), *money.questions))
    acquisition = _settled(money.acquisition, asked)
    case = replace(case, plans=money.plans, acquisition=acquisition)
    case = replace(case, run=run_for(case))
    around = surroundings_of(case)
    return Recommendation(
        request=subject.request,
        questions=asked,
        approach=approach,
        sizings=case.sizings,
        fit=case.fit,
        largest=largest(subject) if case.asks_what_fits else (),
        run=case.run,
        plans=money.plans,
        acquisition=acquisition,
        warnings=cautions(case),
        figures=_used((*money.figures, *run_figures(case.run, case), *figures_of(around, case), *_share_figures(case))),
        assumed=_assumed(case, money.assumed),
        engine_version=ENGINE_VERSION,
        catalogue_version=catalogue.version,
        today=today,
        serving=serving_for(case),
        ways=(*reasons, *choices_of(case)),
        surroundings=around,
        in_question=case.in_question,
    )


def _settled(acquisition: Acquisition, questions: tuple[Question, ...]) -> Acquisition:
    """Open only while something is asked back: what no card of the catalogue holds is neither rented nor bought."""
    return acquisition if acquisition.verdict or questions else replace(acquisition, verdict="none")


def _share_figures(case: Case) -> tuple[Figure, ...]:
    """The share of a company's people, where users were counted by it."""
    return () if case.people is None else (case.figure("share_at_once"),)


def _distinct(questions: Iterable[Question]) -> tuple[Question, ...]:
    """One question for each thing; the first, which knows what was read, wins. Offers, cards, models and limits can be several things."""
    found: dict[tuple[str, str | None], Question] = {}
    for question in questions:
        part = question.field.split(".")[-1] if question.field and question.slot in _SEVERAL else None
        found.setdefault((question.slot, part), question)
    return tuple(found.values())


def _used(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    return tuple({figure.id: figure for figure in figures}.values())


def _assumed(case: Case, money: Any) -> dict[str, Any]:
    """Request path -> the default taken: of names, of the sizing answered and of the money."""
    sized = case.sizing.footprint.assumed if case.sizing else {}
    people = {} if case.people is None else {"serving.people": [at_once_of(case.people, case.catalogue), case.people]}
    theirs = {"hardware.owned": False} if case.in_question and case.owns_cards else {}
    return {**case.subject.assumed, **sized, **people, **theirs, **money}
