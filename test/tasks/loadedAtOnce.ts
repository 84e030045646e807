import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const metafileSchema = z.object({
  outputs: z.record(z.string(), z.object({ imports: z.array(z.object({ path: z.string(), kind: z.string() })) })),
});

/**
 * `dist/NAME.js` and the parts of the bundle loaded along with it, as paths relative to the repository `root`, according to
 * `.build/meta/NAME.json`. Parts that are loaded on first use are not included.
 */
export function loadedAtOnce(root: string, name: string): string[] {
  const file = path.join(root, '.build', 'meta', `${name}.json`);
  const { outputs } = metafileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = new Set<string>();
  const collect = (output: string): void => {
    const part = outputs[output];
    if (found.has(output) || !part) return;
    found.add(output);
    for (const one of part.imports) if (one.kind === 'import-statement') collect(one.path);
  };
  collect(`dist/${name}.js`);
  if (found.size === 0) throw new Error(`${file} says nothing of dist/${name}.js: has the build written it?`);
  return [...found];
}
