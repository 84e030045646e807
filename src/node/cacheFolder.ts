const { homedir } = process.getBuiltinModule('node:os');
const { isAbsolute, join } = process.getBuiltinModule('node:path');

/** Where this system wants programs to keep what they can make again; XDG_CACHE_HOME names another place on any of them. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const named = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(named)) return join(named, 'cairn');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'cairn', 'Cache');
  return platform === 'darwin' ? join(homedir(), 'Library', 'Caches', 'cairn') : join(homedir(), '.cache', 'cairn');
}
