import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, type McpPlace, type McpServers, startText } from '../../engine';
import type { Terminal } from '../terminal';

const MAX_SHOWN = 2000;

/** Asks a person at a terminal about each server of the folder that waits to be allowed; the answers are remembered. */
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

/** What a person has to read; undefined when there is nothing to ask. */
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

/** What a server starts, as a line. Undefined where it does not fit: nobody allows what they cannot read to its end. */
export function shownStart(server: KnownServer): string | undefined {
  const text = startText(server);
  if (text.length > MAX_SHOWN) return undefined;
  // What stands there for a sign that nobody sees takes more room than the sign.
  const shown = safeLine(text, Number.MAX_SAFE_INTEGER, 'exact');
  return shown.length > MAX_SHOWN ? undefined : shown;
}
