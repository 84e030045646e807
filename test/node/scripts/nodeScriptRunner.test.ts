import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AbortError } from '../../../src/base/abort';
import type { ScriptFunction } from '../../../src/engine';
import { isGone } from '../../support/isGone';
import { poll } from '../poll';
import { ran } from './ranScript';

const TOOL = '# @describe Does it.\n';

describe('nodeScriptRunner with bash', () => {
  it('passes values like argc, however they are written', async () => {
    const nasty = `a "b" 'c' $(touch /tmp/no) \`id\` \\ -- --x=1\nnext\tline`;
    const text = `${TOOL}# @option --text!
# @option --word*
# @option --count=3 <INT>
# @option --unit[=celsius|kelvin]
# @flag --all
# @flag --none
# @option --nothing
main() {
  printf '[%s]' "$argc_text" "\${#argc_word[@]}" "\${argc_word[@]}" "$argc_count" "$argc_unit" "$argc_all" "\${argc_none-unset}" "\${argc_nothing-unset}" >> "$LLM_OUTPUT"
}
eval "$(argc --argc-eval "$0" "$@")"
`;
    const input = { text: nasty, word: ['-rf', 'two words', ''], all: true, none: false, nothing: null };
    const { result, exitCode } = await ran('t.sh', text, { input });
    assert.equal(result, `[${nasty}][3][-rf][two words][][3][celsius][1][unset][unset]`);
    assert.equal(exitCode, 0);
  });

  it('computes defaults that a function of the script prints', async () => {
    const text = `set -eu\n${TOOL}# @option --day=\`_day\`\n# @option --to!=\`_to\`\n# @option --at+=\`_day\`\n_day() { echo 'a  day'; }\n_to() { gold here; }\n. "$LLM_PROMPT_UTILS_FILE"\nmain() { echo "$argc_day|$argc_to|\${argc_at[*]}" >> "$LLM_OUTPUT"; }\n`;
    const { result, errors } = await ran('t.sh', text, { input: { to: 'there' } });
    assert.equal(result, 'a  day|there|a  day\n', errors);
    assert.match((await ran('t.sh', text)).result, /^a {2}day\|here\|/);
  });

  it('runs a script only once even if it calls its own function', async () => {
    const { result } = await ran('t.sh', `${TOOL}main() { echo once >> "$LLM_OUTPUT"; }\nmain "$@"\n`);
    assert.equal(result, 'once\n');
  });

  it('passes typed options to a script built by argc', async () => {
    const text = `${TOOL}# @option --city! Where
main() { echo "$argc_city" >> "$LLM_OUTPUT"; }
_argc_run() { argc_city=\${1#--city=}; main; }
_argc_run "$@"
`;
    assert.equal((await ran('t.sh', text, { input: { city: 'Los Angeles' } })).result, 'Los Angeles\n');
  });

  it('calls the requested function of an agent, and respects the script’s “set -e”', async () => {
    const text = `set -e
# @cmd Adds
# @option --text!
add() { echo "$argc_text" >> "$LLM_OUTPUT"; false; echo no >> "$LLM_OUTPUT"; }
# @cmd Other
other() { echo wrong >> "$LLM_OUTPUT"; }
eval "$(argc --argc-eval "$0" "$@")"
`;
    const end = await ran('tools.sh', text, { kind: 'agent', name: 'add', input: { text: 'x' } });
    assert.deepEqual([end.result, end.exitCode], ['x\n', 1]);
  });

  it('provides $0, BASH_SOURCE and the arguments as JSON', async () => {
    const text = `${TOOL}# @option --n <INT>
main() { echo "\${0##*/} \${BASH_SOURCE[0]##*/} $LLM_TOOL_RAW_JSON $(cat "$LLM_TOOL_DATA_FILE") $PWD" >> "$LLM_OUTPUT"; }`;
    const { result } = await ran('t.sh', text, { input: { n: 1 } });
    assert.match(result, /^t\.sh t\.sh \{"n":1\} \{"n":1\} \/.+\n$/);
  });

  it('accepts 5 MB of arguments, more than a command line allows (P-7.4)', async () => {
    const text = `${TOOL}# @option --text!\nmain() { printf '%s' "\${#argc_text}" >> "$LLM_OUTPUT"; }`;
    assert.equal((await ran('t.sh', text, { input: { text: 'x'.repeat(5_000_000) } })).result, '5000000');
  });

  it('passes no secrets of the environment to scripts', async () => {
    const text = `${TOOL}main() { echo "\${OPENAI_API_KEY-none} $TIDES" >> "$LLM_OUTPUT"; }`;
    const env = { ...process.env, OPENAI_API_KEY: 'sk-1234567890abcdef' };
    assert.equal((await ran('t.sh', text, { env, environment: { TIDES: 'high' } })).result, 'none high\n');
  });

  it('puts the script’s questions to the user', async () => {
    const text = `${TOOL}main() {
  source "$LLM_PROMPT_UTILS_FILE"
  name=$(input "Who?")
  options=("one" "two words" "three")
  chosen=$(list "Which?" "\${options[@]}")
  boxes=$(checkbox "Which ones?" "\${options[@]}")
  sure=$(confirm "Sure?")
  guard_operation "Really?"
  echo "$name|\${options[$chosen]}|$boxes|$sure" >> "$LLM_OUTPUT"
}`;
    const asked: string[] = [];
    const answers: Record<string, readonly string[]> = {
      'Who?': ['Ada\tLovelace ü'],
      'Which?': ['two words'],
      'Which ones?': ['one', 'three'],
      'Sure?': ['no'],
      'Really?': ['yes'],
    };
    const { result } = await ran('t.sh', text, {
      answer: (question, options) => {
        asked.push(`${question} ${options.join(',')}`.trim());
        return { kind: 'answered', texts: answers[question] ?? [] };
      },
    });
    assert.equal(result, 'Ada\tLovelace ü|two words|0 2|0\n');
    assert.deepEqual(asked, [
      'Who?',
      'Which? one,two words,three',
      'Which ones? one,two words,three',
      'Sure?',
      'Really?',
    ]);
  });

  it('ends at a guard that is not answered, or that the user refuses (P-7.5)', async () => {
    const text = `${TOOL}main() { source "$LLM_PROMPT_UTILS_FILE"; guard_operation; echo done >> "$LLM_OUTPUT"; }`;
    const nobody = await ran('t.sh', text);
    assert.deepEqual([nobody.exitCode, nobody.result], [1, '']);
    assert.match(nobody.errors, /Nobody is there/);
    const refused = await ran('t.sh', text, { answer: () => ({ kind: 'answered', texts: ['no'] }) });
    assert.deepEqual([refused.exitCode, refused.result], [1, '']);
  });

  const guarded: readonly (readonly [string, string, boolean])[] = [
    ['a file in the folder', 'sub/file', false],
    ['a file that does not exist yet', 'new/deep/file', false],
    ['the parent folder', '..', true],
    ['a file in a sibling folder whose name starts the same', '$PWD-x/file', true],
    ['a file reached through a link out of the folder', 'link/file', true],
    ['a link to a file outside', 'filelink', true],
    ['a path that leaves the folder through one that does not exist', 'new/../../file', true],
  ];
  for (const [what, path, isAsked] of guarded) {
    it(`${isAsked ? 'guards' : 'lets through'} ${what} (P-7.5)`, async () => {
      const text = `${TOOL}main() {
  source "$LLM_PROMPT_UTILS_FILE"
  mkdir sub; ln -s / link; ln -s /etc/hostname filelink
  guard_path "${path}" "Out?"
}`;
      const asked: string[] = [];
      await ran('t.sh', text, {
        answer: (question) => {
          asked.push(question);
          return { kind: 'answered', texts: ['yes'] };
        },
      });
      assert.deepEqual(asked, isAsked ? ['Out?'] : []);
    });
  }

  it('applies a patch by its lines, and reports which part does not fit', async () => {
    const text = `${TOOL}# @option --patch!
main() { source "$LLM_PROMPT_UTILS_FILE"; printf '%s' "$argc_patch" > p; patch_file f p >> "$LLM_OUTPUT"; }`;
    const files = { f: 'one\ntwo\nthree\nfour\ntwo\n' };
    const patch = '--- a/f\n+++ b/f\n@@ -90,2 +90,2 @@\n one\n-two\n+2\n@@ -9 +9 @@\n four\n-two\n+zwei\n';
    const good = await ran('t.sh', text, { input: { patch }, files });
    assert.equal(good.result, 'one\n2\nthree\nfour\nzwei\n');
    const bad = await ran('t.sh', text, { input: { patch: '@@ -1 +1 @@\n one\n-nothing\n+x\n' }, files });
    assert.deepEqual([bad.exitCode, bad.result], [1, '']);
    assert.match(bad.errors, /hunk 1 of the patch does not fit/);
  });

  it('keeps what was written and printed when the script fails or is killed (P-7.4)', async () => {
    const end = await ran('t.sh', `${TOOL}main() { echo half >> "$LLM_OUTPUT"; echo why >&2; exit 3; }`);
    assert.deepEqual([end.exitCode, end.result, end.errors], [3, 'half\n', 'why\n']);
    const killed = await ran('t.sh', `${TOOL}main() { kill -9 $$; }`);
    assert.deepEqual([killed.exitCode, killed.signal], [null, 'SIGKILL']);
  });

  it('reads a result only up to a limit (P-7.4)', async () => {
    const { result, isCut } = await ran(
      't.sh',
      `${TOOL}main() { head -c 3000000 /dev/zero | tr '\\0' x >> "$LLM_OUTPUT"; }`,
    );
    assert.deepEqual([result.length, isCut], [1_000_000, true]);
  });

  it('keeps only the end of what a tool prints, but all that a graph’s script prints', async () => {
    const prints = "printf 'first'; head -c 40000 /dev/zero | tr '\\0' x; printf 'last'";
    const tool = await ran('t.sh', `${TOOL}main() { ${prints}; }`);
    assert.deepEqual([tool.printed.length, tool.printed.slice(-5)], [30_000, 'xlast']);
    const graph = await ran('t.sh', `${prints}\n`, { kind: 'graph', called: called({ entry: '' }) });
    assert.equal(graph.printed, `first${'x'.repeat(40_000)}last`);
  });

  it('does not wait on a pipe that a script creates as its result', async () => {
    const { result } = await ran('t.sh', `${TOOL}main() { rm "$LLM_OUTPUT"; mkfifo "$LLM_OUTPUT"; echo shown; }`);
    assert.equal(result, '');
  });

  it('ends with all its processes when cancelled, and leaves no files (P-7.4)', async () => {
    const stop = new AbortController();
    let printed = '';
    const run = ran('t.sh', `${TOOL}main() { sleep 600 & echo "$! $LLM_OUTPUT"; wait; }`, {
      signal: stop.signal,
      onOutput: (chunk) => {
        printed += chunk;
        if (printed.endsWith('\n')) stop.abort();
      },
    });
    await assert.rejects(run, AbortError);
    const [pid, result = ''] = printed.trim().split(' ');
    await poll('the child is gone', () => isGone(Number(pid)));
    assert.match(result, /cairn-tool-/);
    assert.equal(existsSync(dirname(result)), false);
  });

  it('rejects a value with a NUL', async () => {
    const text = `${TOOL}# @option --text!\nmain() { :; }`;
    await assert.rejects(ran('t.sh', text, { input: { text: 'a\0b' } }), /NUL/);
  });
});

