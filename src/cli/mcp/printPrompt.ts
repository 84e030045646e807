import { nearest } from '../../base/matching';
import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, type McpServers, promptValues } from '../../engine';
import { EXIT, UsageError } from '../exitStatus';
import type { OutputStreams } from '../output';

type Prompt = KnownServer['prompts'][number];

interface PrintParts {
  mcp: McpServers;
  /** Returns the server with its latest known state. */
  find: () => Promise<KnownServer>;
  streams: OutputStreams;
}

/** Prints a prompt of a server or, without a name, lists its prompts. Returns the exit status. */
export async function printPrompt(words: readonly string[], { mcp, find, streams }: PrintParts): Promise<number> {
  const { signal } = new AbortController();
  const [name, ...given] = words;
  const first = await find();
  const has = (server: KnownServer) => server.prompts.some((one) => one.name === name);
  // The cached state may predate the prompt.
  if (!has(first)) await mcp.check(first, signal);
  const server = has(first) ? first : await find();
  if (name === undefined) {
    for (const prompt of server.prompts) streams.out(`${lineOf(prompt)}\n`);
    return EXIT.completed;
  }
  const prompt = server.prompts.find((one) => one.name === name) ?? noPrompt(name, server);
  const values = promptValues(prompt, given);
  const missing = prompt.arguments.filter((one) => one.isRequired && !Object.hasOwn(values, one.name));
  if (missing.length > 0) {
    const wanted = missing.map((one) => `${safeLine(one.name, 100, 'exact')}=VALUE`).join(' ');
    throw new UsageError(`the prompt ${safeLine(name)} needs ${wanted}.`);
  }
  const { text, images } = await mcp.writePrompt(server, prompt.name, values, signal);
  streams.out(text.endsWith('\n') ? text : `${text}\n`);
  if (images.length > 0) streams.err(`cairn: images in the prompt were left out: ${images.length}.\n`);
  return EXIT.completed;
}

function lineOf({ name, description, arguments: all }: Prompt): string {
  const takes = all.map((one) => (one.isRequired ? `${one.name}=…` : `[${one.name}=…]`)).join(' ');
  return [name, takes, description].map((cell) => safeLine(cell, 300, 'exact')).join('\t');
}

function noPrompt(name: string, { id, prompts }: KnownServer): never {
  const names = prompts.map((one) => one.name);
  const meant = nearest(name, names);
  const shown = safeLine(id, 100, 'exact');
  const hint = meant === undefined ? `cairn mcp prompt ${shown} lists them.` : `Did you mean ${meant}?`;
  throw new UsageError(`${shown} has no prompt ${safeLine(name)}. ${hint}`);
}
