import type { ContentWorld } from './contentSource';
import { modelId, modelName } from './writtenNames';

/** The families behind Claude Code's short names. */
export const CLAUDE_MODELS: Readonly<Record<string, string>> = {
  sonnet: 'anthropic:claude-sonnet-5-5',
  opus: 'anthropic:claude-opus-5-5',
  haiku: 'anthropic:claude-haiku-5-5',
};

/**
 * The model that a file names, `provider:model`. Undefined: that of whoever starts it. Null: it names none, which is no mistake
 * in a file that was written for another tool.
 */
export function foreignModel(written: string, world: ContentWorld): string | null | undefined {
  // Of a model with more context the name is the same.
  const name = written.trim().replace(/\[1m\]$/i, '');
  if (/^(?:inherit|default|auto)$/i.test(name)) return undefined;
  if (world === 'claude') {
    const family = name.toLowerCase();
    if (Object.hasOwn(CLAUDE_MODELS, family)) return CLAUDE_MODELS[family];
    if (/^claude-\S+$/.test(name)) return `anthropic:${name}`;
  }
  if (world === 'gemini' && /^gemini-\S+$/.test(name)) return `gemini:${name}`;
  return modelName.safeParse(name).success ? modelId(name) : null;
}
