import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { Ports } from '../ports';
import { USAGE_FOLDER, usageFileName, type UsageRecord, usageRecordSchema } from './usageRecord';

export interface ReadUsage {
  /** In the order in which they were written, month by month. */
  records: UsageRecord[];
  /** What could not be read, a sentence each, with file and line. */
  problems: string[];
}

/** What was recorded below a folder from `since` on, in milliseconds since the epoch. */
export async function readUsage(
  configFolder: string,
  { files, paths }: Pick<Ports, 'files' | 'paths'>,
  since: number,
): Promise<ReadUsage> {
  const folder = paths.resolve(configFolder, USAGE_FOLDER);
  const read: ReadUsage = { records: [], problems: [] };
  for (const name of await monthsFrom(since, folder, files)) {
    const file = paths.resolve(folder, name);
    try {
      readLines(new TextDecoder().decode(await files.readFile(file)), file, read);
    } catch (error) {
      read.problems.push(`${file} was left out: ${errorText(error)}`);
    }
  }
  return { records: read.records.filter(({ time }) => time >= since), problems: read.problems };
}

async function monthsFrom(since: number, folder: string, files: Ports['files']): Promise<string[]> {
  const entries = await files.readDirectory(folder).catch((error: unknown) => {
    // Nothing was used yet.
    if (EngineError.is(error, 'not-found')) return [];
    throw error;
  });
  const first = usageFileName(Math.max(0, since));
  return entries
    .map(({ name }) => name)
    .filter((name) => /^\d{4}-\d\d\.jsonl$/.test(name) && name >= first)
    .sort();
}

function readLines(text: string, file: string, { records, problems }: ReadUsage): void {
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const record = recordIn(line);
    if (record) records.push(record);
    else problems.push(`${file}:${at + 1} is no record of usage and was left out.`);
  });
}

function recordIn(line: string): UsageRecord | undefined {
  try {
    return usageRecordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
