import type { ContentSource, Named } from '../content/contentProblem';
import type { ReadingMode } from '../permissions/modes';

/** A prompt that is sent by its name: `/review src/date.ts`. */
export interface PromptCommand extends Named {
  /** What is typed after `/`; for a file in a subfolder, `folder:name`. */
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  /** Arguments that may follow the name, as the author wrote them: "[file] [focus]". */
  hint: string;
  /** The prompt, with placeholders for the arguments. */
  body: string;
  /** Names of the arguments, in order, for placeholders such as `$issue`. */
  names?: readonly string[];
  /** The agent that answers; absent: the session's. */
  agent?: string;
  /** `provider:model`; absent: the session's. */
  model?: string;
  /** Set only if it restricts the agent; absent: the session's mode. */
  workMode?: ReadingMode;
  /** Names and wildcards of the only tools offered; absent: the agent's. */
  tools?: readonly string[];
}
