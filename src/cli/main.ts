import { cacheFolder } from '../node/cacheFolder';
import { CodeCache } from '../node/codeCache';

/** The file that `cairn` is: no more than what finds the compiled code of everything else. */
const cache = new CodeCache(cacheFolder(process.env));
process.once('exit', () => cache.save());
cache.run(`${import.meta.dirname}/command.js`);
