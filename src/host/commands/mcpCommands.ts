import { t } from '../../base/l10n';
import { type KnownServer, startText } from '../../engine';
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
import { pickRow } from '../shown/pickList';

/** Lists the MCP servers, then the actions for the chosen one. */
export function manageMcpServers(host: Host): Command {
  return {
    async run() {
      const servers = await host.mcp.servers();
      const { servers: known, problems } = await servers.list(host.mcpPlace());
      for (const problem of problems) host.log.warn(problem);
      const rows = known.map((server) => ({
        icon: ICONS[server.consent.kind],
        label: server.id,
        description: stateOf(server),
        detail: startText(server),
        server,
      }));
      const more = [
        { icon: 'add', label: t('Add MCP Server…'), act: addMcpServer(host).run },
        { icon: 'go-to-file', label: t('Edit Your MCP Servers'), act: () => openOwnFile(host) },
      ];
      const picked = await pickRow([...rows, ...more], {
        title: t('MCP Servers'),
        placeHolder: rows.length > 0 ? selectWords(problems.length) : noneWords(problems.length),
        matchOnDetail: true,
      });
      if (!picked) return;
      if ('server' in picked)
        await actOn(
          { servers, host },
          known.find(({ id }) => id === picked.server.id),
        );
      else await picked.act(undefined);
    },
  };
}

function selectWords(problems: number): string {
  if (problems === 0) return t('Select a server');
  return problems === 1
    ? t('Select a server (1 problem is in the log)')
    : t('Select a server ({0} problems are in the log)', problems);
}

function noneWords(problems: number): string {
  if (problems === 0) return t('No MCP servers yet');
  return problems === 1
    ? t('No MCP servers yet (1 problem is in the log)')
    : t('No MCP servers yet ({0} problems are in the log)', problems);
}

const ICONS = { allowed: 'plug', denied: 'circle-slash', unasked: 'question', changed: 'warning' } as const;

const STATES = {
  stopped: () => t('stopped'),
  starting: () => t('starting'),
  ready: () => t('ready'),
} as const;

function stateOf({ consent, tools, state }: KnownServer): string {
  if (consent.kind === 'unasked') return t('needs to be allowed');
  if (consent.kind === 'changed') return t('has changed since you allowed it');
  if (consent.kind === 'denied') return t('never started');
  const known =
    tools === undefined ? t('tools unknown until it starts') : tools === 1 ? t('1 tool') : t('{0} tools', tools);
  if (state.kind !== 'failed') return `${known} · ${STATES[state.kind]()}`;
  return state.wantsSignIn ? t('requires you to sign in') : t('failed: {0}', state.why);
}

async function actOn(at: At, server: KnownServer | undefined): Promise<void> {
  if (!server) return;
  if (server.consent.kind !== 'allowed') return decide(at, server);
  const { state, launch } = server;
  const wantsSignIn = state.kind === 'failed' && state.wantsSignIn;
  const isRemote = launch.type !== 'stdio';
  const actions = [
    ...(wantsSignIn ? [SIGN_IN] : []),
    { icon: 'play', label: t('Start'), act: start },
    ...(state.kind === 'starting' || state.kind === 'ready'
      ? [{ icon: 'debug-stop', label: t('Stop'), act: stop }]
      : []),
    { icon: 'go-to-file', label: t('Open Its File'), act: openFile },
    { icon: 'output', label: t('Show Its Log'), act: showLog },
    ...(isRemote && !wantsSignIn ? [SIGN_IN, SIGN_OUT] : []),
    ...(server.scope !== 'person' ? [{ icon: 'circle-slash', label: t('Never Start'), act: forbid }] : []),
  ];
  const action = await pickRow(actions, { title: server.id, placeHolder: t('Select an action for this server') });
  await action?.act(at, server);
}

const SIGN_IN = {
  icon: 'sign-in',
  get label() {
    return t('Sign In');
  },
  act: signIn,
};
const SIGN_OUT = {
  icon: 'sign-out',
  get label() {
    return t('Sign Out');
  },
  act: signOut,
};

function showLog({ servers }: At, server: KnownServer): Promise<void> {
  return showServerLog(servers, server);
}
