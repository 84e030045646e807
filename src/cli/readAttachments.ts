import { basename } from 'node:path';
import { errorText } from '../base/errorText';
import { type Attachment, attachFile, attachPage, type FileSystem, type PathStyle, type Web } from '../engine';
import { UsageError } from './usageError';

/** What `-f` names, as it goes with the prompt. Throws UsageError for what cannot be read. */
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
