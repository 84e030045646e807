import type { WorkMode } from '../permissions/workMode';
import type { PathStyle } from '../ports';
import type { Instructions } from './readInstructions';

/** What a model is told of where it is and what it can load: a short name → the text, a line that begins with a dash or a chapter. */
export type Facts = Readonly<Record<string, string>>;

export const SKILLS = 'skills';
/** What the agent's own script said that the agent is. */
export const OWN_INSTRUCTIONS = 'own instructions';
/** What the person says to every agent. */
export const PERSON_INSTRUCTIONS = 'instructions of the person';

export interface PlaceParts {
  workspace: string;
  /** Other folders that the person has open. */
  folders: readonly string[];
  /** False: only reading tools work. */
  trusted: boolean;
  /** What may be done at all. */
  workMode: WorkMode;
  /** "linux", "darwin", "win32". */
  platform: string;
  /** What runs commands, and what it cannot do. */
  shell: string | undefined;
  now: number;
  instructions: readonly Instructions[];
}

const MODE = 'mode';

const MODE_FACTS: Record<Exclude<WorkMode, 'agent'>, string> = {
  ask: '- Mode: Ask. The person wants an answer: read and search as needed, but change, run and fetch nothing. Show what you would change as code in the answer.',
  plan: '- Mode: Plan. The person wants a plan, not the work: read and search as needed, but change, run and fetch nothing. Ask what is open, then answer with a plan: the goal, the files and what changes in each, the steps as to-dos, and how to check the result.',
};

const OS_NAMES: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macOS'],
  ['linux', 'Linux'],
  ['win32', 'Windows'],
]);

/** Where an agent is, and what that place says about itself. Only the day is told, so that it seldom changes. */
export function placeFacts(
  { workspace, folders, trusted, workMode, platform, shell, now, instructions }: PlaceParts,
  paths: PathStyle,
): Facts {
  const open = folders.map((folder) => `- Also open: ${folder}; write paths in it as absolute ones.`);
  const untrusted =
    '- The person has not trusted this workspace: you can read, but not change files, run commands or use the network.';
  return {
    workspace: `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    ...(open.length > 0 && { folders: open.join('\n') }),
    ...(!trusted && { trust: untrusted }),
    ...(workMode !== 'agent' && { [MODE]: MODE_FACTS[workMode] }),
    system: `- Operating system: ${OS_NAMES.get(platform) ?? platform}${shell === undefined ? '' : `; commands run in ${shell}`}`,
    date: `- Date: ${dayOf(now)}`,
    ...instructionFacts(instructions),
  };
}

/** What files of the workspace say to agents. */
export function instructionFacts(instructions: readonly Instructions[]): Facts {
  return Object.fromEntries(
    instructions.map(({ source, text }) => [`${FILE}${source}`, `# From ${source} of this workspace\n${text}`]),
  );
}

/** As the person's calendar has it. */
function dayOf(now: number): string {
  const day = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const SKILL = 'skill ';
const FILE = 'from ';

/** The name of the fact that a skill is loaded. */
export function skillFact(skill: string): string {
  return SKILL + skill;
}

/** As they stand in the prompt. */
export function factsText(facts: Facts): string {
  const { lines, chapters } = parted(Object.values(facts));
  return [...(lines.length > 0 ? [['# Where you are', ...lines].join('\n')] : []), ...chapters].join('\n\n');
}

/** What is otherwise now than it was told before, in words for the model; empty when nothing is. Those in `known` it knows. */
export function changedText(before: Facts, now: Facts, known: ReadonlySet<string>): string {
  const changed = Object.entries(now).flatMap(([name, text]) =>
    before[name] === text || known.has(name) ? [] : [text],
  );
  const gone = Object.keys(before).flatMap((name) => (name in now || known.has(name) ? [] : [goneText(name)]));
  const { lines, chapters } = parted([...changed, ...gone]);
  if (lines.length + chapters.length === 0) return '';
  const head = 'This is told by Cairn, not by the person. What you were told before has changed:';
  return [head, ...(lines.length > 0 ? [lines.join('\n')] : []), ...chapters].join('\n\n');
}

function parted(texts: readonly string[]): { lines: string[]; chapters: string[] } {
  const isLine = (text: string) => text.startsWith('- ');
  return { lines: texts.filter(isLine), chapters: texts.filter((text) => !isLine(text)) };
}

function goneText(name: string): string {
  if (name === 'trust')
    return '- The person trusts this workspace now: you can change files, run commands and use the network.';
  if (name === MODE)
    return '- The mode is Agent now: carry out what the person asks for, with every tool that you have.';
  if (name === 'folders') return '- No other folder is open any more.';
  if (name === PERSON_INSTRUCTIONS) return '- What the person said to every agent no longer counts.';
  if (name === SKILLS) return '- There is no skill to load any more.';
  if (name.startsWith(SKILL))
    return `- The skill ${name.slice(SKILL.length)} is unloaded: its instructions no longer count.`;
  if (name.startsWith(FILE))
    return `- ${name.slice(FILE.length)} of this workspace is gone: its instructions no longer count.`;
  return `- No longer true: ${name}.`;
}
