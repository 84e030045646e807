import { parseArgs } from 'node:util';
import { type Effort, EFFORTS, WORK_MODES, type WorkMode } from '../engine';
import { UsageError, wrongOptions } from './exitStatus';

const APPROVE_CHOICES = ['ask', 'edits', 'all', 'none'] as const;
const OUTPUT_CHOICES = ['text', 'json', 'stream-json', 'csv'] as const;
const LIST_CHOICES = ['agents', 'roles', 'skills', 'commands', 'models', 'tools', 'sessions'] as const;

export type ApproveChoice = (typeof APPROVE_CHOICES)[number];
export type OutputChoice = Exclude<(typeof OUTPUT_CHOICES)[number], 'csv'>;
type UsageFormat = 'text' | 'json' | 'csv';
export type ListChoice = (typeof LIST_CHOICES)[number];

export interface CliArguments {
  prompt: string;
  /** Agent name. Defaults to the session's agent, then to the default agent. */
  agent: string | undefined;
  role: string | undefined;
  /** Names of skills to load before the run. */
  skills: readonly string[];
  variables: Readonly<Record<string, string>>;
  model: string | undefined;
  effort: Effort | undefined;
  /** Absent: a new session. Empty: the newest of the folder. Otherwise a name or an id. */
  session: string | undefined;
  /** Role for the session, set while it has no messages. */
  sessionRole?: string;
  folder: string | undefined;
  configFolder: string | undefined;
  /** The agent's mode. Defaults to the session's mode, then to the agent's. */
  mode: WorkMode | undefined;
  /** Defaults to `ask` on a terminal and to `none` otherwise. */
  approve: ApproveChoice | undefined;
  /** Use what the folder contains for agents in this run, regardless of who wrote it. */
  trust: boolean;
  output: OutputChoice;
  /** Files and addresses to attach to the prompt. */
  files: readonly string[];
  maxTurns: number | undefined;
  maxTimeMs: number | undefined;
  maxCostUsd: number | undefined;
  list: ListChoice | undefined;
  /** Walk the agent's graph without running any of it. */
  dryRun: boolean;
  /** File with the answers of nodes for `dryRun`. */
  answers: string | undefined;
  /** A file or folder of agents, skills and roles to validate. */
  validate: string | undefined;
  info: boolean;
  /** Print the usage of requests in this format. */
  usage: UsageFormat | undefined;
  /** Milliseconds since the epoch. */
  since: number | undefined;
  version: boolean;
  help: boolean;
}

