import { isAbort } from '../../../base/abort';
import { Deferred } from '../../../base/deferred';
import { errorText } from '../../../base/errorText';
import type { Clock, ProcessRunner } from '../../ports';
import type { OutputFile } from '../toolContext';
import { CommandOutput } from './commandOutput';
import { endText } from './endText';

export interface BackgroundRequest {
  command: string;
  cwd: string;
  /** Makes the file for a long output. */
  openOutput(): Promise<OutputFile>;
}

/** One command that runs while the agent goes on. Begins at once. */
export class BackgroundCommand {
  readonly command: string;
  readonly output: CommandOutput;
  /** Resolves when the command and its children have ended; never rejects. */
  readonly over: Promise<void>;
  private readonly abort = new AbortController();
  private readonly startedAt: number;
  private ended: { how: string; at: number } | undefined;
  private news = new Deferred<void>();

  constructor(
    readonly id: string,
    request: BackgroundRequest,
    processes: ProcessRunner,
    private readonly clock: Clock,
  ) {
    this.command = request.command;
    this.output = new CommandOutput(() => request.openOutput());
    this.startedAt = clock.now();
    this.over = this.carryOut(request, processes);
  }

  get isRunning(): boolean {
    return this.ended === undefined;
  }

  /** "Running for 12 s." or "Exit code 0. It ran for 3 s." */
  get state(): string {
    const seconds = Math.round(((this.ended?.at ?? this.clock.now()) - this.startedAt) / 1000);
    return this.ended ? `${this.ended.how} It ran for ${seconds} s.` : `Running for ${seconds} s.`;
  }

  /** Ends it with its children; resolves when they are gone. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.over;
  }

  /** Resolves when it writes something or ends; at once when it has something new or has ended. */
  changed(): Promise<void> {
    return this.output.hasNew || !this.isRunning ? Promise.resolve() : this.news.promise;
  }

  private async carryOut({ command, cwd }: BackgroundRequest, processes: ProcessRunner): Promise<void> {
    const how = await this.run(command, cwd, processes);
    this.output.end();
    this.ended = { how, at: this.clock.now() };
    this.news.resolve();
  }

  private async run(command: string, cwd: string, processes: ProcessRunner): Promise<string> {
    try {
      const onOutput = (chunk: string) => this.take(chunk);
      return endText(await processes.run({ command, cwd, onOutput }, this.abort.signal));
    } catch (error) {
      return isAbort(error) ? 'Stopped.' : errorText(error);
    }
  }

  private take(chunk: string): Promise<void> | undefined {
    const { behind } = this.output.add(chunk);
    if (this.output.hasNew) {
      this.news.resolve();
      this.news = new Deferred();
    }
    return behind;
  }
}
