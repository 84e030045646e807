import { EngineError } from '../../engineError';
import type { McpServer } from '../mcpServer';
import type { McpPrompt } from './promptList';

/** A prompt as the user types it: `SERVER:PROMPT`. */
export interface TypedPrompt<Server extends McpServer = McpServer> {
  readonly name: string;
  /** The arguments that may follow the name. */
  readonly hint: string;
  readonly server: Server;
  readonly prompt: McpPrompt;
}

/** The first of several prompts with the same name wins. */
export function typedPrompts<Server extends McpServer & { prompts: readonly McpPrompt[] }>(
  servers: readonly Server[],
): TypedPrompt<Server>[] {
  const byName = new Map<string, TypedPrompt<Server>>();
  for (const server of servers) {
    for (const prompt of server.prompts) {
      const name = `${server.name}:${prompt.name.replaceAll(/[^\p{L}\p{N}_./-]/gu, '-')}`;
      if (!byName.has(name)) byName.set(name, { name, hint: hintOf(prompt), server, prompt });
    }
  }
  return [...byName.values()];
}

function hintOf({ arguments: all }: McpPrompt): string {
  return all.map(({ name, isRequired }) => (isRequired ? `${name}=…` : `[${name}=…]`)).join(' ');
}

/**
 * Parses argument values, each written `NAME=VALUE`. Words without a name become the first argument that is not named. Throws
 * EngineError `invalid-input` for words that match no argument.
 */
export function promptValues(prompt: McpPrompt, words: readonly string[]): Record<string, string> {
  const named = new Map<string, string>();
  const others: string[] = [];
  for (const word of words) {
    const [, name = '', value = ''] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
    if (prompt.arguments.some((one) => one.name === name)) named.set(name, value);
    else others.push(word);
  }
  const rest = prompt.arguments.find(({ name }) => !named.has(name));
  if (others.length > 0 && !rest) {
    const takes = prompt.arguments.length === 0 ? 'nothing' : hintOf(prompt);
    throw new EngineError('invalid-input', `${prompt.name} takes ${takes}; “${others.join(' ')}” is extra.`);
  }
  if (others.length > 0 && rest) named.set(rest.name, others.join(' '));
  return Object.fromEntries(named);
}
