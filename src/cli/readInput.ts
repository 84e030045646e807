import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { errorText } from '../base/errorText';
import {
  attachFile,
  type Attachment,
  attachPage,
  decodeText,
  type FileSystem,
  type PathStyle,
  type Web,
} from '../engine';
import { UsageError } from './exitStatus';

/**
 * Returns the prompt with standard input appended. A socket on standard input is read only when there is no other prompt, because
 * programs started by another program often get a socket that nothing writes to. Throws UsageError when the input is not text.
 */
export async function readInput(prompt: string): Promise<string> {
  const piped = isFed(prompt === '') ? textOf(await buffer(process.stdin)).trim() : '';
  return [prompt.trim(), piped].filter((part) => part !== '').join('\n\n');
}

/** Decodes any encoding that is supported for files. */
function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (decoded) return decoded.text;
  throw new UsageError(
    `standard input (${bytes.length} bytes) is binary, so it cannot be part of a prompt. Save it as a file and name that, or pipe in text.`,
  );
}

function isFed(nothingElse: boolean): boolean {
  if (isatty(0)) return false;
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || (nothingElse && stat.isSocket());
  } catch {
    // Standard input is closed, so there is nothing to read.
    return false;
  }
}

/** Reads what `-f` names as attachments. Throws UsageError for what cannot be read. */
export function readAttachments(
  ports: { files: FileSystem; paths: PathStyle; web: Web },
  folder: string,
  named: readonly string[],
): Promise<Attachment[]> {
  const signal = new AbortController().signal;
  return Promise.all(
    named.map(async (one) => {
      try {
        if (/^https?:\/\//i.test(one)) return await attachPage(ports.web, one, one, signal);
        const { kind } = await ports.files.stat(ports.paths.resolve(folder, one)).catch(() => ({ kind: 'file' }));
        if (kind === 'directory') throw new UsageError('that is a folder. Name the files in it that matter.');
        return await attachFile(ports, folder, { kind: 'file', label: basename(one), path: one });
      } catch (error) {
        throw new UsageError(`-f ${one}: ${errorText(error)}`);
      }
    }),
  );
}
