const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/** Where this system wants programs to keep what they can make again; XDG_CACHE_HOME names another place on any of them. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const named = env['XDG_CACHE_HOME'] ?? '';
  if (path.isAbsolute(named)) return path.join(named, 'cairn');
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(os.homedir(), 'AppData', 'Local'), 'cairn', 'Cache');
  return platform === 'darwin'
    ? path.join(os.homedir(), 'Library', 'Caches', 'cairn')
    : path.join(os.homedir(), '.cache', 'cairn');
}
