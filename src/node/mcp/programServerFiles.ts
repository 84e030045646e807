import { join, resolve } from 'node:path';
import type { ProgramFile } from '../../engine';

const OPEN_CODE = ['config.json', 'opencode.json', 'opencode.jsonc'];

/** Returns the files where OpenCode, Claude Desktop, and Claude Code store the user's servers. */
export function programServerFiles(
  { CLAUDE_CONFIG_DIR, APPDATA, XDG_CONFIG_HOME }: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): readonly ProgramFile[] {
  const state = join(CLAUDE_CONFIG_DIR ? resolve(CLAUDE_CONFIG_DIR) : home, '.claude.json');
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: APPDATA || join(home, 'AppData', 'Roaming'),
  };
  const desktop = join(folders[platform] ?? (XDG_CONFIG_HOME || join(home, '.config')), 'Claude');
  return [
    ...OPEN_CODE.map(
      (name) => ({ path: join(XDG_CONFIG_HOME || join(home, '.config'), 'opencode', name), key: 'mcp' }) as const,
    ),
    { path: join(desktop, 'claude_desktop_config.json'), folder: home },
    { path: state, hasProjects: true },
  ];
}
