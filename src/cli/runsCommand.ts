import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { counted } from '../base/counted';
import { safeText } from '../base/shown/safeText';
import { clipEnd } from '../base/truncate';
import {
  type ComparedNode,
  comparedRuns,
  FileSessionStore,
  GraphRuns,
  type JsonValue,
  type KnownRun,
  type NodeView,
  parseJson,
  type RunRequest,
  type RunView,
  SessionCatalog,
} from '../engine';
import { configFolder } from '../node/configFolder';
import { nodePorts } from '../node/nodePorts';
import { ownEnvironment } from '../node/ownEnvironment';
import { EXIT, UsageError, wrongOptions } from './exitStatus';
import type { OutputStreams } from './output';
import { type CliArguments, parseArguments, refuseEmpty } from './parseArguments';

export const RUNS_HELP = `Usage:
  cairn runs list                 List graph runs in this folder, newest first
  cairn runs show ID              Show what each node did, its time and cost, and how the run ended
  cairn runs compare ID OTHER     Compare two runs node by node
  cairn runs stop ID              Stop a run, also one of another process
  cairn runs pause ID             Stop a run after its current step
  cairn runs resume ID            Resume a run that was stopped, paused, or interrupted, or that failed; finished nodes
                                  are not run again
  cairn runs retry ID --from NODE Start a new run from an earlier point: from the last time a node ran, or from a step
                                  number. The old record is kept.

Options:
  --set KEY=VALUE     retry: Change the state at that point; VALUE is JSON or text (repeatable)
  --all               list: Include every folder
  --json              list, show, compare: Print JSON
  -C, --cwd DIR       list: Folder (default: the current one)
  --config-dir DIR    Cairn's configuration folder (default: ~/.config/cairn)

An ID can be shortened to its last characters. resume and retry also take the run options, such as -m and --approve; see
cairn --help.
`;

const ACTIONS = ['list', 'show', 'compare', 'stop', 'pause', 'resume', 'retry'] as const;
type Action = (typeof ACTIONS)[number];

const LOOK_OPTIONS = {
  all: { type: 'boolean' },
  json: { type: 'boolean' },
  cwd: { type: 'string', short: 'C' },
  'config-dir': { type: 'string' },
} as const;

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Continues a run in the session given in the arguments and returns the exit status. */
type GoOn = (args: CliArguments, graphRun: NonNullable<RunRequest['graphRun']>) => Promise<number>;

/** Runs `cairn runs` and returns the exit status. Throws UsageError and EngineError. */
export async function runsCommand(
  [name, ...argv]: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: OutputStreams,
  goOn: GoOn,
): Promise<number> {
  if (name === undefined || [name, ...argv].some((one) => one === '--help' || one === '-h')) {
    streams.out(RUNS_HELP);
    return EXIT.completed;
  }
  const action = ACTIONS.find((one) => one === name);
  if (!action) throw new UsageError(`cairn runs takes ${ACTIONS.join(', ')}, not "${name}".`);
  if (action === 'resume' || action === 'retry') return again(action, argv, env, goOn);
  return look(action, argv, env, streams);
}

async function look(
  action: Exclude<Action, 'resume' | 'retry'>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { out, err }: OutputStreams,
): Promise<number> {
  const { values, positionals } = lookArguments(argv);
  refuseEmpty(values, 'cairn runs --help');
  checkLook(action, Object.keys(values), positionals);
  const [id, other] = positionals;
  const runs = graphRuns(env, values['config-dir']);
  const said = (data: unknown, text: string) => out(values.json ? `${JSON.stringify(data, undefined, 2)}\n` : text);
  if (action === 'list') {
    const { runs: all, problems } = await runs.list(values.all ? undefined : resolve(values.cwd ?? '.'));
    said(all, listText(all));
    for (const problem of problems) err(`cairn: ${problem}\n`);
    if (all.length === 0 && !values.json) {
      const none = 'cairn: there are no runs of graph agents';
      err(values.all ? `${none} yet.\n` : `${none} in this folder yet. See --all for those of all folders.\n`);
    }
    return EXIT.completed;
  }
  const run = await runs.find(idOf(action, id));
  if (action === 'show') said(run, runText(run));
  else if (action === 'compare') {
    const second = await runs.find(idOf(action, other));
    const rows = comparedRuns(run.view, second.view);
    said(rows, comparisonText(run.view, second.view, rows));
  } else {
    await runs.request(run, action);
    out(`${run.view.id} was told to ${action}.\n`);
  }
  return EXIT.completed;
}

