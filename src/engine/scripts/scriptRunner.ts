import type { Question, QuestionAnswer } from '../events/question';
import type { ScriptFile, ScriptFunction, ScriptKind } from './scriptDescription';

/** A call of a script's function. */
export interface ScriptCall {
  readonly script: ScriptFile;
  readonly kind: ScriptKind;
  readonly called: ScriptFunction;
  /** Already matches the function's schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute path of the folder it runs in. */
  readonly workspace: string;
  /** Whether a Python in the workspace (`.venv`) may run it. */
  readonly trustsWorkspace: boolean;
  /** Added to the environment of commands, which it overrides. */
  readonly environment: ReadonlyMap<string, string>;
  /** Absolute folders searched for programs before others. */
  readonly programFolders: readonly string[];
  /** Asks the user a question of the script. Rejects only with AbortError. */
  ask: (question: Pick<Question, 'question' | 'kind' | 'options'>) => Promise<QuestionAnswer>;
  /** Called with its output as it arrives. */
  onOutput: (chunk: string) => void;
}

/** How a script ended, and its results. */
export interface ScriptEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it wrote to `LLM_OUTPUT`, truncated if too long. */
  readonly result: string;
  /** True if the result was truncated. */
  readonly isCut: boolean;
  /** The end of its standard output. */
  readonly printed: string;
  /** The end of its standard error. */
  readonly errors: string;
}

export interface ScriptRunner {
  /**
   * Resolves when the script and everything it started have ended. Rejects with AbortError, with EngineError `io` if it could not
   * be started, and with EngineError `invalid-input` for values that cannot be passed to a script.
   */
  run(call: ScriptCall, signal: AbortSignal): Promise<ScriptEnd>;
}
