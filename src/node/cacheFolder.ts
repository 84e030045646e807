const { homedir } = process.getBuiltinModule('node:os');
const { isAbsolute, join } = process.getBuiltinModule('node:path');

/** Where this system wants programs to keep what they can make again. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'cairn', 'Cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'cairn');
  const named = env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'cairn');
}
