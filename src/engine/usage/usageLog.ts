import { errorText } from '../../base/errorText';
import type { Ports } from '../ports';
import { USAGE_FOLDER, usageFileName, type UsageRecord } from './usageRecord';

/** Keeps what requests used as JSON lines, a file a month, which are only ever added to. It is sent nowhere. */
export class UsageLog {
  private readonly folder: string;
  private warned = false;

  constructor(
    configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths' | 'log'>,
  ) {
    this.folder = ports.paths.resolve(configFolder, USAGE_FOLDER);
  }

  /** Resolves when all is written. What cannot be written is told in the log once, and stops nothing. */
  async keep(records: readonly UsageRecord[]): Promise<void> {
    const { files, paths, log } = this.ports;
    try {
      for (const record of records) {
        await files.appendLine(paths.resolve(this.folder, usageFileName(record.time)), JSON.stringify(record));
      }
      this.warned = false;
    } catch (error) {
      if (!this.warned) log.warn(`What was used could not be recorded: ${errorText(error)}`);
      this.warned = true;
    }
  }
}
