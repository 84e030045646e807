import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform } from 'sucrase';

/** What a script may leave out of the path of another, or has as it would be called once it was translated. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'];
const MODULE_SYNTAX = /^[ \t]*(?:import\b(?![ \t]*\()|export\b)/m;

/** Node's own way first, then those in which TypeScript finds a file. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^(?:\.{1,2}\/|file:|\/)/.test(specifier)) throw error;
    const bare = specifier.replace(/\.m?js$/, '');
    for (const ending of ENDINGS) {
      try {
        return await next(`${bare}${ending}`, context);
      } catch {
        continue;
      }
    }
    throw error;
  }
};

/**
 * TypeScript is translated, whatever this Node could do by itself. A file that says `import` or `export` is a module whatever
 * the nearest `package.json` says of it.
 */
export const load: LoadHook = async (url, context, next) => {
  const [, ending] = /^file:[^?#]*\.([cm]?[jt]s)(?:[?#].*)?$/.exec(url) ?? [];
  if (ending === undefined || ending === 'cjs' || url.includes('/node_modules/')) return next(url, context);
  const file = fileURLToPath(url.replace(/[?#].*$/, ''));
  const text = (await readFile(file, 'utf8')).replace(/^#![^\n]*/, '');
  const isTyped = ending.endsWith('ts');
  if (!isTyped && !MODULE_SYNTAX.test(text)) return next(url, context);
  const isModule = ending === 'mts' || MODULE_SYNTAX.test(text);
  const source = isTyped ? transform(text, { transforms: ['typescript'], filePath: file }).code : text;
  return { format: isModule ? 'module' : 'commonjs', source, shortCircuit: true };
};
