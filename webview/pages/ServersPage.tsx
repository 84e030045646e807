import './servers.css';
import { safeLine, safeText } from '../../src/base/shown/safeText';
import type { PageAction, ServerAct, ServerRow, ServersView, ServerStateName } from '../../src/protocol/pages';
import { countWords } from '../ui/words';
import { ServerTools } from './ServerTools';

interface ServersPageProps {
  view: ServersView;
  act: (action: PageAction) => void;
}

interface StateWords {
  mark: string;
  color: 'good' | 'warn' | 'bad' | 'plain';
  /** What it means, where nothing failed. */
  note: string;
}

const STATES: Readonly<Record<ServerStateName, StateWords>> = {
  waits: { mark: 'Waits', color: 'warn', note: 'It does not start before you allow exactly what it starts.' },
  changed: { mark: 'Changed', color: 'warn', note: 'It was changed since you allowed it, so it does not start.' },
  denied: { mark: 'Denied', color: 'bad', note: 'You said that it never starts.' },
  off: { mark: 'Off', color: 'plain', note: 'Models do not hear of it.' },
  configured: { mark: 'Configured', color: 'plain', note: 'It starts when an agent looks for its tools.' },
  known: { mark: 'Known', color: 'plain', note: 'It starts with the first call of one of its tools.' },
  starting: { mark: 'Starting', color: 'warn', note: '' },
  started: { mark: 'Started', color: 'good', note: 'No tool of it was called yet.' },
  called: { mark: 'Called', color: 'good', note: '' },
  failed: { mark: 'Failed', color: 'bad', note: '' },
  'sign-in': { mark: 'Sign in', color: 'warn', note: '' },
};

const ACTS: Readonly<Record<ServerAct, string>> = {
  allow: 'Allow…',
  'sign-in': 'Sign In',
  start: 'Start',
  stop: 'Stop',
  log: 'Show Log',
  open: 'Open File',
  'sign-out': 'Sign Out',
  forbid: 'Never Start',
};

/** MCP servers by where they are written: their state, what can be done, and how models hear of their tools. */
export function ServersPage({ view: { servers, problems }, act }: ServersPageProps) {
  return (
    <>
      <header class="page-head">
        <h1>MCP servers</h1>
        <p class="page-sum">A server starts with the first call of one of its tools.</p>
      </header>
      {problems.map((problem) => (
        <p key={problem} class="page-problem">
          {safeLine(problem, 2000)}
        </p>
      ))}
      <Servers title="Yours" servers={servers.filter(({ isOwn }) => isOwn)} act={act} />
      <Servers title="From this workspace" servers={servers.filter(({ isOwn }) => !isOwn)} act={act} />
      <p class="page-note">
        <button type="button" class="page-link" onClick={() => act({ kind: 'edit-servers' })}>
          Edit your MCP servers
        </button>
      </p>
    </>
  );
}

interface ServersProps {
  title: string;
  servers: readonly ServerRow[];
  act: ServersPageProps['act'];
}

function Servers({ title, servers, act }: ServersProps) {
  return (
    <section class="page-part" aria-label={title}>
      <h2>{title}</h2>
      {servers.length === 0 && <p class="page-none">No servers</p>}
      {servers.map((server) => (
        <Server key={server.id} server={server} act={act} />
      ))}
    </section>
  );
}

function Server({ server, act }: { server: ServerRow; act: ServersPageProps['act'] }) {
  const { id, state, why, before, launch, source, acts } = server;
  const { mark, color, note } = STATES[state];
  const name = safeLine(id, 200, 'exact');
  return (
    <article class="server" aria-label={name}>
      <div class="server-head">
        <h3>{name}</h3>
        <span class={`page-mark server-${color}`}>{mark}</span>
        <span class="page-why">
          {safeLine(source, 1000, 'exact')}
          {factsOf(server)}
        </span>
      </div>
      <code class="page-code server-launch">{safeLine(launch, 4000, 'exact')}</code>
      {before !== null && (
        <p class="page-why">
          You allowed before: <code class="page-code">{safeLine(before, 4000, 'exact')}</code>
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
            aria-label={`${ACTS[one]} ${name}`}
            onClick={() => act({ kind: 'act-on-server', server: id, act: one })}
          >
            {ACTS[one]}
          </button>
        ))}
      </div>
      {server.last && <p class="page-why">{lastCall(server.last)}</p>}
      <ServerTools server={server} act={act} />
    </article>
  );
}

/** “Last call: echo, 14:03:22, 95 ms” */
function lastCall({ tool, at, ms, hasFailed }: NonNullable<ServerRow['last']>): string {
  const parts = [safeLine(tool, 200, 'exact'), new Date(at).toLocaleTimeString(), timeWords(ms)];
  return `Last call: ${[...parts, ...(hasFailed ? ['failed'] : [])].join(', ')}`;
}

function timeWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function factsOf({ calls, failures, averageMs, resources, prompts }: ServerRow): string {
  const facts = [
    calls > 0 ? countWords(calls, 'call') : '',
    failures > 0 ? `${failures} failed` : '',
    averageMs === null ? '' : `${timeWords(averageMs)} on average`,
    resources > 0 ? countWords(resources, 'resource') : '',
    prompts > 0 ? countWords(prompts, 'prompt') : '',
  ];
  return facts
    .filter((one) => one !== '')
    .map((one) => ` · ${one}`)
    .join('');
}
