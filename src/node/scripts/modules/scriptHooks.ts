import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform } from 'sucrase';

/** Extensions that an import may omit, or write as they would be after compilation. */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'];
const MODULE_SYNTAX = /^[ \t]*(?:import\b(?![ \t]*\()|export\b)/m;

/** Tries Node's resolution first, then the files TypeScript would find. */
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
 * Transpiles TypeScript, regardless of what this Node supports. A file with `import` or `export` is a module regardless of the
 * nearest `package.json`.
 */
export const load: LoadHook = async (url, context, next) => {
  const [, ending] = /^file:[^?#]*\.([cm]?[jt]s)(?:[?#].*)?$/.exec(url) ?? [];
  if (ending === undefined || ending === 'cjs' || url.includes('/node_modules/')) return next(url, context);
  const file = fileURLToPath(url.replace(/[?#][^]*$/, ''));
  const text = (await readFile(file, 'utf8')).replace(/^#![^\n]*/, '');
  const isTyped = ending.endsWith('ts');
  if (!isTyped && !MODULE_SYNTAX.test(text)) return next(url, context);
  const isModule = ending === 'mts' || MODULE_SYNTAX.test(text);
  const source = isTyped ? transform(text, { transforms: ['typescript'], filePath: file }).code : text;
  return { format: isModule ? 'module' : 'commonjs', source, shortCircuit: true };
};
