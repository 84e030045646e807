import { shellQuoted } from '../../base/shellQuoted';
import type { ContentCatalog } from '../content/contentCatalog';
import type { ContentWorld } from '../content/contentProblem';
import { EngineError } from '../engineError';
import { type Attachment, commandAttachment } from '../messages/attachment';
import type { ReadingMode } from '../permissions/modes';
import type { PathStyle } from '../ports';
import type { Skill } from '../skills/skill';
import type { PromptCommand } from './promptCommand';

/** What a command message asks for in addition to its text. */
export interface ExpandedCommand {
  attachment: Attachment;
  /** Overrides for this message: agent, model, mode, and tools. */
  run: { agent?: string; model?: string; workMode?: ReadingMode; tools?: readonly string[] };
  /** A skill that must be loaded for it. */
  skill?: string;
  /** The parts of the command that do not apply here, one sentence each. */
  notes: readonly string[];
}

export interface ExpandParts {
  commands: ContentCatalog<PromptCommand>;
  skills: ContentCatalog<Skill>;
  paths: PathStyle;
  /** Whether an agent of this name exists. */
  hasAgent: (name: string) => Promise<boolean>;
  /** Whether the model can be used. */
  isReady: (modelId: string) => Promise<boolean>;
  /** Names of the skills that may be loaded where the message is sent. */
  loadable: () => Promise<readonly string[]>;
}

/**
 * Expands a message that begins with the name of a command or a skill; undefined for any other message. Rejects with EngineError
 * `invalid-input` if the skill may not be loaded.
 */
export async function expandCommand(
  text: string,
  workspace: string,
  parts: ExpandParts,
): Promise<ExpandedCommand | undefined> {
  const [, name, args = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text.trimEnd()) ?? [];
  if (name === undefined) return undefined;
  const plain = name.replace(/^(?:project|user|cairn|prompts):/, '');
  const command = (await parts.commands.find(name)) ?? (await parts.commands.find(plain));
  if (command) return ofCommand(command, { args: args.trim(), workspace }, parts);
  const skill = (await parts.skills.find(name)) ?? (await parts.skills.find(plain));
  return skill && !skill.notForPeople ? ofSkill(skill, args.trim(), parts) : undefined;
}

async function ofCommand(
  command: PromptCommand,
  values: { args: string; workspace: string },
  { paths, hasAgent, isReady }: ExpandParts,
): Promise<ExpandedCommand> {
  const { name, source, body, names, agent, model, workMode, tools } = command;
  const from = source.scope === 'workspace' ? paths.relative(values.workspace, source.path) : source.path;
  // A file written for another tool names agents and models of that tool.
  const isOurs = source.world === 'cairn';
  const counts = model !== undefined && (isOurs || (await isReady(model)));
  const answers = agent !== undefined && (isOurs || (await hasAgent(agent)));
  const notes = [
    ...(model === undefined || counts
      ? []
      : [`/${name} asks for ${model}, which is not available here; this session’s model answers.`]),
    ...(agent === undefined || answers
      ? []
      : [`/${name} asks for the agent “${agent}”, which does not exist here; this session’s agent answers.`]),
  ];
  return {
    attachment: commandAttachment(
      name,
      from,
      fillCommand(body, { ...values, world: source.world, ...(names && { names }) }),
    ),
    run: {
      ...(answers && { agent }),
      ...(counts && { model }),
      ...(workMode && { workMode }),
      ...(tools && { tools }),
    },
    notes,
  };
}

async function ofSkill(skill: Skill, args: string, { loadable }: ExpandParts): Promise<ExpandedCommand> {
  const { name } = skill;
  if (!(await loadable()).includes(name)) {
    const text = `The skill “${name}” is not enabled here. Enable it with “Choose Skills”, or put a space before the message.`;
    throw new EngineError('invalid-input', text);
  }
  const said = args === '' ? '' : ` The user adds: ${args}`;
  const words = [`Work by the skill “${name}”, which is loaded.${said}`, ...standFor(skill, args)].join('\n');
  return { attachment: commandAttachment(name, `skill ${name}`, words), run: {}, skill: name, notes: [] };
}

/** The prompt contains the skill unchanged, so the values of its placeholders are given next to it. */
function standFor({ body }: Skill, args: string): string[] {
  if (!/\$(?:ARGUMENTS|\d)/.test(body)) return [];
  const words = splitWords(args);
  const first = /\$0(?!\d)/.test(body) ? 0 : 1;
  const numbered = words.map((word, at) => `$${at + first} for “${word}”`);
  const all = args === '' ? 'nothing, since nothing was said' : `“${args}”`;
  return [`In its instructions $ARGUMENTS stands for ${[all, ...numbered].join(', ')}.`];
}

/** The values of the placeholders. */
interface CommandValues {
  /** Everything typed after the name. */
  args: string;
  /** Absolute path. */
  workspace: string;
  /** The tool whose conventions the command follows. Default: Cairn's. */
  world?: ContentWorld;
  /** Names of the arguments, in order, for placeholders such as `$issue`. */
  names?: readonly string[];
}

