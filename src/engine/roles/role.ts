import type { ContentSource, Named } from '../content/contentSource';
import type { Effort } from '../llm/model';
import type { SkillPolicy } from '../skills/skill';

/** A way to answer: a prompt and its settings. */
export interface Role extends Named {
  readonly name: string;
  readonly source: ContentSource;
  description: string;
  /** As written, with placeholders. */
  prompt: string;
  /** `provider:model`; absent: the current model. */
  model?: string;
  temperature?: number;
  topP?: number;
  /** Reasoning effort of the model. */
  effort?: Effort;
  /** Names and wildcards of the tools; null: all tools of the agent; empty: none. */
  tools: readonly string[] | null;
  /** `code`: only the first code block of an answer counts. */
  answer: 'text' | 'code';
  servers: readonly string[];
  skills: SkillPolicy;
  autoContinue: { on?: boolean; max?: number; injects?: boolean; prompt?: string };
}
