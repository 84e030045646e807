import { EngineError } from '../../engineError';
import type { McpServer } from '../mcpServer';
import type { McpPrompt } from './promptList';

/** A prompt as a person types it: `SERVER:PROMPT`. */
export interface TypedPrompt<Server extends McpServer = McpServer> {
  readonly name: string;
  /** What may follow the name. */
  readonly hint: string;
  readonly server: Server;
  readonly prompt: McpPrompt;
}

/** Of two with one name the first counts. */
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
 * The values that words give, each as `NAME=VALUE`; words without a name are the first argument that none names. Throws
 * EngineError `invalid-input` for words that there is no argument for.
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