const called = (more: Partial<ScriptFunction>): ScriptFunction => ({
  ...{
    name: 't',
    description: 'x',
    inputSchema: { type: 'object' },
    entry: 'run',
    parameters: [],
    takes: 'each',
    line: 1,
  },
  ...more,
});
const each = (...names: string[]) => called({ parameters: names.map((name) => ({ name, variable: name })) });

describe('nodeScriptRunner with Python', () => {
  it('calls the function with named parameters, and writes its return value', async () => {
    const text = 'def run(city: str, days: int = 2):\n    return {"city": city, "days": days, "ok": True}\n';
    const { result } = await ran('t.py', text, { called: each('city'), input: { city: 'Köln "x"' } });
    assert.deepEqual(JSON.parse(result), { city: 'Köln "x"', days: 2, ok: true });
  });

  it('passes enum members by value, and awaits async functions', async () => {
    const text = `from enum import Enum
from typing import Optional
class Unit(Enum):
    CELSIUS = "c"
async def run(unit: Unit, other: Optional[Unit] = None):
    return f"{unit.name} {other.name}"
`;
    const { result } = await ran('t.py', text, {
      called: each('unit', 'other'),
      input: { unit: 'c', other: 'CELSIUS' },
    });
    assert.equal(result, 'CELSIUS CELSIUS');
  });

  it('passes what the type hints of classes and collections ask for', async () => {
    const text = `from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Set, Tuple, Union
class Unit(Enum):
    CELSIUS = "c"
@dataclass
class Place:
    name: str
    unit: Unit = Unit.CELSIUS
class Span(NamedTuple):
    first: int
    last: int = 9
def run(units: List[Unit], place: Place, others: Dict[str, Place], path: Path, span: Union[None, int, Span], tags: Set[str], pair: Tuple[Unit, str], either: Union[str, Path], maybe: Optional[List[Place]]):
    "Does it."
    return [units[0].name, place.unit.name, others["x"].name, path.suffix, span.last, sorted(tags), pair[0].name, either, maybe[0], pair[0]]
`;
    const { result, errors } = await ran('t.py', text, {
      input: {
        ...{
          units: ['c'],
          place: { name: 'here', unit: 'CELSIUS' },
          others: { x: { name: 'there' } },
          path: 'a/b.txt',
        },
        ...{ span: { first: 1 }, tags: ['b', 'a'], pair: ['c', 'z'], either: 'text', maybe: [{ name: 'far' }] },
      },
    });
    assert.deepEqual(
      JSON.parse(result || '0'),
      ['CELSIUS', 'CELSIUS', 'there', '.txt', 9, ['a', 'b'], 'CELSIUS', 'text', { name: 'far', unit: 'c' }, 'c'],
      errors,
    );
  });

  it('passes None for what may be left out and has no default', async () => {
    const text =
      'from typing import Optional\ndef run(a: Optional[str], *, b: "int | None", c=3):\n    "Does it."\n    return [a, b, c]\n';
    const { result, errors } = await ran('t.py', text);
    assert.deepEqual(JSON.parse(result || '0'), [null, null, 3], errors);
  });

  it('keeps the error output when the function raises, and leaves no compiled files', async () => {
    const end = await ran('t.py', 'import os\ndef run():\n    print(os.listdir("."))\n    raise ValueError("why")\n', {
      called: called({}),
    });
    assert.equal(end.exitCode, 1);
    assert.match(end.errors, /ValueError: why/);
    assert.doesNotMatch(end.printed, /__pycache__/);
  });

  it('writes nothing for None', async () => {
    assert.equal((await ran('t.py', 'def run():\n    pass\n', { called: called({}) })).result, '');
  });
});