async function again(
  action: 'resume' | 'retry',
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  goOn: GoOn,
): Promise<number> {
  const { from, set, rest } = retryArguments(argv);
  if (action === 'resume' && (from !== undefined || set.length > 0))
    throw new UsageError(
      'cairn runs resume takes neither --from nor --set; use cairn runs retry to continue from an earlier point.',
    );
  const args = parseArguments(rest);
  const named = OF_THE_RUN.find((name) => args[name] !== undefined);
  if (named !== undefined)
    throw new UsageError(`cairn runs ${action} goes on with the ${named} of the run. Leave the option for it out.`);
  if (args.files.length > 0 || args.skills.length > 0)
    throw new UsageError(`cairn runs ${action} sends no new message, so it takes no --file and no --skill.`);
  if (args.info || args.list || args.usage || args.validate !== undefined || args.dryRun)
    throw new UsageError(`cairn runs ${action} takes the options of a run alone. See cairn --help.`);
  const runs = graphRuns(env, args.configFolder);
  const run = await runs.find(idOf(action, args.prompt || undefined));
  const { view, sessionId, workspace } = run;
  const isOver = view.state === 'completed' || view.state === 'rejected';
  if (action === 'resume' && isOver) {
    throw new UsageError(
      `${view.id} has ended (${view.state}). Use cairn runs retry to continue from an earlier point.`,
    );
  }
  const going = { ...args, prompt: '', session: sessionId, folder: workspace, agent: view.agent };
  if (action === 'resume') {
    await runs.refuseEarlier(run);
    return goOn(going, { id: view.id, isRetry: false });
  }
  if (from === undefined) throw new UsageError('cairn runs retry takes --from with a node, or the number of a step.');
  const at = /^\d+$/.test(from) ? Number(from) : from;
  const { id } = await runs.retry(view.id, { at, changes: Object.fromEntries(set.map(settingOf)) });
  return goOn(going, { id, isRetry: true });
}

/** How many run ids each action takes, and its options other than `--config-dir`. */
const LOOKS = {
  list: { runs: 0, takes: ['all', 'json', 'cwd'] },
  show: { runs: 1, takes: ['json'] },
  compare: { runs: 2, takes: ['json'] },
  stop: { runs: 1, takes: [] },
  pause: { runs: 1, takes: [] },
} as const;

/** Throws UsageError for arguments that would have no effect. */
function checkLook(action: keyof typeof LOOKS, given: readonly string[], ids: readonly string[]): void {
  const { runs, takes }: { runs: number; takes: readonly string[] } = LOOKS[action];
  const idle = given.find((name) => name !== 'config-dir' && !takes.includes(name));
  if (idle !== undefined) throw new UsageError(`cairn runs ${action} takes no --${idle}. See cairn runs --help.`);
  if (ids.length > runs)
    throw new UsageError(`cairn runs ${action} does not take “${ids[runs]}”. See cairn runs --help.`);
}

/** Options that `resume` and `retry` take from the run itself. */
const OF_THE_RUN = ['agent', 'session', 'folder'] as const;

function lookArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: LOOK_OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrongOptions(error, 'cairn runs');
  }
}

/** Extracts the options that only `retry` takes; the rest are run options. */
function retryArguments(argv: readonly string[]): { from: string | undefined; set: string[]; rest: string[] } {
  const taken: ReturnType<typeof retryArguments> = { from: undefined, set: [], rest: [] };
  for (let at = 0; at < argv.length; at++) {
    const [, name, given] = /^--(from|set)(?:=([\s\S]*))?$/.exec(argv[at] ?? '') ?? [];
    const value = given ?? (name === undefined ? undefined : argv[++at]);
    if (name === undefined) taken.rest.push(argv[at] ?? '');
    else if (value === undefined) throw new UsageError(`--${name} needs a value. See cairn runs --help.`);
    else if (name === 'from') taken.from = value;
    else taken.set.push(value);
  }
  return taken;
}

