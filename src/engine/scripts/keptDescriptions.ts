import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import type { Clock, FileSystem, Log, PathStyle } from '../ports';
import { digestOf } from '../tools/files/seenFiles';
import { type DescribeScript, type ScriptDescription, stemOf } from './scriptDescription';

/** Increment whenever the description of a script changes. */
const VERSION = 3;

const text = z.string();
const parameter = z.strictObject({
  name: text,
  variable: text,
  option: z.exactOptional(text),
  default: z.exactOptional(text),
  isFlag: z.exactOptional(z.boolean()),
  isList: z.exactOptional(z.boolean()),
});
const description = z.strictObject({
  functions: z.array(
    z.strictObject({
      name: text,
      description: text,
      entry: text,
      takes: z.enum(['each', 'object']),
      line: z.number(),
      inputSchema: z.record(text, z.unknown()),
      parameters: z.array(parameter),
    }),
  ),
  hasInstructions: z.boolean(),
  variables: z.array(
    z.strictObject({ name: text, isRequired: z.boolean(), default: z.exactOptional(text), description: text }),
  ),
  programs: z.array(text),
  problems: z.array(
    z.strictObject({ severity: z.enum(['error', 'warning']), line: z.number(), column: z.number(), message: text }),
  ),
});

/** Older descriptions belong to scripts that are gone, or can be made again. */
const KEPT_MS = 90 * 24 * 3_600_000;

interface KeptParts {
  files: FileSystem;
  paths: PathStyle;
  log: Pick<Log, 'warn'>;
  clock: Pick<Clock, 'now'>;
}

/**
 * Wraps `describe` with a disk cache keyed by the script's text, so that no grammar is loaded for known scripts. `folder`:
 * absolute. Bash is not cached, since parsing it is faster than reading the cache.
 */
export function keptDescriptions(
  describe: DescribeScript,
  folder: string,
  { files, paths, log, clock }: KeptParts,
): DescribeScript {
  let isSwept = false;
  return async (file, kind) => {
    if (file.language === 'bash') return describe(file, kind);
    const name = kind === 'tool' ? stemOf(file.path) : '';
    const key = await digestOf(files, JSON.stringify([VERSION, file.language, kind, name, file.text]));
    const path = paths.resolve(folder, `${key}.json`);
    const known = await readKept(files, path);
    if (known) return known;
    const made = await describe(file, kind);
    if (!isSwept) {
      isSwept = true;
      await sweep(folder, { files, paths, log, clock });
    }
    await files.writeFile(path, new TextEncoder().encode(JSON.stringify(made))).catch((error: unknown) => {
      log.warn(`The description of ${file.path} could not be saved: ${errorText(error)}`);
    });
    return made;
  };
}

/** Removes old entries; other processes may do so concurrently. */
async function sweep(folder: string, { files, paths, log, clock }: KeptParts): Promise<void> {
  if (!(await files.find(folder).catch(() => undefined))) return;
  try {
    for (const { name } of await files.readDirectory(folder)) {
      const path = paths.resolve(folder, name);
      const found = name.endsWith('.json') ? await files.find(path) : undefined;
      if (found && clock.now() - (await files.stat(path)).modifiedAt > KEPT_MS) await files.remove(path);
    }
  } catch (error) {
    log.warn(`Old descriptions of scripts in ${folder} could not be removed: ${errorText(error)}`);
  }
}

/** Treats a damaged entry as missing. */
async function readKept(files: FileSystem, path: string): Promise<ScriptDescription | undefined> {
  if (!(await files.find(path).catch(() => undefined))) return undefined;
  try {
    const read = description.safeParse(JSON.parse(new TextDecoder().decode(await files.readFile(path))));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
