import { safeLine, safeText } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import { type Image, textAttachment } from '../messages/attachment';
import type { McpServer } from './mcpServer';
import { bytesOf, partText, pictureText, resourcePart } from './resourceContents';
import type { McpPrompt } from './serverLists';

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

/** A message a server wrote for the user to send, after seeing it. */
export interface WrittenPrompt {
  readonly text: string;
  readonly images: readonly Image[];
}

const part = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image'), data: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: resourcePart }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.optional(z.nullable(z.string())) }),
]);
const answer = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).check(z.minLength(1)),
});

const MAX_TEXT = 100_000;
const SPEAKERS: Readonly<Record<string, string>> = { user: 'Person', assistant: 'Agent' };

/**
 * Converts a prompt's answer to a message in which everything is visible and nothing acts as a command. In a conversation, each
 * part names its speaker. Throws EngineError `io` if it is not a message, is too long, or uses a role it must not.
 */
export function readPromptMessage(
  value: unknown,
  { server, prompt }: { server: string; prompt: string },
): WrittenPrompt {
  const wrong = (what: string) =>
    new EngineError('io', `The prompt ${safeLine(prompt, 100)} of the MCP server ${safeLine(server, 100)} ${what}.`);
  const { data } = answer.safeParse(value);
  if (!data) throw wrong('is not a message: the server sent something else');
  const odd = data.messages.find(({ role }) => !Object.hasOwn(SPEAKERS, role));
  if (odd) throw wrong(`uses the role “${safeLine(odd.role, 40)}”, which prompts may not, so it is not used`);
  const images: Image[] = [];
  const isTalk = data.messages.some(({ role }) => role !== 'user');
  const texts = data.messages.map(({ role, content }) => {
    const parts = Array.isArray(content) ? content : [content];
    const text = parts.map((one: unknown) => contentText(one, images, server)).join('\n');
    return isTalk ? `${SPEAKERS[role] ?? ''}:\n${text}` : text;
  });
  const text = texts.join('\n\n').trim();
  if (text.length > MAX_TEXT) throw wrong(`has ${text.length} characters, more than ${MAX_TEXT}, so it is not used`);
  if (text === '' && images.length === 0) throw wrong('is empty');
  const shown = safeText(text);
  // Text that is not a command must not become one.
  return { text: shown.startsWith('/') ? ` ${shown}` : shown, images };
}

function contentText(value: unknown, images: Image[], server: string): string {
  const { data } = part.safeParse(value);
  switch (data?.type) {
    case 'text':
      return data.text;
    case 'image': {
      const before = images.length;
      const bytes = bytesOf(data.data);
      const text = bytes && pictureText(bytes, `A picture of ${server}`, images);
      // An image attached to the message needs no text.
      return images.length > before ? '' : (text ?? '(an image in a format that models do not accept)');
    }
    case 'resource': {
      const { uri } = data.resource;
      const from = `${safeLine(uri)} of the MCP server ${safeLine(server, 100)}`;
      const attached = textAttachment({ kind: 'resource', label: uri }, from, partText(data.resource, images));
      return attached.type === 'text' ? attached.text.trim() : '';
    }
    case 'resource_link':
      return `${safeLine(data.name ?? 'A resource', 200)}: ${data.uri}`;
    case undefined:
      return '(a part of an unknown kind)';
  }
}