const OPTIONS = {
  agent: { type: 'string', short: 'a' },
  role: { type: 'string', short: 'r' },
  skill: { type: 'string', multiple: true },
  variable: { type: 'string', multiple: true },
  model: { type: 'string', short: 'm' },
  session: { type: 'string', short: 's' },
  file: { type: 'string', short: 'f', multiple: true },
  cwd: { type: 'string', short: 'C' },
  'config-dir': { type: 'string' },
  mode: { type: 'string' },
  approve: { type: 'string' },
  trust: { type: 'boolean' },
  output: { type: 'string' },
  effort: { type: 'string' },
  'max-turns': { type: 'string' },
  'max-time': { type: 'string' },
  'max-cost': { type: 'string' },
  'dry-run': { type: 'boolean' },
  answers: { type: 'string' },
  list: { type: 'string' },
  validate: { type: 'string' },
  info: { type: 'boolean' },
  usage: { type: 'boolean' },
  since: { type: 'string' },
  version: { type: 'boolean', short: 'V' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments. Throws UsageError naming the option and the values it takes. */
export function parseArguments(argv: readonly string[]): CliArguments {
  return argumentsFrom(argv, checkTogether);
}

/** Parses the arguments of `cairn mcp serve`, which accepts the options of the runs it starts. */
export function parseServed(argv: readonly string[]): CliArguments {
  return argumentsFrom(argv, checkServed);
}

function argumentsFrom(argv: readonly string[], check: typeof checkTogether): CliArguments {
  const { values, positionals } = parse(withSessionValue(argv));
  const { session, ...others } = values;
  refuseEmpty(others, 'cairn --help');
  check(values, positionals.join(' '));
  const seconds = positiveNumber('--max-time', values['max-time']);
  const output = oneOf('--output', values.output, OUTPUT_CHOICES) ?? 'text';
  const isDry = values['dry-run'] ?? false;
  if (isDry && values.agent === undefined) throw new UsageError('--dry-run needs a graph agent: -a NAME.');
  if (values.answers !== undefined && !isDry) throw new UsageError('--answers is for --dry-run.');
  return {
    prompt: positionals.join(' '),
    agent: values.agent,
    role: values.role,
    skills: [...new Set((values.skill ?? []).flatMap((names) => names.split(',').filter((name) => name !== '')))],
    variables: Object.fromEntries((values.variable ?? []).map(pairOf)),
    model: values.model,
    effort: oneOf('--effort', values.effort, EFFORTS),
    session,
    folder: values.cwd,
    configFolder: values['config-dir'],
    mode: oneOf('--mode', values.mode, WORK_MODES),
    approve: oneOf('--approve', values.approve, APPROVE_CHOICES),
    trust: values.trust ?? false,
    output: values.usage ? 'text' : runOutput(output, values),
    files: values.file ?? [],
    maxTurns: wholeNumber('--max-turns', values['max-turns']),
    maxTimeMs: seconds === undefined ? undefined : seconds * 1000,
    maxCostUsd: positiveNumber('--max-cost', values['max-cost']),
    dryRun: isDry,
    answers: values.answers,
    list: oneOf('--list', values.list, LIST_CHOICES),
    validate: values.validate,
    info: values.info ?? false,
    usage: values.usage ? usageFormat(output) : undefined,
    since: dayNamed(values.since, values.usage),
    version: values.version ?? false,
    help: values.help ?? false,
  };
}

function runOutput(
  output: (typeof OUTPUT_CHOICES)[number],
  { list, info, 'dry-run': dryRun }: { list?: string; info?: boolean; 'dry-run'?: boolean },
): OutputChoice {
  if (output === 'csv') throw new UsageError('--output csv is for --usage; a run takes text, json, stream-json.');
  const what = list !== undefined ? 'list' : info ? 'info' : dryRun ? 'dry-run' : undefined;
  if (what !== undefined && output === 'stream-json') throw new UsageError(`--${what} takes --output text, json.`);
  return output;
}

function usageFormat(output: (typeof OUTPUT_CHOICES)[number]): UsageFormat {
  if (output === 'stream-json') throw new UsageError('--usage takes --output text, json, csv.');
  return output;
}

/** Returns the start of a day in local time. */
function dayNamed(text: string | undefined, isWanted = false): number | undefined {
  if (text === undefined) return undefined;
  if (!isWanted) throw new UsageError('--since is for --usage.');
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  if (date.getDate() === Number(day) && date.getMonth() === Number(month) - 1) return date.getTime();
  throw new UsageError(`--since takes a day such as 2026-11-01, not "${text}".`);
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--variable takes NAME=VALUE, not "${text}".`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrongOptions(error, 'cairn');
  }
}

/** `-s` alone means the newest session. The parser has no optional values, so an empty one is inserted. */
function withSessionValue(argv: readonly string[]): string[] {
  return argv.flatMap((one, index) => {
    const next = argv[index + 1];
    const isSession = one === '-s' || one === '--session';
    if (isSession && next === '')
      throw new UsageError('--session has an empty value. -s alone means the newest session.');
    const alone = isSession && (next === undefined || next.startsWith('-'));
    return alone ? ['--session='] : [one];
  });
}

function oneOf<T extends string>(option: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${option} takes ${choices.join(', ')}, not "${value}".`);
  return found;
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  const number = positiveNumber(option, value);
  if (number === undefined || Number.isInteger(number)) return number;
  throw new UsageError(`${option} takes a whole number, not "${value}".`);
}

function positiveNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number)))
    throw new UsageError(`${option} takes a number above 0, not "${value}".`);
  return number;
}

