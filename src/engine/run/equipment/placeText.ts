import type { PathStyle } from '../../ports';
import type { Instructions } from '../readInstructions';

export interface PlaceFacts {
  workspace: string;
  /** Other folders that the person has open. */
  folders: readonly string[];
  /** False: only reading tools work. */
  trusted: boolean;
  /** "linux", "darwin", "win32". */
  platform: string;
  now: number;
  instructions: readonly Instructions[];
}

/** Where an agent is, and what that place says about itself. Only the day is told, so that it stays the same for caches. */
export function placeText(
  { workspace, folders, trusted, platform, now, instructions }: PlaceFacts,
  paths: PathStyle,
): string {
  return [
    '# Where you are',
    `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    ...folders.map((folder) => `- Also open: ${folder}; write paths in it as absolute ones.`),
    ...(trusted
      ? []
      : ['- The person has not trusted this workspace: you can read, but not change files or run commands.']),
    `- Operating system: ${platform}`,
    `- Date: ${new Date(now).toISOString().slice(0, 10)}`,
    ...instructions.flatMap(({ source, text }) => ['', `# From ${source} of this workspace`, text]),
  ].join('\n');
}
