import type { ScriptCall } from '../../engine';

/**
 * Builds a file for a bash tool to source when it starts: `argc_NAME` for each value, and the same values as command-line
 * options. False and null values are left out.
 */
export function bashValues({
  called,
  kind,
  input,
  script,
}: Pick<ScriptCall, 'called' | 'kind' | 'input' | 'script'>): string {
  const variables: string[] = [];
  const options: string[] = [];
  const positionals: string[] = [];
  for (const parameter of called.parameters) {
    const given: unknown = input[parameter.name] ?? parameter.default;
    if (given === undefined || given === false) continue;
    const values = (Array.isArray(given) ? given : [given]).map(textOf);
    const [first = ''] = values;
    const name = `argc_${parameter.variable}`;
    if (parameter.isList) variables.push(`${name}=( ${values.map(quoted).join(' ')} )`);
    else variables.push(`${name}=${parameter.isFlag ? '1' : quoted(first)}`);
    if (parameter.option === undefined) positionals.push(...values);
    else if (parameter.isFlag) options.push(parameter.option);
    else options.push(...values.map((value) => `${parameter.option}=${value}`));
  }
  const command = kind === 'agent' && runsItself(script.text) ? [called.entry] : [];
  return [
    ...variables,
    `argc__positionals=( ${positionals.map(quoted).join(' ')} )`,
    `set -- ${[...command, ...options, ...positionals].map(quoted).join(' ')}`,
    '',
  ].join('\n');
}

/** Whether a script calls its function itself, by hand or through argc's generated code. */
export function runsItself(text: string): boolean {
  return /^(?:_?argc_run|main)(?:[ \t]+["'$].*)?[ \t]*;?[ \t]*$/m.test(text) || /^"\$@"[ \t]*$/m.test(text);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Run as `bash -c PROGRAM SCRIPT VALUES ENTRY ITSELF`. The script is sourced with nothing chained to it, so that its `set -e`
 * applies. `argc` does nothing, since its work is already done.
 */
export const BASH_PROGRAM = `cairn_entry=$2 cairn_runs_itself=$3
argc() { :; }
. "$1"
. "$0" "$@"
[ "$cairn_runs_itself" = yes ] && exit
if ! declare -F "$cairn_entry" >/dev/null; then
  echo "$0 has no function $cairn_entry" >&2
  exit 127
fi
if declare -F _argc_before >/dev/null; then _argc_before; fi
"$cairn_entry" \${argc__positionals[@]+"\${argc__positionals[@]}"}
cairn_status=$?
if declare -F _argc_after >/dev/null; then _argc_after; fi
exit "$cairn_status"
`;