export const HELP = `Usage:
  cairn [PROMPT...]         Run an agent in the folder and print its answer. Standard input is added to the prompt.
  cairn /NAME [ARGUMENTS]   Run a command or skill, yours or the folder's. See --list commands.
  cairn import --help       Import agents, roles, servers, and sessions from other tools
  cairn vault --help        Manage API keys and other secrets in an encrypted file
  cairn mcp --help          Manage MCP servers, or serve Cairn's agents over MCP
  cairn tools --help        List, check, and create script tools
  cairn runs --help         List, show, compare, stop, and resume graph runs

Options:
  -a, --agent NAME                    Agent that answers (default: coder)
  -r, --role NAME                     Role; %code% answers with code only, %shell% with one command for your shell
      --skill NAME                    Load a skill from the start (repeatable)
      --variable NAME=VALUE           Set a variable of the agent (repeatable)
  -m, --model PROVIDER:MODEL          Model, for example openai:gpt-5 or demo:tour (scripted demo, no API key needed)
      --effort LEVEL                  Reasoning effort: none, minimal, low, medium, high, xhigh or max
  -s, --session [NAME]                Continue the session with this name or ID, or create it; without NAME: the newest
  -f, --file FILE|URL                 Add a file, an image, or a web page to the prompt (repeatable)
  -C, --cwd DIR                       Folder to work in (default: the current one)
      --config-dir DIR                Cairn's configuration folder (default: ~/.config/cairn)
      --mode ask|plan|agent           ask: read and answer; plan: read and write a plan; agent: do the work
      --approve ask|edits|all|none    What runs without asking (default: ask in a terminal, none elsewhere)
      --trust                         Trust the folder for this run and read its AGENTS.md, .cairn/, and similar files.
                                      In a terminal you are asked once per folder; elsewhere they are skipped without it.
      --output text|json|stream-json  json: the outcome, or what --list and --info print; stream-json: one event per line
      --max-turns N                   Stop after N model requests (default: 100, or what the agent says)
      --max-time SECONDS              Stop after this time
      --max-cost USD                  Stop at this cost, for models with known prices
      --dry-run                       Walk a graph agent and show what it would ask, start, run, and spend at most;
                                      exit with 2 on errors in the graph
      --answers FILE                  --dry-run: YAML with the answer of each node; a list has one for each time
      --list agents|roles|skills|commands|models|tools|sessions
      --validate PATH                 Check agents, skills, and roles in a file or folder; exit with 2 on errors
      --info                          Show file locations, effective settings and their sources, and what has no effect
      --usage                         Show tokens and cost by day, model, agent, and folder; --output json or csv
      --since YYYY-MM-DD              First day for --usage (default: the last 30 days)
      --version, --help

API keys come from OPENAI_API_KEY, ANTHROPIC_API_KEY, GROQ_API_KEY, and similar variables, or from vault secrets with
these names; addresses from OPENAI_BASE_URL and so on. config.yaml in the configuration folder sets model, agent, role,
approve, limits, and clients; environment variables and options override it.
Your own server: CUSTOM_BASE_URL and -m custom:MODEL. A local Ollama is detected automatically, or at OLLAMA_HOST.
Exit status: 0 completed, 1 failed, 2 bad usage or configuration, 3 limit reached, 4 rejected, 130 canceled.
`;

/** What `cairn` can do instead of a run, and the options each accepts besides its own. All other run options are rejected. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  list: ['cwd', 'config-dir', 'trust', 'output'],
  info: [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'role', 'model', 'session', 'approve', 'effort'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
  validate: ['config-dir'],
  usage: ['config-dir', 'since', 'output'],
  // Can be appended to the command line of a run, so it accepts the options that determine how that run would go.
  'dry-run': [
    ...['cwd', 'config-dir', 'trust', 'output', 'agent', 'model', 'variable', 'answers', 'effort', 'mode', 'approve'],
    ...['max-turns', 'max-time', 'max-cost'],
  ],
};

/** `--dry-run` walks the graph with the prompt. */
const TAKE_PROMPT = ['dry-run'];

/**
 * Throws UsageError if two of them are given, or an option or prompt that would have no effect: a script with
 * `--list agents --output csv` would misread the lines it gets.
 */
function checkTogether(given: Readonly<Record<string, unknown>>, prompt: string): void {
  if (given['help'] === true || given['version'] === true) return;
  const names = Object.keys(given);
  const [what, other] = names.filter((name) => Object.hasOwn(INSTEAD, name));
  if (what === undefined) return;
  if (other !== undefined) throw new UsageError(`--${what} and --${other} do not go together. Leave one of them out.`);
  const taken = INSTEAD[what] ?? [];
  const idle = names.find((name) => name !== what && !taken.includes(name));
  if (idle !== undefined) throw new UsageError(`--${idle} has no effect with --${what}. Leave one of them out.`);
  if (prompt !== '' && !TAKE_PROMPT.includes(what))
    throw new UsageError(`--${what} takes no prompt, and runs no agent. Leave “${prompt}” or --${what} out.`);
}

/** Does the same for the options of `cairn mcp serve`, which apply to the run of each call. */
function checkServed(given: Readonly<Record<string, unknown>>, prompt: string): void {
  if (prompt !== '') throw new UsageError('cairn mcp serve takes no prompt: the program that starts it sends them.');
  const idle = Object.keys(given).find((name) => !SERVED.includes(name));
  if (idle !== undefined) throw new UsageError(`cairn mcp serve takes no --${idle}. See cairn --help.`);
}

const SERVED = [
  ...['cwd', 'config-dir', 'trust', 'agent', 'role', 'model', 'approve', 'effort', 'mode', 'variable'],
  ...['max-turns', 'max-time', 'max-cost', 'help', 'version'],
];

/**
 * Rejects options with an empty value, by name. That is usually an unset variable, and `--config-dir "$DIR"` would take settings,
 * rules and secrets from the current folder. Throws UsageError.
 */
export function refuseEmpty(values: Readonly<Record<string, unknown>>, help: string): void {
  for (const [name, value] of Object.entries(values)) {
    const isEmpty = Array.isArray(value) ? value.includes('') : value === '';
    if (isEmpty) throw new UsageError(`--${name} has an empty value. Give it one, or leave it out; see ${help}.`);
  }
}