/** Parses `KEY=VALUE`. The value is JSON if it parses, otherwise text. */
function settingOf(text: string): [string, JsonValue] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--set takes KEY=VALUE, not "${text}".`);
  const written = text.slice(equals + 1);
  return [text.slice(0, equals), parseJson(written) ?? written];
}

function idOf(action: Action, id: string | undefined): string {
  if (id === undefined)
    throw new UsageError(`cairn runs ${action} needs the id of a run. Run cairn runs list to see them.`);
  return id;
}

function graphRuns(processEnv: NodeJS.ProcessEnv, named: string | undefined): GraphRuns {
  const own = named === undefined ? configFolder(processEnv) : resolve(named);
  const env = ownEnvironment(processEnv, own);
  const ports = nodePorts({ env, ripgrepCandidates: [], watches: false, log: SILENT });
  const sessions = new SessionCatalog(new FileSessionStore(join(own, 'sessions'), ports), ports.clock, ports.log);
  return new GraphRuns(sessions, ports);
}

/** Returns one line per run, in tab-separated columns for scripts. */
function listText(runs: readonly KnownRun[]): string {
  return table(
    runs.map(({ view, isHeld }) => [
      view.id,
      stateText(view, isHeld),
      new Date(view.beganAt).toISOString(),
      view.agent,
      costText(view),
      clipEnd(view.prompt, 80),
    ]),
  );
}

/** Shows a run node by node. */
function runText({ view, isHeld, sessionId }: KnownRun): string {
  const head = [
    [`Run`, view.id],
    ['Agent', view.agent],
    ['State', stateText(view, isHeld)],
    ['Began', new Date(view.beganAt).toISOString()],
    ['Session', sessionId],
    ['Cost', costText(view)],
    ...(view.from ? [['From', `step ${view.from.step} of ${view.from.id}`]] : []),
    ['Prompt', clipEnd(view.prompt, 500)],
  ];
  const nodes = view.nodes.map((node) => [
    String(node.step),
    node.node,
    nodeState(node),
    timeText(node.durationMs),
    node.askedMs > 0 ? `asked ${timeText(node.askedMs)}` : '-',
    costText(node),
    node.message ?? (node.targets.length > 0 ? `→ ${node.targets.join(', ')}` : ''),
  ]);
  const end = view.answer ?? view.message;
  return `${table(head)}\n${table(nodes)}${end === undefined ? '' : `\n${safeText(end)}\n`}`;
}

/** Shows two runs node by node; `=` marks nodes that did the same in both. */
function comparisonText(one: RunView, other: RunView, rows: readonly ComparedNode[]): string {
  const cell = (node: NodeView | undefined) =>
    node === undefined ? 'did not run' : `${nodeState(node)}, ${timeText(node.durationMs)}, ${costText(node)}`;
  const lines = rows.map((row) => [row.differs ? '≠' : '=', row.node, cell(row.one), cell(row.other)]);
  const changed = rows.flatMap((row) => (row.differs && row.one && row.other ? writesText(row.one, row.other) : []));
  const details = changed.length === 0 ? '' : `\n${table(changed)}`;
  return `${table([['', 'node', one.id, other.id], ...lines])}${details}`;
}

/** Lists the keys to which two nodes wrote different values. */
function writesText(one: NodeView, other: NodeView): string[][] {
  const valueOf = ({ writes }: NodeView, key: string) => {
    const write = writes.findLast((candidate) => candidate.key === key);
    return write === undefined ? '(nothing)' : clipEnd(JSON.stringify(write.value), 200);
  };
  const keys = [...new Set([...one.writes, ...other.writes].map(({ key }) => key))];
  return keys.map((key) => [one.node, key, valueOf(one, key), valueOf(other, key)]).filter(([, , a, b]) => a !== b);
}

function stateText({ state }: RunView, isHeld: boolean): string {
  if (state !== 'open') return state;
  return isHeld ? 'at work' : 'cut off';
}

function nodeState({ state, tries, items, branches }: NodeView): string {
  const ofItems = branches.length > 0 ? branches.map(branchText) : items > 0 ? [counted(items, 'item')] : [];
  const more = [...(tries > 1 ? [`try ${tries}`] : []), ...ofItems];
  const words = state === 'around' ? 'failed, fallback taken' : state;
  return `${words}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

/** Describes the state of a map node's items in a node that runs for each of them. */
function branchText({
  node,
  done,
  around,
  failed,
  stopped,
  begun,
  left,
  retried,
}: NodeView['branches'][number]): string {
  const counts = { done, 'by fallback': around, failed, stopped, begun, 'not begun': left, retried };
  return `${node}: ${Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(' ')}`;
}

function timeText(ms: number | null): string {
  if (ms === null) return '-';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function costText({ tokens, costUsd }: { tokens: number; costUsd: number }): string {
  return `${counted(tokens, 'token')}, $${costUsd.toFixed(4)}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const shown = (cell: string) => safeText(cell).replace(/\s+/g, ' ');
  return rows.map((row) => `${row.map(shown).join('\t')}\n`).join('');
}
