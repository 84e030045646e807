import { isAbort } from '../../../base/abort';
import { Deferred } from '../../../base/async';
import { type Disposable, onDispose } from '../../../base/disposable';
import { errorText } from '../../../base/errors';
import type { Clock, ProcessRunner } from '../../ports';
import type { OutputFile } from '../toolContext';
import { ToolFailure } from '../toolOutput';
import { CommandOutput, endText } from './commandOutput';

interface BackgroundRequest {
  command: string;
  cwd: string;
  /** Creates the file for a long output. */
  openOutput(): Promise<OutputFile>;
}

const MAX_RUNNING = 20;
/** The number of finished commands that are remembered per session. */
const MAX_ENDED = 50;
/** The number of characters of an output that are kept for later display. */
const MAX_WRITTEN = 32_000;

/** Receives what a command writes, and is notified once when it ends. */
interface CommandFollower {
  written(text: string): void;
  ended(): void;
}

/** The commands that run in the background, by session. The owner ends them with `dispose`. */
export class BackgroundCommands {
  private readonly sessions = new Map<string, BackgroundCommand[]>();
  private started = 0;
  private disposed = false;

  constructor(
    private readonly processes: ProcessRunner,
    private readonly clock: Clock,
  ) {}

  /** Throws ToolFailure if too many are running, or if no more may be started. */
  start(sessionId: string, request: BackgroundRequest): BackgroundCommand {
    const all = this.list(sessionId);
    if (this.disposed) throw new ToolFailure('failed', 'Cairn is closing, so no command is started any more.');
    if (all.filter(({ isRunning }) => isRunning).length >= MAX_RUNNING) {
      const message = `${MAX_RUNNING} commands run in the background already. End one with command__stop first.`;
      throw new ToolFailure('failed', message);
    }
    const command = new BackgroundCommand(`bg${++this.started}`, request, this.processes, this.clock);
    this.sessions.set(sessionId, [...remembered(all), command]);
    return command;
  }

  /** In the order in which they were started. */
  list(sessionId: string): readonly BackgroundCommand[] {
    return this.sessions.get(sessionId) ?? [];
  }

  find(sessionId: string, id: string): BackgroundCommand | undefined {
    return this.list(sessionId).find((one) => one.id === id);
  }

  /** Throws ToolFailure, with the existing ids, if there is no command with this id. */
  get(sessionId: string, id: string): BackgroundCommand {
    const all = this.list(sessionId);
    const found = this.find(sessionId, id);
    if (found) return found;
    const known = all.length > 0 ? `There are: ${all.map((one) => one.id).join(', ')}.` : 'None was started.';
    throw new ToolFailure('bad-arguments', `There is no background command ${id}. ${known}`);
  }

  /** Ends and forgets the commands of one session; resolves once their processes are gone. */
  async endSession(sessionId: string): Promise<void> {
    const all = this.list(sessionId);
    this.sessions.delete(sessionId);
    await Promise.all(all.map((one) => one.stop()));
  }

  /** Ends every command for good; resolves once all processes are gone. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.sessions.keys()].map((id) => this.endSession(id)));
  }
}

function remembered(all: readonly BackgroundCommand[]): BackgroundCommand[] {
  const ended = all.filter(({ isRunning }) => !isRunning);
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
  return all.filter((one) => !forgotten.has(one));
}

/** A command that runs while the agent continues. Starts immediately. */
export class BackgroundCommand {
  readonly command: string;
  readonly output: CommandOutput;
  /** Resolves once the command and its children have ended; never rejects. */
  readonly over: Promise<void>;
  private readonly abort = new AbortController();
  private readonly startedAt: number;
  private ended: { how: string; at: number } | undefined;
  private news = new Deferred<void>();
  private recent = '';
  private readonly followers = new Set<CommandFollower>();

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

  /** The end of the output so far. Unlike `output`, it can be read any number of times. */
  get written(): string {
    return this.recent;
  }

  follow(follower: CommandFollower): Disposable {
    this.followers.add(follower);
    return onDispose(() => this.followers.delete(follower));
  }

  /** Ends the command with its children; resolves once they are gone. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.over;
  }

  /** Resolves when the command writes something or ends; immediately if it has unread output or has ended. */
  changed(): Promise<void> {
    return this.output.hasNew || !this.isRunning ? Promise.resolve() : this.news.promise;
  }

  private async carryOut({ command, cwd }: BackgroundRequest, processes: ProcessRunner): Promise<void> {
    const how = await this.run(command, cwd, processes);
    this.output.end();
    this.ended = { how, at: this.clock.now() };
    this.news.resolve();
    for (const follower of this.followers) follower.ended();
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
    const { behind, live } = this.output.add(chunk);
    this.recent = (this.recent + live).slice(-MAX_WRITTEN);
    for (const follower of this.followers) follower.written(live);
    if (this.output.hasNew) {
      this.news.resolve();
      this.news = new Deferred();
    }
    return behind;
  }
}
