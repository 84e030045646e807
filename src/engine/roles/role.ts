import type { ContentSource, Named } from '../content/contentSource';
import type { Effort } from '../llm/model';
import type { SkillPolicy } from '../skills/skill';

/** A way to behave: a prompt and what goes with it. */
export interface Role extends Named {
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  /** As it was written, with its placeholders. */
  prompt: string;
  /** `provider:model`; absent: the current one. */
  model?: string;
  temperature?: number;
  topP?: number;
  /** How long its model may think. */
  effort?: Effort;
  /** Names and wildcards of the tools; null: all that the agent has. An empty list: none. */
  tools: readonly string[] | null;
  /** `code`: of an answer only what stands in its first block of code counts. */
  answer: 'text' | 'code';
  servers: readonly string[];
  skills: SkillPolicy;
  autoContinue: { on?: boolean; max?: number; injects?: boolean; prompt?: string };
}
