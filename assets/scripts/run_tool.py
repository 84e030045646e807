"""Runs one function of a Python tool: run_tool.py CALL, a JSON file with the script, the function and what it is given."""

import asyncio
import dataclasses
import enum
import importlib.util
import inspect
import json
import os
import pathlib
import sys
import types
import typing

UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


def load(path):
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    spec = importlib.util.spec_from_file_location("cairn_tool", path)
    module = importlib.util.module_from_spec(spec)
    # Where classes of the script look for their own module.
    sys.modules["cairn_tool"] = module
    spec.loader.exec_module(module)
    return module


def meant(hint, value):
    """What the type hint asks for, made from what came as JSON. Without a hint, and for other types, it stays as it came."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in UNIONS:
        return meant_by_one(inside, value)
    if isinstance(value, list):
        return listed(origin or hint, inside, value)
    if isinstance(value, dict) and origin and len(inside) == 2:
        return {key: meant(inside[1], one) for key, one in value.items()}
    return made(hint, value) if inspect.isclass(hint) and not origin else value


def meant_by_one(hints, value):
    """The first type of a union that fits. A value that has one of the types already stays."""
    if value is None or type(value) in hints:
        return value
    for one in hints:
        try:
            result = meant(one, value)
        except (LookupError, TypeError, ValueError):
            continue
        if result is not value:
            return result
    return value


def listed(kind, inside, value):
    if inside and inside[-1] is not Ellipsis and kind is tuple:
        items = [meant(hint, one) for hint, one in zip(inside, value)] + value[len(inside) :]
    else:
        items = [meant(inside[0], one) for one in value] if inside else value
    return kind(items) if kind in (tuple, set, frozenset) else items


def made(kind, value):
    """An enumeration is written by the value of a member, or by its name."""
    if issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError:
            return kind[value]
    if issubclass(kind, pathlib.PurePath) and isinstance(value, str):
        return kind(value)
    if not isinstance(value, dict):
        return value
    validate = getattr(kind, "model_validate", None) or getattr(kind, "parse_obj", None)
    if validate:
        return validate(value)
    if dataclasses.is_dataclass(kind) or hasattr(kind, "__attrs_attrs__") or hasattr(kind, "_fields"):
        hints = hints_of(kind)
        return kind(**{name: meant(hints.get(name), one) for name, one in value.items()})
    return value


def hints_of(described):
    try:
        return typing.get_type_hints(described)
    except Exception:
        return {}


def values_for(function, given):
    """What is left out has a default; a parameter that may be None needs none."""
    hints = hints_of(function)
    values = {name: meant(hints.get(name), value) for name, value in given.items()}
    for name, parameter in inspect.signature(function).parameters.items():
        is_named = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if is_named and parameter.default is parameter.empty:
            values.setdefault(name, None)
    return values


def plain(value):
    """For json, which knows neither classes nor sets."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    return value.value if isinstance(value, enum.Enum) else str(value)


def write(result):
    if result is None:
        return
    if isinstance(result, enum.Enum):
        result = result.value
    if isinstance(result, (str, int, float)) and not isinstance(result, bool):
        text = str(result)
    else:
        text = json.dumps(result, indent=2, ensure_ascii=False, default=plain)
    with open(os.environ["LLM_OUTPUT"], "a", encoding="utf-8") as output:
        output.write(text)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        call = json.load(file)
    function = getattr(load(call["script"]), call["entry"])
    result = function(**values_for(function, call["input"]))
    write(asyncio.run(result) if inspect.iscoroutine(result) else result)


main()
