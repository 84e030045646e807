import type { JsonSchema } from '../tools/plugin/checkArguments';

/** A language that tools are written in, by the ending of a script's name. */
export type ScriptLanguage = 'bash' | 'python' | 'typescript' | 'javascript';

const LANGUAGES: Readonly<Record<string, ScriptLanguage>> = {
  sh: 'bash',
  py: 'python',
  ts: 'typescript',
  js: 'javascript',
};

/**
 * `tool`: a file of its own in a folder of tools. `agent`: the file beside an agent, with all of the agent's tools. `graph`: no tool,
 * but what a node of a graph runs as a whole; what it prints is its result.
 */
export type ScriptKind = 'tool' | 'agent' | 'graph';

/** A script as it was read. */
export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  readonly language: ScriptLanguage;
  readonly text: string;
}

/** How a value that a model gives reaches the function. */
export interface ScriptParameter {
  /** As the model gives it. */
  readonly name: string;
  /** Bash: the variable `argc_NAME` that holds it. Elsewhere the name of the function's parameter. */
  readonly variable: string;
  /** Bash: the option it is given by, such as `--dry-run`; absent for what stands by itself, and elsewhere. */
  readonly option?: string;
  /** Bash: an option without a value. */
  readonly isFlag?: boolean;
  /** Bash: it may be given many times. */
  readonly isList?: boolean;
  /** Bash: what the function finds where the model gives nothing. */
  readonly default?: string;
}

/** A tool as its script says it. */
export interface ScriptFunction {
  /** As models call it: small letters, digits and `_`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** What of the script is called. */
  readonly entry: string;
  /** In the order of the function. */
  readonly parameters: readonly ScriptParameter[];
  /** `object`: the function takes one object with all of its values. */
  readonly takes: 'each' | 'object';
  /** From 1, where it begins in the script. */
  readonly line: number;
}

/** A variable of the environment that the script names. */
export interface ScriptVariable {
  readonly name: string;
  readonly isRequired: boolean;
  readonly default?: string;
  readonly description: string;
}

/** What is wrong with a script, and where. */
export interface ScriptProblem {
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** What is wrong and what to do: whole sentences. */
  readonly message: string;
}

/** What can be known of a script without running it. */
export interface ScriptDescription {
  /** Those without errors. */
  readonly functions: readonly ScriptFunction[];
  /** It has `_instructions`, which gives an agent its instructions. */
  readonly hasInstructions: boolean;
  readonly variables: readonly ScriptVariable[];
  /** Programs that it needs. */
  readonly programs: readonly string[];
  readonly problems: readonly ScriptProblem[];
}

/** Reads what a script says of its tools. Never runs any of it, and never rejects for what is in it. */
export type DescribeScript = (file: ScriptFile, kind: ScriptKind) => Promise<ScriptDescription>;

/** Undefined for a file that holds no tools. */
export function languageOf(fileName: string): ScriptLanguage | undefined {
  const ending = /\.([a-z]+)$/.exec(fileName)?.[1] ?? '';
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}
