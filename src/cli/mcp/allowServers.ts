import { safeLine } from '../../base/shown/safeText';
import { type KnownServer, launchText, type McpPlace, type McpServers } from '../../engine';
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
    if (isTooLong(server)) continue;
    const answer = await screen.ask('Allow it to be started? (y/N) ', new AbortController().signal);
    await mcp.consents.remember(server, /^y(es)?$/i.test(answer ?? ''));
  }
}

/** What a person has to read; undefined when there is nothing to ask. */
function questionOf(server: KnownServer): string[] | undefined {
  const { id, source, consent } = server;
  if (consent.kind !== 'unasked' && consent.kind !== 'changed') return undefined;
  const shown = (text: string) => safeLine(text, MAX_SHOWN, 'exact');
  const verb = server.launch.type === 'stdio' ? 'starts' : 'sends what agents ask to';
  if (isTooLong(server)) {
    return [
      `${shown(source.path)}:${source.line}: the MCP server “${shown(id)}” is too long to be read, so it is not started.`,
    ];
  }
  return [
    `${shown(source.path)}:${source.line}: the MCP server “${shown(id)}” ${verb}`,
    `  ${shown(launchText(server.launch))}`,
    ...(consent.kind === 'changed' ? [`You allowed something else before:`, `  ${shown(consent.before)}`] : []),
    'Allow it only if you trust whoever wrote this. Your answer is remembered for exactly this.',
  ];
}

/** Nobody allows what they cannot read to its end. */
function isTooLong({ launch }: KnownServer): boolean {
  return launchText(launch).length > MAX_SHOWN;
}
