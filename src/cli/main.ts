import { cacheFolder } from '../node/cacheFolder';
import { CodeCache } from '../node/codeCache';

/** The executable `cairn`: only enough code to find the cached compiled code of everything else. */
const cache = new CodeCache(cacheFolder(process.env));
process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  cache.save(Math.round((user + system) / 1000));
});
// Nothing is left to do, so let the system reclaim all memory at once instead of having Node tear it down piece by piece.
process.once('beforeExit', () => process.exit());
cache.run(`${import.meta.dirname}/command.js`);
