"""How a call becomes an answer: the table of methods, arguments checked against the schema, faults, the log of calls."""

import inspect
import time
from collections.abc import Callable
from typing import Any

from fakegram import schema
from fakegram.refusals import ApiError, bad
from fakegram.world import Call, Json, World

Uploads = dict[str, tuple[str, bytes]]
Method = Callable[[World, Json, Uploads], Any]
METHODS: dict[str, Method] = {}


def method(name: str) -> Callable[[Method], Method]:
    """Enter a function as a method of the Bot API."""

    def entered(function: Method) -> Method:
        METHODS[name] = function
        return function

    return entered


async def answered(world: World, name: str, fields: Json, uploads: Uploads, as_text: bool) -> Any:
    """The result of a call. Errors: ApiError. `as_text`: fields came from a form and are read by the schema's types."""
    known = schema.method_names().get(name.lower())
    call = Call(known or name, fields, tuple(sorted(uploads)), time.monotonic())
    if known != "getUpdates":
        world.calls.append(call)
    try:
        call.result = await _made(world, known, call, uploads, as_text)
        call.ok = True
    except ApiError as refusal:
        call.error = refusal.description
        raise
    finally:
        world.tell()
    await world.faults.wait(call.method, after=True)
    return call.result


async def _made(world: World, known: str | None, call: Call, uploads: Uploads, as_text: bool) -> Any:
    if known is None:
        world.violations.append(f"unknown method {call.method}")
        raise ApiError(404, "Not Found: method not found")
    if known not in METHODS:
        world.violations.append(f"method {known} is not emulated")
        raise bad(f"method {known} is not emulated")
    call.arguments = schema.typed(known, call.arguments) if as_text else call.arguments
    _checked(world, known, call.arguments, uploads)
    await world.faults.wait(known, after=False)
    world.faults.strike(known, call.arguments.get("chat_id"))
    result = METHODS[known](world, call.arguments, uploads)
    return await result if inspect.isawaitable(result) else result


def _checked(world: World, name: str, arguments: Json, uploads: Uploads) -> None:
    attached = str(arguments)
    direct = {key: f"attach://{key}" for key in uploads if f"attach://{key}" not in attached}
    problems = [f"{name}: {problem}" for problem in schema.problems_of_call(name, {**arguments, **direct})]
    if problems:
        world.violations += problems
        raise bad(problems[0])
