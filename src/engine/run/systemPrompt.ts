import type { PathStyle } from '../ports';

export interface SystemPromptParts {
  /** The agent's own words. */
  agentPrompt: string;
  workspace: string;
  /** "linux", "darwin", "win32". */
  platform: string;
  now: number;
}

/** Agent and workspace as one prompt. Only the day of the time is told, so that the prompt stays the same for caches. */
export function systemPrompt({ agentPrompt, workspace, platform, now }: SystemPromptParts, paths: PathStyle): string {
  return [
    agentPrompt.trim(),
    '',
    '# Where you are',
    `- Workspace: ${paths.basename(workspace)} (${workspace}); relative paths are meant from there.`,
    `- Operating system: ${platform}`,
    `- Date: ${new Date(now).toISOString().slice(0, 10)}`,
  ].join('\n');
}