/** Excludes prices, such as $5M or $1.50. */
const NUMBERED = /\$(\d)(?![A-Za-z\d]|[.,]\d)/g;
const PLACEHOLDERS =
  /\$ARGUMENTS\[(?<index>\d+)\]|(?<all>\$ARGUMENTS\b|\$\{ARGUMENTS\})|(?<quoted>\$\{ARGUMENTS:shell\})|\$(?<number>\d)(?![A-Za-z\d]|[.,]\d)|\$\{input:(?<input>[\w-]+)(?::(?<hint>[^{}]*))?\}|\$\{(?<place>workspaceFolder|workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\}|(?<=^|\s)!`(?<command>[^`\n]+)`|\$(?<name>\$|[A-Za-z_]\w*)/gm;

/** In other worlds `$1` is not a placeholder but part of scripts, such as those of awk. */
const NUMBERS_IN: ReadonlySet<ContentWorld> = new Set(['cairn', 'claude', 'opencode', 'codex']);
/** The worlds in which `` !`git diff` `` is run. */
const RUNS_IN: ReadonlySet<ContentWorld> = new Set(['cairn', 'claude', 'opencode']);
/** Start of a block of commands that Claude Code runs. */
const BLOCK_TO_RUN = /^```![ \t]*$/gm;

/**
 * Fills the text typed after the name into a command. Inserted text is not expanded again. Commands that the file wants to run
 * (`` !`git diff` ``) are not run here: the model is asked to run them, so that they are subject to the same permissions as any
 * other call.
 */
export function fillCommand(body: string, values: CommandValues): string {
  const isRun = RUNS_IN.has(values.world ?? 'cairn');
  const told = isRun ? body.replace(BLOCK_TO_RUN, '(run this and use what it prints)\n```') : body;
  const valueOf = placeholderValues(body, values);
  let whole = '';
  let from = 0;
  for (const match of told.matchAll(PLACEHOLDERS)) {
    whole += told.slice(from, match.index) + (valueOf(match.groups ?? {}) ?? match[0]);
    from = match.index + match[0].length;
  }
  return whole + told.slice(from);
}

/** Returns the value of a placeholder, given its parts; undefined if it is none in this command. */
function placeholderValues(body: string, { args, workspace, world = 'cairn', names = [] }: CommandValues) {
  const words = splitWords(args);
  const places = [...body.matchAll(NUMBERED)].map(([, at]) => Number(at));
  const last = Math.max(0, ...places);
  const inputs = [...new Set([...body.matchAll(/\$\{input:([\w-]+)/g)].map(([, name = '']) => name))];
  const numbered = (written: number): string => {
    const at = places.includes(0) ? written : written - 1;
    // The last placeholder takes the rest, so that nothing typed is lost.
    return written === last ? words.slice(at).join(' ') : (words[at] ?? '');
  };
  const named = (name: string): string | undefined => {
    if (names.includes(name)) return at(words, names.indexOf(name), names.length);
    if (world !== 'codex' || !/^(?:\$|[A-Z][A-Z\d_]*)$/.test(name)) return undefined;
    return name === '$' ? '$' : orAsk(pairsIn(args).get(name) ?? '', name);
  };
  return ({ index, all, quoted, number, input, hint, place, command, name }: Partial<Record<string, string>>) => {
    if (all !== undefined) return args;
    if (quoted !== undefined) return world === 'gemini' ? shellWord(args) : undefined;
    if (input !== undefined)
      return orAsk(inputs.length === 1 ? args : at(words, inputs.indexOf(input), inputs.length), hint?.trim() || input);
    if (place !== undefined) return place.endsWith('Basename') ? baseName(workspace) : workspace;
    if (name !== undefined) return named(name);
    if (command !== undefined) return RUNS_IN.has(world) ? `(run \`${command}\` and use what it prints)` : undefined;
    if (!NUMBERS_IN.has(world)) return undefined;
    return index === undefined ? numbered(Number(number)) : (words[Number(index)] ?? '');
  };
}

function orAsk(value: string, what: string): string {
  return value === '' ? `(${what}: not said; ask for it if you need it)` : value;
}

/** Returns the pairs in text such as `FILE=src/a.ts TITLE="Two words"`. */
function pairsIn(args: string): ReadonlyMap<string, string> {
  const pairs = args.matchAll(/(?:^|\s)([A-Z][A-Z\d_]*)=(?:"([^"]*)"|'([^']*)'|(\S*))/g);
  return new Map([...pairs].map(([, key = '', double, single, plain = '']) => [key, double ?? single ?? plain]));
}

/** Returns text as one word of a shell command. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]*$/.test(text) ? text : shellQuoted(text);
}

/** The last of several inputs takes the rest. */
function at(words: readonly string[], index: number, count: number): string {
  return index === count - 1 ? words.slice(index).join(' ') : (words[index] ?? '');
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Splits at whitespace; quoted text is one word. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
}
