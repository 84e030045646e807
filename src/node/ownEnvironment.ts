import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDotEnv } from '../base/dotEnv';
import { fileError } from './fileError';

/**
 * Returns the environment plus variables from `.env` in Cairn's folder; existing ones take precedence. A workspace's `.env`
 * belongs to its programs and is ignored. Throws EngineError if the file cannot be read.
 */
export function ownEnvironment(env: NodeJS.ProcessEnv, configFolder: string): NodeJS.ProcessEnv {
  const file = join(configFolder, '.env');
  if (!existsSync(file)) return { ...env };
  try {
    return { ...Object.fromEntries(readDotEnv(readFileSync(file, 'utf8'))), ...env };
  } catch (error) {
    throw fileError(error, file);
  }
}
