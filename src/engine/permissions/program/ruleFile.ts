import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSystem } from '../../ports';
import { programRuleSchema } from '../permissionRule';
import { parseWith } from '../permissionFile';
import type { ProgramRule } from './programRules';

/** Schema of a file with rules of a program. */
const ruleFileSchema = z.lazy(() =>
  z.strictObject({ $schema: z.exactOptional(z.string()), rules: z.array(programRuleSchema) }),
);

/** Reads the rules in a file. Rejects with EngineError `damaged`, which names the line and the remedy, and with file system errors. */
export async function readRuleFile(path: string, files: FileSystem): Promise<readonly ProgramRule[]> {
  return parseWith(ruleFileSchema, new TextDecoder().decode(await files.readFile(path)), path).rules;
}

/**
 * Replaces the rules in a file, or creates it. Rejects with EngineError `damaged` if the file contains anything else, which is
 * left unchanged, and with `invalid-input` for rules that a file cannot store.
 */
export async function writeRuleFile(path: string, rules: readonly ProgramRule[], files: FileSystem): Promise<void> {
  const functions = rules.filter(({ when }) => when).map(({ id }) => `“${id ?? ''}”`);
  if (functions.length > 0) {
    const hint = 'Save those that have none, and give these to createEngine each time.';
    throw new EngineError('invalid-input', `A file cannot store the functions of ${functions.join(', ')}. ${hint}`);
  }
  const write = async () => {
    const known = await readIfThere(path, files);
    const text = JSON.stringify({ ...known, rules }, undefined, 2);
    await files.writeFile(path, new TextEncoder().encode(`${text}\n`));
  };
  await files.inTurn([path], write, new AbortController().signal);
}

async function readIfThere(path: string, files: FileSystem): Promise<z.infer<typeof ruleFileSchema> | undefined> {
  try {
    return parseWith(ruleFileSchema, new TextDecoder().decode(await files.readFile(path)), path);
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return undefined;
    throw error;
  }
}
