import type { ContentWorld } from './contentProblem';
import { modelId, modelName } from './writtenNames';

/**
 * The models behind Claude Code's short names: https://code.claude.com/docs/en/model-config, seen 2026-11-27. `best` is the first
 * of them, and `opusplan` is `opus` only in its plan mode.
 */
export const CLAUDE_MODELS: Readonly<Record<string, string>> = {
  fable: 'anthropic:claude-fable-5-2',
  best: 'anthropic:claude-fable-5-2',
  opus: 'anthropic:claude-opus-5-5',
  opusplan: 'anthropic:claude-sonnet-5-5',
  sonnet: 'anthropic:claude-sonnet-5-5',
  haiku: 'anthropic:claude-haiku-5-5',
};

/**
 * Returns the model that a file names, as `provider:model`. Undefined: the caller's model. Null: the name is unknown, which is
 * not an error in a file written for another tool.
 */
export function foreignModel(written: string, world: ContentWorld): string | null | undefined {
  // The suffix for a larger context window is not part of the model name.
  // So is OpenCode's suffix for a variant.
  const name = written.trim().replace(world === 'opencode' ? /#[^]*$/ : /\[1m\]$/i, '');
  if (/^(?:inherit|default|auto)$/i.test(name)) return undefined;
  if (world === 'claude') {
    const family = name.toLowerCase();
    if (Object.hasOwn(CLAUDE_MODELS, family)) return CLAUDE_MODELS[family];
    if (/^claude-\S+$/.test(name)) return `anthropic:${name}`;
  }
  if (world === 'codex' && /^(?:gpt-|codex-|o\d)\S*$/.test(name)) return `openai:${name}`;
  if (world === 'gemini' && /^gemini-\S+$/.test(name)) return `gemini:${name}`;
  return modelName.safeParse(name).success ? modelId(name) : null;
}
