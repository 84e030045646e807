import { clipEnd } from '../../base/truncate';
import type { JsonSchema } from '../tools/plugin/checkArguments';
import type { SyntaxNode } from './syntaxTree';

/** A language for writing tools, determined by a script's file extension. */
export type ScriptLanguage = 'bash' | 'python' | 'typescript' | 'javascript';

const LANGUAGES: Readonly<Record<string, ScriptLanguage>> = {
  sh: 'bash',
  py: 'python',
  ts: 'typescript',
  js: 'javascript',
};

/**
 * `tool`: a file in a tools folder. `agent`: the file next to an agent, with all of the agent's tools. `graph`: not a tool, but
 * run as a whole by a graph node; its output is the result.
 */
export type ScriptKind = 'tool' | 'agent' | 'graph';

/** A script as read from disk. */
export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  readonly language: ScriptLanguage;
  readonly text: string;
}

/** How a value from a model is passed to the function. */
export interface ScriptParameter {
  /** The name the model uses. */
  readonly name: string;
  /** Bash: the variable `argc_NAME` that contains it. In other languages, the name of the function's parameter. */
  readonly variable: string;
  /** Bash: the option for it, such as `--dry-run`. Absent for positional arguments and in other languages. */
  readonly option?: string;
  /** Bash: an option without a value. */
  readonly isFlag?: boolean;
  /** Bash: it may be repeated. */
  readonly isList?: boolean;
  /** Bash: the value if the model gives none. */
  readonly default?: string;
  /** Bash: the function of the script that prints the value if the model gives none. */
  readonly computed?: string;
}

/** A tool as defined by its script. */
export interface ScriptFunction {
  /** The name models use: lowercase letters, digits, and `_`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The function in the script that is called. */
  readonly entry: string;
  /** In the order of the function's parameters. */
  readonly parameters: readonly ScriptParameter[];
  /** `object`: the function takes one object with all of the values. */
  readonly takes: 'each' | 'object';
  /** Where it starts in the script, from 1. */
  readonly line: number;
}

/** An environment variable that the script declares. */
export interface ScriptVariable {
  readonly name: string;
  readonly isRequired: boolean;
  readonly default?: string;
  readonly description: string;
}

/** A problem in a script, with its location. */
export interface ScriptProblem {
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Whole sentences that say what is wrong and what to do. */
  readonly message: string;
}

/** What can be determined about a script without running it. */
export interface ScriptDescription {
  /** Only those without errors. */
  readonly functions: readonly ScriptFunction[];
  /** It has `_instructions`, which returns an agent's instructions. */
  readonly hasInstructions: boolean;
  readonly variables: readonly ScriptVariable[];
  /** Programs it requires. */
  readonly programs: readonly string[];
  readonly problems: readonly ScriptProblem[];
}

/** Describes a script's tools. Never runs any of it, and never rejects because of its contents. */
export type DescribeScript = (file: ScriptFile, kind: ScriptKind) => Promise<ScriptDescription>;

/** Undefined if the file cannot define tools. */
export function languageOf(fileName: string): ScriptLanguage | undefined {
  const ending = /\.([a-z]+)$/.exec(fileName)?.[1] ?? '';
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}

/** Returns `get_weather` for `/tools/get_weather.sh`. */
export function stemOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
}

/** Providers reject a whole request if a tool name is longer. */
export const MOST_NAME = 64;

/** Converts a name to the form models use: `Get-Weather` becomes `get_weather`. To start the function, the name in the script is used. */
export function functionName(written: string): string {
  const name = written
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|(?<!_)_+$/g, '');
  return (/^[a-z]/.test(name) ? name : `tool_${name}`).slice(0, MOST_NAME);
}

/** Builds a problem that prevents a tool from being used, located in the script where known. */
export function problemOf(
  at: { readonly line: number; readonly column: number } | undefined,
  message: string,
  severity: ScriptProblem['severity'] = 'error',
): ScriptProblem {
  return { severity, line: at?.line ?? 1, column: at?.column ?? 1, message };
}

export function placeOf({ startPosition: { row, column } }: SyntaxNode): { line: number; column: number } {
  return { line: row + 1, column: column + 1 };
}

const MOST = 4000;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Returns a script's description for models, without invisible characters and truncated to the maximum length. */
export function shownDescription(text: string): string {
  return clipEnd(text.replaceAll(UNSEEN, '').trim(), MOST);
}
