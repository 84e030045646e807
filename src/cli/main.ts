import { cacheFolder } from '../node/cacheFolder';
import { CodeCache } from '../node/codeCache';

/** The file that `cairn` is: no more than what finds the compiled code of everything else. */
const cache = new CodeCache(cacheFolder(process.env));
process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  cache.save(Math.round((user + system) / 1000));
});
// Nothing is left to do: the system takes back all memory at once, which Node would take apart piece by piece.
process.once('beforeExit', () => process.exit());
cache.run(`${import.meta.dirname}/command.js`);
