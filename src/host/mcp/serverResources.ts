import { AbortError, isAbort } from '../../base/abort';
import { t } from '../../base/l10n';
import { fuzzyScore } from '../../base/matching';
import type { Attachment, KnownServer, McpPlace } from '../../engine';
import type { LateMcpServers } from '../../node/mcp/lateMcpServers';
import type { ContextHit } from '../../protocol/hostApi';
import type { ContextItem } from '../../protocol/messageItem';
import { askValue } from './askValue';

/** The MCP servers and where their files are looked for. */
export interface ServersHere {
  mcp: LateMcpServers;
  mcpPlace: () => McpPlace;
}

const MAX_HITS = 8;
/** The limit before anything is typed. */
const MAX_OFFERED = 5;

/** Resources of servers that match what the user typed after `@`. Starts no server. */
export async function resourceHits({ mcp, mcpPlace }: ServersHere, query: string): Promise<ContextHit[]> {
  // Unreadable files are reported where servers are managed, and with the next message.
  const servers = await mcp.allowed(mcpPlace()).catch((): readonly KnownServer[] => []);
  const all = servers.flatMap((server) => server.resources.map((resource) => ({ server, resource })));
  if (query === '') return all.slice(0, MAX_OFFERED).map(hitOf);
  return all
    .map((one) => ({ one, score: scoreOf(one, query) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .slice(0, MAX_HITS)
    .map(({ one }) => hitOf(one));
}

interface Found {
  server: KnownServer;
  resource: KnownServer['resources'][number];
}

function scoreOf({ server: { id }, resource: { name, uri } }: Found, query: string): number {
  const typed = query.toLowerCase();
  return Math.max(
    ...[name, `${id}:${name}`, uri].map((text) => fuzzyScore(typed, text.toLowerCase().replaceAll(/\s+/g, ''))),
  );
}

function hitOf({ server: { id }, resource: { name, uri, isTemplate } }: Found): ContextHit {
  const item: ContextItem = { kind: 'resource', label: name, target: uri, server: id };
  return { item, detail: t('{0} · MCP server {1}', uri, id), ...(isTemplate && { asks: true }) };
}

/** Rejects with a message for the user if the resource cannot be read. */
export async function readServerResource(
  parts: ServersHere,
  item: ContextItem,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const { label, target: uri } = item;
  const server = await serverOf(parts, item);
  try {
    return await (await parts.mcp.servers()).attach(server, { uri, label }, signal);
  } catch (error) {
    if (!isAbort(error)) throw error;
    throw new Error(t('The MCP server {0} did not return {1} in time.', server.id, uri), { cause: error });
  }
}

/** Asks for the parameters in the resource's URI, with the server's suggestions. Returns undefined if the user canceled. */
export async function fillServerResource(parts: ServersHere, item: ContextItem): Promise<ContextItem | undefined> {
  const server = await serverOf(parts, item);
  const servers = await parts.mcp.servers();
  const ref = { type: 'ref/resource', uri: item.target } as const;
  const { signal } = new AbortController();
  const valuesOf = async (variables: readonly string[]) => {
    const known: Record<string, string> = {};
    for (const name of variables) {
      const value = await askValue({
        title: `${server.id}: ${item.label}`,
        name,
        description: item.target,
        isRequired: true,
        complete: (typed) => servers.complete(server, ref, { name, value: typed }, { known: { ...known }, signal }),
      });
      if (value === undefined) throw new AbortError();
      known[name] = value;
    }
    return known;
  };
  try {
    const target = await servers.fillAddress(server, item.target, valuesOf, signal);
    return { ...item, target, label: `${item.label} (${target})`.slice(0, 500) };
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw error;
  }
}

async function serverOf({ mcp, mcpPlace }: ServersHere, { server: id = '' }: ContextItem): Promise<KnownServer> {
  const found = (await mcp.allowed(mcpPlace())).find((one) => one.id === id);
  if (found) return found;
  const remedy = t('Remove its resource from the message, or run “Cairn: Manage MCP Servers…”.');
  throw new Error(t('The MCP server “{0}” no longer exists, or is not allowed to start. {1}', id, remedy));
}
