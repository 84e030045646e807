import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, type McpPlace, type McpServers, startText } from '../../engine';
import type { Terminal } from '../terminal';

const MAX_SHOWN = 2000;

/** Asks the user about each server of the folder that is not allowed yet, and saves the answers. */
export async function allowServers(mcp: McpServers, place: McpPlace, screen: Terminal): Promise<void> {
  const { servers } = await mcp.list(place);
  for (const server of servers) {
    const lines = questionOf(server);
    if (!lines) continue;
    screen.say('');
    for (const line of lines) screen.say(line);
    if (shownStart(server) === undefined) continue;
    const answer = await screen.ask('Allow it to start? (y/N) ', new AbortController().signal);
    await mcp.consents.remember(server, /^y(es)?$/i.test(answer ?? ''));
  }
}

/** Returns the lines to show to the user; undefined when there is nothing to ask. */
function questionOf(server: KnownServer): string[] | undefined {
  const { id, source, consent } = server;
  if (consent.kind !== 'unasked' && consent.kind !== 'changed') return undefined;
  const shown = (text: string) => safeLine(text, MAX_SHOWN, 'exact');
  const verb = server.launch.type === 'stdio' ? 'starts' : 'sends what agents ask to';
  const start = shownStart(server);
  if (start === undefined) {
    return [
      `${shown(source.path)}:${source.line}: the MCP server “${shown(id)}” is too long to review, so it is not started.`,
    ];
  }
  return [
    `${shown(source.path)}:${source.line}: the MCP server “${shown(id)}” ${verb}`,
    `  ${start}`,
    ...(consent.kind === 'changed' ? [`You allowed something else before:`, `  ${shown(consent.before)}`] : []),
    'Allow it only if you trust whoever wrote this. Your answer is remembered for exactly this.',
  ];
}

/** Returns what a server starts, as one line, or undefined if it is too long: users cannot allow what they cannot read in full. */
export function shownStart(server: KnownServer): string | undefined {
  const text = startText(server);
  if (text.length > MAX_SHOWN) return undefined;
  // The replacement for an invisible character is longer than the character.
  const shown = safeLine(text, Number.MAX_SAFE_INTEGER, 'exact');
  return shown.length > MAX_SHOWN ? undefined : shown;
}
