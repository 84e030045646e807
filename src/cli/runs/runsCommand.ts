import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../../base/errorText';
import { comparedRuns, FileSessionStore, GraphRuns, type JsonValue, parseJson, SessionCatalog } from '../../engine';
import { configFolder } from '../../node/configFolder';
import { nodePorts } from '../../node/nodePorts';
import { ownEnvironment } from '../../node/ownEnvironment';
import { EXIT, UsageError } from '../exitStatus';
import type { OutputStreams } from '../output';
import { type CliArguments, parseArguments } from '../parseArguments';
import { comparisonText, listText, runText } from './runTexts';

const RUNS_HELP = `cairn runs list                 names the runs of graphs in this folder, the newest first
cairn runs show ID              what each node did, how long it took and what it cost, and how the run ended
cairn runs compare ID OTHER     two runs node by node
cairn runs stop ID              stops a run that another process carries out
cairn runs pause ID             the same after the step at hand
cairn runs resume ID            goes on with a run that was stopped, paused or cut off, or that failed; what is done is not run again
cairn runs retry ID --from NODE goes on from an earlier point in a new run: from the last time that a node ran, or from
                                a step by its number; the old record stays as it is

  --set KEY=VALUE     retry: the state has this value there; JSON, or a text; repeatable
  --all               list: of every folder
  --json              list, show, compare: as JSON
  -C, --cwd DIR       list: the folder; this one without it
  --config-dir DIR    Cairn's own folder; ~/.config/cairn without it

An ID may be shortened to how it ends. resume and retry take the options of a run as well, such as -m and --approve; see cairn --help.
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

/** Goes on in the session of the arguments; gives the exit status. */
type GoOn = (args: CliArguments) => Promise<number>;

/** `cairn runs`; gives the exit status. Throws UsageError and EngineError. */
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
  if (!action) throw new UsageError(`cairn runs takes ${ACTIONS.join(', ')}; "${name}" is none of them.`);
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
  const [id, other] = positionals;
  const runs = graphRuns(env, values['config-dir']);
  const said = (data: unknown, text: string) => out(values.json ? `${JSON.stringify(data, undefined, 2)}\n` : text);
  if (action === 'list') {
    const { runs: all, problems } = await runs.list(values.all ? undefined : resolve(values.cwd ?? '.'));
    said(all, listText(all));
    for (const problem of problems) err(`cairn: ${problem}\n`);
    return EXIT.completed;
  }
  const run = await runs.find(idOf(action, id));
  if (action === 'show') said(run, runText(run));
  else if (action === 'compare') {
    const second = await runs.find(idOf(action, other));
    const rows = comparedRuns(run.view, second.view);
    said(rows, comparisonText(run.view, second.view, rows));
  } else {
    await runs.request(run.view.id, action);
    out(`${run.view.id} was asked to ${action}.\n`);
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
  const args = parseArguments(rest);
  const runs = graphRuns(env, args.configFolder);
  const { view, sessionId, workspace } = await runs.find(idOf(action, args.prompt || undefined));
  const isOver = view.state === 'completed' || view.state === 'rejected';
  if (action === 'resume' && isOver) {
    throw new UsageError(`${view.id} has ended (${view.state}). cairn runs retry goes on from an earlier point of it.`);
  }
  if (action === 'retry') {
    if (from === undefined) throw new UsageError('cairn runs retry takes --from with a node, or the number of a step.');
    const at = /^\d+$/.test(from) ? Number(from) : from;
    await runs.retry(view.id, { at, changes: Object.fromEntries(set.map(settingOf)) });
  }
  return goOn({ ...args, prompt: '', session: sessionId, folder: workspace, agent: view.agent });
}

function lookArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: LOOK_OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${errorText(error).replaceAll('\n', ' ').replace(/\.+$/, '')}. See cairn runs --help.`);
  }
}

/** What only these commands take; the rest is said as for every run. */
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

/** JSON where it is some, else a text. */
function settingOf(text: string): [string, JsonValue] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--set takes KEY=VALUE; "${text}" is none.`);
  const written = text.slice(equals + 1);
  return [text.slice(0, equals), parseJson(written) ?? written];
}

function idOf(action: Action, id: string | undefined): string {
  if (id === undefined) throw new UsageError(`cairn runs ${action} needs the id of a run; cairn runs list names them.`);
  return id;
}

function graphRuns(processEnv: NodeJS.ProcessEnv, named: string | undefined): GraphRuns {
  const own = named === undefined ? configFolder(processEnv) : resolve(named);
  const env = ownEnvironment(processEnv, own);
  const ports = nodePorts({ env, ripgrepCandidates: [], watches: false, log: SILENT });
  const sessions = new SessionCatalog(new FileSessionStore(join(own, 'sessions'), ports), ports.clock, ports.log);
  return new GraphRuns(sessions, ports);
}
