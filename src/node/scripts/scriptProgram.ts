import { existsSync } from 'node:fs';
import path from 'node:path';
import { shellQuoted } from '../../base/shellQuoted';
import type { ScriptCall } from '../../engine';

/** Bundled files used to run scripts. */
export interface ScriptPrograms {
  /** `assets/scripts`: runs Python scripts, and lets bash tools ask the user. */
  assets: string;
  /** `runScript.mjs`: runs TypeScript and JavaScript. */
  moduleRunner: string;
  /** Folder of tree-sitter's grammars, absolute. */
  grammars: string;
  /** `querySqlite.mjs`: queries Node's SQLite. */
  sqliteRunner: string;
}

/** The program, arguments and files for a call. */
export interface ScriptProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Files by name, written next to the result before the program starts. */
  readonly files: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a script without arguments, as a user would. */
function wholeProgram(call: ScriptCall, folder: string, programs: ScriptPrograms): ScriptProgram {
  const { script } = call;
  const [shell = 'bash', ...given] = shebangOf(script.text) ?? [];
  const nothing = { files: new Map<string, string>(), environment: {} };
  switch (script.language) {
    case 'bash':
      if (process.platform === 'win32') return { file: windowsBash(), args: [script.path], ...nothing };
      return { file: shell, args: [...given, script.path], ...nothing };
    case 'python': {
      const [file = '', ...args] = pythonWords(call);
      return { file, args: [...args, script.path], ...nothing };
    }
    case 'typescript':
    case 'javascript':
      return moduleProgram(call, folder, programs);
  }
}

const OUR_SHELLS = /^(?:ba|da)?sh$/;

/** Returns the program for a call. `folder` is where its files will be. */
export function scriptProgram(call: ScriptCall, folder: string, programs: ScriptPrograms): ScriptProgram {
  if (call.kind === 'graph') return wholeProgram(call, folder, programs);
  switch (call.script.language) {
    case 'bash':
      return bashProgram(call, folder);
    case 'python':
      return pythonProgram(call, folder, programs);
    case 'typescript':
    case 'javascript':
      return moduleProgram(call, folder, programs);
  }
}

function bashProgram(call: ScriptCall, folder: string): ScriptProgram {
  const { script, called } = call;
  const [shell = 'bash', ...given] = shebangOf(script.text) ?? [];
  const name = programName(shell);
  const ours = OUR_SHELLS.test(name) ? (name === 'bash' ? shell : 'bash') : shell;
  const file = path.join(folder, 'values.sh');
  const args = [...given, '-c', BASH_PROGRAM, script.path, file, called.entry, runsItself(script.text) ? 'yes' : 'no'];
  return {
    file: process.platform === 'win32' ? windowsBash() : ours,
    args,
    files: new Map([['values.sh', bashValues(call)]]),
    environment: {},
  };
}

/** Returns the path of Git for Windows' bash: the system's `bash` runs in WSL, a different machine. */
function windowsBash(): string {
  const roots = [process.env['ProgramFiles'], process.env['ProgramFiles(x86)'], process.env['LOCALAPPDATA']];
  const candidates = roots.flatMap((root) =>
    root === undefined
      ? []
      : [path.join(root, 'Git', 'bin', 'bash.exe'), path.join(root, 'Programs', 'Git', 'bin', 'bash.exe')],
  );
  return candidates.find((one) => existsSync(one)) ?? 'bash.exe';
}

function pythonProgram(call: ScriptCall, folder: string, { assets }: ScriptPrograms): ScriptProgram {
  return withCall(call, folder, pythonWords(call), path.join(assets, 'run_tool.py'));
}

function pythonWords(call: ScriptCall): string[] {
  const [program, ...given] = shebangOf(call.script.text) ?? [];
  const isUsual = program === undefined || /^(?:.*[/\\]env|python3?)$/.test(program);
  return isUsual ? [usualPython(call), ...given] : [program, ...given.filter((word) => word !== '--script')];
}

function usualPython({ workspace, trustsWorkspace }: ScriptCall): string {
  const [folder, name] = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
  const own = path.join(workspace, '.venv', folder, name);
  if (trustsWorkspace && existsSync(own)) return own;
  return process.platform === 'win32' ? 'python' : 'python3';
}

function moduleProgram(call: ScriptCall, folder: string, { moduleRunner }: ScriptPrograms): ScriptProgram {
  const [program, ...given] = shebangOf(call.script.text) ?? [];
  const isOther = program !== undefined && programName(program) !== 'node';
  const words: [string, ...string[]] = isOther ? [program, ...given] : [process.execPath, ...given];
  const made = withCall(call, folder, words, moduleRunner);
  // Within an editor, the executable runs as Node only with this variable.
  return isOther ? made : { ...made, environment: { ELECTRON_RUN_AS_NODE: '1' } };
}

