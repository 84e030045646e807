import type { Question, QuestionAnswer } from '../events/question';
import type { ScriptFile, ScriptFunction, ScriptKind } from './scriptDescription';

/** A call of a script's function. */
export interface ScriptCall {
  readonly script: ScriptFile;
  readonly kind: ScriptKind;
  readonly called: ScriptFunction;
  /** Fits the function's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute folder in which it runs. */
  readonly workspace: string;
  /** Whether a Python of the workspace (`.venv`) may run it. */
  readonly trustsWorkspace: boolean;
  /** What it finds in its environment beside that of commands; these win. */
  readonly environment: ReadonlyMap<string, string>;
  /** Absolute folders that come first where programs are looked for. */
  readonly programFolders: readonly string[];
  /** Puts a question of the script to the person. Rejects only with AbortError. */
  ask: (question: Pick<Question, 'question' | 'kind' | 'options'>) => Promise<QuestionAnswer>;
  /** What it prints, as it comes. */
  onOutput: (chunk: string) => void;
}

/** How a script ended, and what it left. */
export interface ScriptEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it wrote to `LLM_OUTPUT`, cut where that is too much. */
  readonly result: string;
  /** True when there was more of the result. */
  readonly isCut: boolean;
  /** The end of what it printed. */
  readonly printed: string;
  /** The end of what it printed as errors. */
  readonly errors: string;
}

/** Runs scripts. */
export interface ScriptRunner {
  /**
   * Resolves when it has ended, and all that it started. Rejects with AbortError, with EngineError `io` when it could not be
   * started, and with EngineError `invalid-input` for values that no script can be given.
   */
  run(call: ScriptCall, signal: AbortSignal): Promise<ScriptEnd>;
}
