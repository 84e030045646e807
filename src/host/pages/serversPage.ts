import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, onDispose } from '../../base/disposable';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import { type KnownServer, type McpServers, startText } from '../../engine';
import type { ServerAct, ServerRow, ServerStateName, ServersView, ToolOffer } from '../../protocol/pages';
import type { Command, Host } from '../host';
import { addMcpServer } from '../mcp/addServer';
import {
  type At,
  decide,
  forbid,
  openFile,
  openOwnFile,
  showServerLog,
  signIn,
  signOut,
  start,
  stop,
} from '../mcp/serverActions';
import { watchServerFiles } from '../mcp/watchServerFiles';
import { PagePanel } from './pagePanel';

const pages = new WeakMap<Host['chats'], PagePanel>();

/** Shows all MCP servers with their state, tools, and available actions. */
export function showMcpServers(host: Host): Command {
  return {
    async run() {
      const page = pages.get(host.chats) ?? serversPage(host);
      pages.set(host.chats, page);
      await page.show();
    },
  };
}

function serversPage(host: Host): PagePanel {
  const listed = async () => {
    const servers = await host.mcp.servers();
    return { servers, listed: await servers.list(host.mcpPlace()) };
  };
  const find = async (id: string) => {
    const { servers, listed: all } = await listed();
    const server = all.servers.find((one) => one.id === id);
    if (!server) throw new Error(t('There is no longer an MCP server “{0}”.', id));
    return { at: { servers, host, isSeen: true }, server };
  };
  return new PagePanel({
    type: 'cairn.servers',
    title: t('Cairn MCP Servers'),
    extensionUri: host.extensionUri,
    log: host.log,
    follow: (refresh) => followServers(host, refresh),
    async view(): Promise<ServersView> {
      const { servers, listed: all } = await listed();
      const allowed = all.servers.filter(({ consent, offer }) => consent.kind === 'allowed' && offer !== 'off');
      return {
        page: 'servers',
        servers: all.servers.map((server) => rowOf(server, servers, allowed)),
        unread: unreadServers(),
        problems: all.problems,
      };
    },
    async act(action) {
      if (action.kind === 'add-server') await addMcpServer(host).run(undefined);
      if (action.kind === 'edit-servers') await openOwnFile(host);
      if (action.kind === 'act-on-server') {
        const { at, server } = await find(action.server);
        await ACTS[action.act](at, server);
      }
      if (action.kind === 'offer-tools') {
        const { at, server } = await find(action.server);
        await offer(at, server, action.tool ?? undefined, action.offer ?? undefined);
      }
    },
  });
}

function unreadServers(): string {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (!vscode.workspace.isTrusted) return t('Not read in Restricted Mode');
  return first && others.length > 0 ? t('Only the servers of the first folder, {0}, are read.', first.name) : '';
}

const ACTS: Readonly<Record<ServerAct, (at: At, server: KnownServer) => Promise<void>>> = {
  allow: decide,
  forbid,
  start,
  stop,
  'sign-in': signIn,
  'sign-out': signOut,
  open: openFile,
  log: ({ servers }, server) => showServerLog(servers, server),
};

/** Also refreshes when a server file changes and when agents start servers. */
function followServers({ mcp, mcpPlace, files, paths }: Host, refresh: () => void): Disposable {
  let following: Disposable | undefined;
  let isOver = false;
  const configFolder = dirname(mcp.ownFile);
  const saved = watchServerFiles({ files, paths, place: mcpPlace(), configFolder }, refresh);
  void mcp.servers().then((servers) => {
    if (!isOver) following = servers.onChange(refresh);
  });
  return onDispose(() => {
    isOver = true;
    saved.dispose();
    following?.dispose();
  });
}

