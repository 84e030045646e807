"""Runs one function of a Python tool: run_tool.py CALL, a JSON file with the script, the function and what it is given."""

import asyncio
import enum
import importlib.util
import inspect
import json
import os
import sys
import typing


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
    """An enumeration is written by the value of a member, or by its name."""
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        try:
            return hint(value)
        except ValueError:
            return hint[value]
    for one in typing.get_args(hint):
        if value is not None and isinstance(one, type) and issubclass(one, enum.Enum):
            return meant(one, value)
    return value


def hints_of(function):
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def write(result):
    if result is None:
        return
    if isinstance(result, enum.Enum):
        result = result.value
    if isinstance(result, (str, int, float)) and not isinstance(result, bool):
        text = str(result)
    else:
        text = json.dumps(result, indent=2, ensure_ascii=False, default=str)
    with open(os.environ["LLM_OUTPUT"], "a", encoding="utf-8") as output:
        output.write(text)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        call = json.load(file)
    module = load(call["script"])
    function = getattr(module, call["entry"])
    hints = hints_of(function)
    values = {name: meant(hints.get(name), value) for name, value in call["input"].items()}
    result = function(values) if call["takes"] == "object" else function(**values)
    write(asyncio.run(result) if inspect.iscoroutine(result) else result)


main()
