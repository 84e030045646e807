import type { ContentSource, Named } from '../content/contentSource';
import type { ReadingMode } from '../permissions/workMode';

/** A prompt that a person sends by its name: `/review src/date.ts`. */
export interface PromptCommand extends Named {
  /** What is typed after `/`; of a file in a folder `folder:name`. */
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  /** What may follow the name, as its author writes it: "[file] [focus]". */
  hint: string;
  /** With placeholders for what follows the name. */
  body: string;
  /** Who answers; absent: who answers in the session. */
  agent?: string;
  /** `provider:model`; absent: the session's. */
  model?: string;
  /** Only where it has the agent do less; absent: the session's. */
  workMode?: ReadingMode;
  /** Names and wildcards of the only tools that are offered; absent: those of the agent. */
  tools?: readonly string[];
}
