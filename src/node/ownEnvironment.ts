import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDotEnv } from '../base/dotEnv';
import { fileError } from './fileError';

/**
 * An environment with what `.env` of Cairn's own folder adds to it; what is set already stays. The `.env` of a folder that is
 * worked on belongs to its programs, and says nothing here. Throws EngineError when the file cannot be read.
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
