import './servers.css';
import { t } from '../../src/base/l10n';
import { safeLine, safeText } from '../../src/base/shown/safeText';
import type { PageAction, ServerAct, ServerRow, ServersView, ServerStateName } from '../../src/protocol/pages';
import { Sentence } from '../ui/Sentence';
import { dateWords } from '../ui/dateWords';
import { ServerTools } from './ServerTools';

interface ServersPageProps {
  view: ServersView;
  act: (action: PageAction) => void;
}

interface StateWords {
  mark: () => string;
  color: 'good' | 'warn' | 'bad' | 'plain';
  /** Explains the state, if it is not a failure. */
  note: () => string;
}

const STATES: Readonly<Record<ServerStateName, StateWords>> = {
  waits: {
    mark: () => t('Waits'),
    color: 'warn',
    note: () => t('It does not start until you allow exactly what it runs.'),
  },
  changed: {
    mark: () => t('Changed'),
    color: 'warn',
    note: () => t('It has changed since you allowed it, so it does not start.'),
  },
  denied: { mark: () => t('Denied'), color: 'bad', note: () => t('You chose never to start it.') },
  off: { mark: () => t('Off'), color: 'plain', note: () => t('Models are not told about it.') },
  configured: {
    mark: () => t('Configured'),
    color: 'plain',
    note: () => t('It starts when an agent looks for its tools.'),
  },
  known: {
    mark: () => t('Known'),
    color: 'plain',
    note: () => t('It starts when one of its tools is first called.'),
  },
  starting: { mark: () => t('Starting'), color: 'warn', note: () => '' },
  started: { mark: () => t('Started'), color: 'good', note: () => t('No tool of it was called yet.') },
  called: { mark: () => t('Called'), color: 'good', note: () => '' },
  failed: { mark: () => t('Failed'), color: 'bad', note: () => '' },
  'sign-in': { mark: () => t('Sign in'), color: 'warn', note: () => '' },
};

const ACTS: Readonly<Record<ServerAct, { label: () => string; of: (server: string) => string }>> = {
  allow: { label: () => t('Allow…'), of: (server) => t('Allow… {0}', server) },
  'sign-in': { label: () => t('Sign In'), of: (server) => t('Sign In {0}', server) },
  start: { label: () => t('Start'), of: (server) => t('Start {0}', server) },
  stop: { label: () => t('Stop'), of: (server) => t('Stop {0}', server) },
  log: { label: () => t('Show Log'), of: (server) => t('Show Log {0}', server) },
  open: { label: () => t('Open File'), of: (server) => t('Open File {0}', server) },
  'sign-out': { label: () => t('Sign Out'), of: (server) => t('Sign Out {0}', server) },
  forbid: { label: () => t('Never Start'), of: (server) => t('Never Start {0}', server) },
};

/** MCP servers by origin: their state, actions, and how models learn about their tools. */
export function ServersPage({ view: { servers, unread, problems }, act }: ServersPageProps) {
  const programs = servers.filter(({ from }) => from === 'program');
  return (
    <>
      <header class="page-head">
        <h1>{t('MCP servers')}</h1>
        <p class="page-sum">{t('A server starts when one of its tools is first called.')}</p>
        <button type="button" class="page-button" onClick={() => act({ kind: 'add-server' })}>
          {t('Add MCP Server…')}
        </button>
      </header>
      {problems.map((problem) => (
        <p key={problem} class="page-problem">
          {safeLine(problem, 2000)}
        </p>
      ))}
      <Servers title={t('Yours')} servers={servers.filter(({ from }) => from === 'person')} act={act} />
      <Servers
        title={t('From this workspace')}
        servers={servers.filter(({ from }) => from === 'workspace')}
        unread={safeLine(unread)}
        act={act}
      />
      {programs.length > 0 && <Servers title={t('From other programs')} servers={programs} act={act} />}
      <p class="page-note">
        <button type="button" class="page-link" onClick={() => act({ kind: 'edit-servers' })}>
          {t('Edit your MCP servers')}
        </button>
      </p>
    </>
  );
}

interface ServersProps {
  title: string;
  servers: readonly ServerRow[];
  unread?: string;
  act: ServersPageProps['act'];
}

function Servers({ title, servers, unread = '', act }: ServersProps) {
  return (
    <section class="page-part" aria-label={title}>
      <h2>{title}</h2>
      {unread !== '' && <p class="page-none">{unread}</p>}
      {unread === '' && servers.length === 0 && <p class="page-none">{t('No servers')}</p>}
      {servers.map((server) => (
        <Server key={server.id} server={server} act={act} />
      ))}
    </section>
  );
}

function Server({ server, act }: { server: ServerRow; act: ServersPageProps['act'] }) {
  const { id, state, why, before, launch, source, acts } = server;
  const { mark, color, note: noteOf } = STATES[state];
  const note = noteOf();
  const name = safeLine(id, 200, 'exact');
  return (
    <article class="server" aria-label={name}>
      <div class="server-head">
        <h3>{name}</h3>
        <span class={`page-mark server-${color}`}>{mark()}</span>
        <span class="page-why">
          {safeLine(source, 1000, 'exact')}
          {factsOf(server)}
        </span>
      </div>
      <code class="page-code server-launch">{safeLine(launch, 4000, 'exact')}</code>
      {before !== null && (
        <p class="page-why">
          <Sentence
            words={t('You allowed before: {0}')}
            parts={[<code class="page-code">{safeLine(before, 4000, 'exact')}</code>]}
          />
        </p>
      )}
      {why !== '' && (
        <p class="server-failure server-bad" role="status">
          {safeText(why)}
        </p>
      )}
      {why === '' && note !== '' && <p class="page-why">{note}</p>}
      <div class="server-bar">
        {acts.map((one) => (
          <button
            key={one}
            type="button"
            class="page-button"
            aria-label={ACTS[one].of(name)}
            onClick={() => act({ kind: 'act-on-server', server: id, act: one })}
          >
            {ACTS[one].label()}
          </button>
        ))}
      </div>
      {server.last && <p class="page-why">{lastCall(server.last)}</p>}
      <ServerTools server={server} act={act} />
    </article>
  );
}

/** Formats, for example, "Last call: echo, 14:03:22, 95 ms". */
function lastCall({ tool, at, ms, hasFailed }: NonNullable<ServerRow['last']>): string {
  const parts = [safeLine(tool, 200, 'exact'), dateWords(at, { timeStyle: 'medium' }), timeWords(ms)];
  return t('Last call: {0}', [...parts, ...(hasFailed ? [t('failed')] : [])].join(', '));
}

function timeWords(ms: number): string {
  return ms < 1000 ? t('{0} ms', ms) : t('{0} s', (ms / 1000).toFixed(1));
}

function factsOf({ calls, failures, averageMs, resources, prompts }: ServerRow): string {
  const facts = [
    calls > 0 ? (calls === 1 ? t('1 call') : t('{0} calls', calls)) : '',
    failures > 0 ? t('{0} failed', failures) : '',
    averageMs === null ? '' : t('{0} on average', timeWords(averageMs)),
    resources > 0 ? (resources === 1 ? t('1 resource') : t('{0} resources', resources)) : '',
    prompts > 0 ? (prompts === 1 ? t('1 prompt') : t('{0} prompts', prompts)) : '',
  ];
  return facts
    .filter((one) => one !== '')
    .map((one) => ` · ${one}`)
    .join('');
}
