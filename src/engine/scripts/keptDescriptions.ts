import * as z from '../../base/zod';
import { errorText } from '../../base/errorText';
import type { FileSystem, Log, PathStyle } from '../ports';
import { digestOf } from '../tools/files/guard/seenFiles';
import type { DescribeScript, ScriptDescription } from './scriptDescription';
import { stemOf } from './scriptNames';

/** Raised with each change of what is made of a script. */
const VERSION = 1;

const text = z.string();
const parameter = z.strictObject({
  ...{ name: text, variable: text, option: z.exactOptional(text), default: z.exactOptional(text) },
  ...{ isFlag: z.exactOptional(z.boolean()), isList: z.exactOptional(z.boolean()) },
});
const description = z.strictObject({
  functions: z.array(
    z.strictObject({
      ...{ name: text, description: text, entry: text, takes: z.enum(['each', 'object']), line: z.number() },
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

/**
 * Descriptions as `describe` makes them, kept by what the script says, so that no grammar is loaded for scripts that are
 * known. `folder`: absolute. Bash is read faster than what is kept.
 */
export function keptDescriptions(
  describe: DescribeScript,
  folder: string,
  { files, paths, log }: { files: FileSystem; paths: PathStyle; log: Pick<Log, 'warn'> },
): DescribeScript {
  return async (file, kind) => {
    if (file.language === 'bash') return describe(file, kind);
    const name = kind === 'tool' ? stemOf(file.path) : '';
    const key = await digestOf(files, JSON.stringify([VERSION, file.language, kind, name, file.text]));
    const path = paths.resolve(folder, `${key}.json`);
    const known = await readKept(files, path);
    if (known) return known;
    const made = await describe(file, kind);
    await files.writeFile(path, new TextEncoder().encode(JSON.stringify(made))).catch((error: unknown) => {
      log.warn(`What is known of ${file.path} could not be kept: ${errorText(error)}`);
    });
    return made;
  };
}

/** What is broken is made anew. */
async function readKept(files: FileSystem, path: string): Promise<ScriptDescription | undefined> {
  if (!(await files.find(path).catch(() => undefined))) return undefined;
  try {
    const read = description.safeParse(JSON.parse(new TextDecoder().decode(await files.readFile(path))));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