describe('nodeScriptRunner with TypeScript and JavaScript', () => {
  it('runs TypeScript with its types, enums and neighboring files', async () => {
    const text = `#!/usr/bin/env tsx
import { greeting } from './greeting';
enum Style { Loud = 'loud' }
export async function run(name: string, style?: Style): Promise<string> {
  const text: string = greeting(name as string);
  return style === Style.Loud ? text.toUpperCase() : text;
}
`.replace('#!/usr/bin/env tsx\n', '');
    const files = {
      'greeting.ts': 'export const greeting = (name: string): string => `Hello ${name}`;\n',
      'package.json': '{"type":"commonjs"}',
    };
    const { result, errors } = await ran('t.ts', text, {
      called: each('name', 'style'),
      input: { name: 'Ada', style: 'loud' },
      files,
    });
    assert.equal(result, 'HELLO ADA', errors);
  });

  it('passes one object to a function that expects it', async () => {
    const text = 'exports.run = async function ({ code }) { return { twice: code + code }; };\n';
    const { result, errors } = await ran('t.js', text, { called: called({ takes: 'object' }), input: { code: 'x' } });
    assert.deepEqual(JSON.parse(result || '0'), { twice: 'xx' }, errors);
  });

  it('runs a module whatever package.json says, and does not set ELECTRON_RUN_AS_NODE for it', async () => {
    const text = 'export const run = () => `${process.env.ELECTRON_RUN_AS_NODE}`;\n';
    const { result, errors } = await ran('t.js', text, { called: called({}) });
    assert.equal(result, 'undefined', errors);
  });

  it('writes nothing for results that are not data', async () => {
    for (const result of ['() => 1', 'null']) {
      const end = await ran('t.js', `exports.run = () => ${result};\n`, { called: called({}) });
      assert.deepEqual([end.exitCode, end.result], [0, ''], `${result}: ${end.errors}`);
    }
  });

  it('reports a missing function', async () => {
    const end = await ran('t.ts', 'export const other = 1;\n', { called: called({}) });
    assert.equal(end.exitCode, 1);
    assert.match(end.errors, /exports no function run/);
  });
});