function rowOf(server: KnownServer, servers: McpServers, allowed: readonly KnownServer[]): ServerRow {
  const { consent, state, source, scope, traffic, resources, prompts } = server;
  const { calls, failures, done, totalMs, last } = traffic;
  const tools = server.tools === undefined ? null : servers.toolsOf(server, allowed);
  const told = (tools ?? []).filter((one) => one.offer === 'always');
  const sizes = told.map(({ tool }) => tool.description.length + JSON.stringify(tool.parameters).length);
  return {
    id: server.id,
    state: stateOf(server),
    why: consent.kind === 'allowed' && state.kind === 'failed' ? whyOf(state) : '',
    before: consent.kind === 'changed' ? consent.before : null,
    launch: startText(server),
    source: `${vscode.workspace.asRelativePath(source.path)}:${source.line}`,
    from: scope,
    calls,
    failures,
    averageMs: done > 0 ? Math.round(totalMs / done) : null,
    last: last ?? null,
    offer: server.offer ?? null,
    tools:
      tools &&
      tools.map(({ tool, offer: one }) => ({
        name: tool.name,
        description: tool.description,
        offer: one,
        isChosen: Object.hasOwn(server.offerOf, tool.name),
      })),
    tokens: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 4),
    resources: resources.length,
    prompts: prompts.length,
    acts: actsOn(server),
  };
}

function whyOf({ why, wantsSignIn, isGivenUp }: Extract<KnownServer['state'], { kind: 'failed' }>): string {
  if (wantsSignIn) return t('It requires you to sign in.');
  const next = isGivenUp ? t('It failed too many times in a row. It starts again only when you start it.') : '';
  return `${why} ${next}`.trim();
}

function stateOf({ consent, state, offer: chosen, tools, traffic: { calls } }: KnownServer): ServerStateName {
  if (consent.kind === 'unasked') return 'waits';
  if (consent.kind !== 'allowed') return consent.kind;
  if (state.kind === 'failed') return state.wantsSignIn ? 'sign-in' : 'failed';
  if (state.kind === 'starting') return 'starting';
  if (state.kind === 'ready') return calls > 0 ? 'called' : 'started';
  if (chosen === 'off') return 'off';
  return tools === undefined ? 'configured' : 'known';
}

function actsOn({ consent, state, launch, scope }: KnownServer): ServerAct[] {
  const isRemote = launch.type !== 'stdio';
  if (consent.kind !== 'allowed') return ['allow', 'open'];
  const runs = state.kind === 'starting' || state.kind === 'ready';
  return [
    ...(isRemote ? ['sign-in' as const] : []),
    runs ? 'stop' : 'start',
    'log',
    'open',
    ...(isRemote ? ['sign-out' as const] : []),
    ...(scope !== 'person' ? ['forbid' as const] : []),
  ];
}

/**
 * For servers in the user's own file, the choice is written there. For others it is stored separately, because those files are
 * not the user's.
 */
async function offer(
  { servers, host }: At,
  server: KnownServer,
  tool: string | undefined,
  wanted: ToolOffer | undefined,
): Promise<void> {
  if (server.scope !== 'person') {
    await servers.offers.choose(server, tool, wanted);
    return;
  }
  const { changeOwnServers } = await import('../../node/mcp/ownServerFile');
  await changeOwnServers(dirname(host.mcp.ownFile), (written) =>
    Object.fromEntries(
      Object.entries(written).map(([id, one]) => [id, id === server.id ? withOffer(one, tool, wanted) : one]),
    ),
  );
}

function withOffer(written: unknown, tool: string | undefined, wanted: ToolOffer | undefined): unknown {
  if (!isRecord(written)) return written;
  const without = (map: object, name: string) => Object.entries(map).filter(([key]) => key !== name);
  if (tool === undefined) {
    return Object.fromEntries([...without(written, 'offer'), ...(wanted ? [['offer', wanted]] : [])]);
  }
  const { offerTools: before } = written;
  const tools = [...without(isRecord(before) ? before : {}, tool), ...(wanted ? [[tool, wanted]] : [])];
  return Object.fromEntries([
    ...without(written, 'offerTools'),
    ...(tools.length > 0 ? [['offerTools', Object.fromEntries(tools)]] : []),
  ]);
}
