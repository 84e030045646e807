import type { WorkMode } from '../permissions/modes';
import type { PathStyle } from '../ports';
import type { Instructions } from './instructions';

/**
 * What a model is told about its environment and what it can load: short name → text, which is a line that starts with a dash, or
 * a chapter.
 */
export type Facts = Readonly<Record<string, string>>;

export const SKILLS = 'skills';
/** Instructions from the agent's own script. */
export const OWN_INSTRUCTIONS = 'own instructions';
/** The user's instructions for all agents. */
export const PERSON_INSTRUCTIONS = 'instructions of the person';

interface PlaceParts {
  workspace: string;
  /** Other open folders. */
  folders: readonly string[];
  isStandIn?: boolean;
  /** False: only tools that read are available. */
  trusted: boolean;
  /** Restricts what the agent may do. */
  workMode: WorkMode;
  /** "linux", "darwin", "win32". */
  platform: string;
  /** Describes what runs commands, and its limitations. */
  shell: string | undefined;
  now: number;
  instructions: readonly Instructions[];
}

const MODE = 'mode';

const MODE_FACTS: Record<Exclude<WorkMode, 'agent'>, string> = {
  ask: '- Mode: Ask. The user wants an answer: read and search as needed, but change, run and fetch nothing. Show what you would change as code in the answer.',
  plan: '- Mode: Plan. The user wants a plan, not the work: read and search as needed, but change, run and fetch nothing. Ask what is open, then answer with a plan: the goal, the files and what changes in each, the steps as to-dos, and how to check the result.',
};

const OS_NAMES: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macOS'],
  ['linux', 'Linux'],
  ['win32', 'Windows'],
]);

/** Describes an agent's environment. Contains the date but not the time, so that it rarely changes. */
export function placeFacts(
  { workspace, folders, isStandIn, trusted, workMode, platform, shell, now, instructions }: PlaceParts,
  paths: PathStyle,
): Facts {
  const open = folders.map((folder) => `- Also open: ${folder}; write paths in it as absolute ones.`);
  const untrusted =
    '- The user has not trusted this workspace: you can read, but not change files, run commands or use the network.';
  return {
    workspace: isStandIn
      ? `- No folder is open. Relative paths are meant from ${workspace}, which is there for such sessions.`
      : `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    ...(open.length > 0 && { folders: open.join('\n') }),
    ...(!trusted && { trust: untrusted }),
    ...(workMode !== 'agent' && { [MODE]: MODE_FACTS[workMode] }),
    system: `- Operating system: ${OS_NAMES.get(platform) ?? platform}${shell === undefined ? '' : `; commands run in ${shell}`}`,
    date: `- Date: ${dayOf(now)}`,
    ...instructionFacts(instructions),
  };
}

/** Returns instruction files as facts. */
export function instructionFacts(instructions: readonly Instructions[]): Facts {
  return Object.fromEntries(
    instructions.map(({ source, text, isPersonal }) => [
      `${FILE}${source}`,
      `# From ${source} of ${isPersonal ? 'the user' : 'this workspace'}\n${text}`,
    ]),
  );
}

/** In local time. */
function dayOf(now: number): string {
  const day = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const SKILL = 'skill ';
const FILE = 'from ';

/** Returns the name of the fact for a loaded skill. */
export function skillFact(skill: string): string {
  return SKILL + skill;
}

/** Formats facts for the prompt. */
export function factsText(facts: Facts): string {
  const { lines, chapters } = parted(Object.values(facts));
  return [...(lines.length > 0 ? [['# Where you are', ...lines].join('\n')] : []), ...chapters].join('\n\n');
}

/** Describes for the model what has changed; empty if nothing has. Facts in `known` are skipped, since the model knows them already. */
export function changedText(before: Facts, now: Facts, known: ReadonlySet<string>): string {
  const changed = Object.entries(now).flatMap(([name, text]) =>
    before[name] === text || known.has(name) ? [] : [text],
  );
  const gone = Object.keys(before).flatMap((name) => (name in now || known.has(name) ? [] : [goneText(name)]));
  const { lines, chapters } = parted([...changed, ...gone]);
  if (lines.length + chapters.length === 0) return '';
  const head = 'This is from Cairn, not from the user. What you were told earlier has changed:';
  return [head, ...(lines.length > 0 ? [lines.join('\n')] : []), ...chapters].join('\n\n');
}

function parted(texts: readonly string[]): { lines: string[]; chapters: string[] } {
  const isLine = (text: string) => text.startsWith('- ');
  return { lines: texts.filter(isLine), chapters: texts.filter((text) => !isLine(text)) };
}

function goneText(name: string): string {
  if (name === 'trust')
    return '- The user trusts this workspace now: you can change files, run commands and use the network.';
  if (name === MODE) return '- The mode is Agent now: carry out what the user asks for, with every tool that you have.';
  if (name === 'folders') return '- No other folder is open any more.';
  if (name === PERSON_INSTRUCTIONS) return '- The user’s instructions for every agent no longer apply.';
  if (name === SKILLS) return '- There is no skill to load any more.';
  if (name.startsWith(SKILL))
    return `- The skill ${name.slice(SKILL.length)} is unloaded: its instructions no longer count.`;
  if (name.startsWith(FILE))
    return `- ${name.slice(FILE.length)} of this workspace is gone: its instructions no longer count.`;
  return `- No longer true: ${name}.`;
}
