import { chmod, link, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomId } from '../../base/newId';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';
import type { ContentFolder, ImportedFile } from './importItem';

/** Creates a file in a folder atomically. Rejects with EngineError `exists` if the name is taken. */
export async function placeFile(folder: string, name: string, file: ImportedFile | undefined): Promise<void> {
  const target = path.join(folder, name);
  const temporary = path.join(folder, `.${randomId()}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    await writeThrough(temporary, file?.bytes ?? new Uint8Array(), file?.executable ?? false);
    // A rename would overwrite a file created in the meantime.
    await link(temporary, target).catch((error: unknown) => {
      // Some file systems do not support links.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
      return writeThrough(target, file?.bytes ?? new Uint8Array(), file?.executable ?? false);
    });
  } catch (error) {
    throw fileError(error, target);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Creates a folder in the same way. */
export async function placeFolder(parent: string, name: string, files: readonly ImportedFile[]): Promise<void> {
  const target = path.join(parent, name);
  let temporary: string | undefined;
  try {
    await mkdir(parent, { recursive: true });
    temporary = await mkdtemp(path.join(parent, '.import-'));
    for (const file of files) {
      const place = path.join(temporary, ...file.path.split('/'));
      if (!place.startsWith(temporary + path.sep))
        throw new EngineError('denied', `${file.path} leads out of ${name}.`);
      await mkdir(path.dirname(place), { recursive: true });
      await writeThrough(place, file.bytes, file.executable);
    }
    await chmod(temporary, 0o755);
    await rename(temporary, target);
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error) ?? '');
    throw isTaken ? new EngineError('exists', `${target} exists already.`) : fileError(error, target);
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

async function writeThrough(file: string, bytes: Uint8Array, executable: boolean): Promise<void> {
  const handle = await open(file, 'wx', executable ? 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const NAME_LINE = /^name[ \t]*:.*$/m;

/** Updates the name in a file that contains the name of its item. */
export function renamedInside(file: ImportedFile, folder: ContentFolder, single: boolean, name: string): ImportedFile {
  const isHead = single ? file.path === '.md' : file.path === 'SKILL.md' || file.path === 'config.yaml';
  if (!isHead || (folder !== 'skills' && folder !== 'agents')) return file;
  const text = Buffer.from(file.bytes).toString('utf8');
  const end = file.path === 'config.yaml' ? text.length : text.indexOf('\n---', 3);
  const head = text.slice(0, Math.max(0, end));
  if (!NAME_LINE.test(head)) return file;
  return { ...file, bytes: Buffer.from(head.replace(NAME_LINE, () => `name: ${name}`) + text.slice(head.length)) };
}
