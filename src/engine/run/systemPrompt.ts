import type { PathStyle } from '../ports';
import type { Instructions } from './readInstructions';

export interface SystemPromptParts {
  /** The agent's own words. */
  agentPrompt: string;
  workspace: string;
  /** "linux", "darwin", "win32". */
  platform: string;
  now: number;
  instructions: readonly Instructions[];
}

/** Agent and workspace as one prompt. Only the day of the time is told, so that the prompt stays the same for caches. */
export function systemPrompt(
  { agentPrompt, workspace, platform, now, instructions }: SystemPromptParts,
  paths: PathStyle,
): string {
  return [
    agentPrompt.trim(),
    '',
    '# Where you are',
    `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    `- Operating system: ${platform}`,
    `- Date: ${new Date(now).toISOString().slice(0, 10)}`,
    ...instructions.flatMap(({ source, text }) => ['', `# From ${source} of this workspace`, text]),
  ].join('\n');
}
