const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/** Returns the platform's folder for reproducible data; XDG_CACHE_HOME overrides it on every platform. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const named = env['XDG_CACHE_HOME'] ?? '';
  if (path.isAbsolute(named)) return path.join(named, 'cairn');
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(os.homedir(), 'AppData', 'Local'), 'cairn', 'Cache');
  return platform === 'darwin'
    ? path.join(os.homedir(), 'Library', 'Caches', 'cairn')
    : path.join(os.homedir(), '.cache', 'cairn');
}
