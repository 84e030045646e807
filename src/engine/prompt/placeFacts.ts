import type { PathStyle } from '../ports';
import type { Instructions } from './readInstructions';
import type { Facts } from './factsText';

export interface PlaceParts {
  workspace: string;
  /** Other folders that the person has open. */
  folders: readonly string[];
  /** False: only reading tools work. */
  trusted: boolean;
  /** "linux", "darwin", "win32". */
  platform: string;
  /** What runs commands, and what it cannot do. */
  shell: string | undefined;
  now: number;
  instructions: readonly Instructions[];
}

const OS_NAMES: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macOS'],
  ['linux', 'Linux'],
  ['win32', 'Windows'],
]);

/** Where an agent is, and what that place says about itself. Only the day is told, so that it seldom changes. */
export function placeFacts(
  { workspace, folders, trusted, platform, shell, now, instructions }: PlaceParts,
  paths: PathStyle,
): Facts {
  const open = folders.map((folder) => `- Also open: ${folder}; write paths in it as absolute ones.`);
  const untrusted =
    '- The person has not trusted this workspace: you can read, but not change files, run commands or use the network.';
  return {
    workspace: `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    ...(open.length > 0 && { folders: open.join('\n') }),
    ...(!trusted && { trust: untrusted }),
    system: `- Operating system: ${OS_NAMES.get(platform) ?? platform}${shell === undefined ? '' : `; commands run in ${shell}`}`,
    date: `- Date: ${dayOf(now)}`,
    ...Object.fromEntries(
      instructions.map(({ source, text }) => [`from ${source}`, `# From ${source} of this workspace\n${text}`]),
    ),
  };
}

/** As the person's calendar has it. */
function dayOf(now: number): string {
  const day = new Date(now);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