function withCall(call: ScriptCall, folder: string, words: readonly string[], runner: string): ScriptProgram {
  const { script, called, input } = call;
  const order = called.parameters.map(({ name }) => name);
  const text = JSON.stringify({ script: script.path, entry: called.entry, takes: called.takes, order, input });
  const [file = '', ...args] = words;
  return {
    file,
    args: [...args, runner, path.join(folder, 'call.json')],
    files: new Map([['call.json', text]]),
    environment: {},
  };
}

/** Returns the program and arguments in a script's first line; undefined if there are none. */
function shebangOf(text: string): readonly [program: string, ...args: string[]] | undefined {
  const [, line] = /^\uFEFF?#!([^\r\n]*)/.exec(text) ?? [];
  const [first, ...rest] = (line ?? '').split(/[ \t]+/).filter((word) => word !== '');
  if (first === undefined) return undefined;
  if (!/(^|[/\\])env$/.test(first)) return [first, ...rest];
  // `env -S` splits words, which has already happened; variable assignments precede the program.
  const words = rest.filter((word) => word !== '-S' && word !== '--split-string');
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [program, ...args] = at === -1 ? [] : words.slice(at);
  return program === undefined || program.startsWith('-') ? undefined : [program, ...args];
}

/** Returns `python3` for `/usr/bin/python3.exe`. */
function programName(program: string): string {
  return program.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}

/**
 * Builds a file for a bash tool to source when it starts: `argc_NAME` for each value, and the same values as command-line
 * options. False and null values are left out.
 */
function bashValues({ called, kind, input, script }: Pick<ScriptCall, 'called' | 'kind' | 'input' | 'script'>): string {
  const variables: string[] = [];
  const options: string[] = [];
  const positionals: string[] = [];
  const computed: string[] = [];
  for (const parameter of called.parameters) {
    const given: unknown = input[parameter.name] ?? parameter.default;
    if (given === undefined && parameter.computed !== undefined)
      computed.push(`argc_${parameter.variable}=${parameter.computed}`);
    if (given === undefined || given === false) continue;
    const values = (Array.isArray(given) ? given : [given]).map(textOf);
    const [first = ''] = values;
    const name = `argc_${parameter.variable}`;
    if (parameter.isList) variables.push(`${name}=( ${values.map(shellQuoted).join(' ')} )`);
    else variables.push(`${name}=${parameter.isFlag ? '1' : shellQuoted(first)}`);
    if (parameter.option === undefined) positionals.push(...values);
    else if (parameter.isFlag) options.push(parameter.option);
    else options.push(...values.map((value) => `${parameter.option}=${value}`));
  }
  const command = kind === 'agent' && runsItself(script.text) ? [called.entry] : [];
  return [
    ...variables,
    `cairn_computed=( ${computed.map(shellQuoted).join(' ')} )`,
    `argc__positionals=( ${positionals.map(shellQuoted).join(' ')} )`,
    `set -- ${[...command, ...options, ...positionals].map(shellQuoted).join(' ')}`,
    '',
  ].join('\n');
}

/** Whether a script calls its function itself, by hand or through argc's generated code. */
function runsItself(text: string): boolean {
  return /^(?:_?argc_run|main)(?:[ \t]+["'$].*)?[ \t]*(?:;[ \t]*)?$/m.test(text) || /^"\$@"[ \t]*$/m.test(text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Run as `bash -c PROGRAM SCRIPT VALUES ENTRY ITSELF`. The script is sourced with nothing chained to it, so that its `set -e`
 * applies. `argc` does nothing, since its work is already done.
 */
const BASH_PROGRAM = `cairn_entry=$2 cairn_runs_itself=$3
argc() { :; }
. "$1"
. "$0" "$@"
[ "$cairn_runs_itself" = yes ] && exit
if ! declare -F "$cairn_entry" >/dev/null; then
  echo "$0 has no function $cairn_entry" >&2
  exit 127
fi
for cairn_one in \${cairn_computed[@]+"\${cairn_computed[@]}"}; do
  printf -v "\${cairn_one%%=*}" %s "$(\${cairn_one#*=})"
done
if declare -F _argc_before >/dev/null; then _argc_before; fi
"$cairn_entry" \${argc__positionals[@]+"\${argc__positionals[@]}"}
cairn_status=$?
if declare -F _argc_after >/dev/null; then _argc_after; fi
exit "$cairn_status"
`;
