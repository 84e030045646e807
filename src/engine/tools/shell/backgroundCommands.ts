import type { Clock, ProcessRunner } from '../../ports';
import { ToolFailure } from '../toolFailure';
import { BackgroundCommand, type BackgroundRequest } from './backgroundCommand';

const MAX_RUNNING = 20;
/** Commands of one session that are remembered after their end. */
const MAX_ENDED = 50;

/** The commands that run in the background, by session. Whoever owns it ends them with `dispose`. */
export class BackgroundCommands {
  private readonly sessions = new Map<string, BackgroundCommand[]>();
  private started = 0;
  private disposed = false;

  constructor(
    private readonly processes: ProcessRunner,
    private readonly clock: Clock,
  ) {}

  /** Throws ToolFailure when too many run, or when no more may be started. */
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

  /** In the order they were started. */
  list(sessionId: string): readonly BackgroundCommand[] {
    return this.sessions.get(sessionId) ?? [];
  }

  /** Throws ToolFailure, naming those there are, when there is none of this id. */
  get(sessionId: string, id: string): BackgroundCommand {
    const all = this.list(sessionId);
    const found = all.find((one) => one.id === id);
    if (found) return found;
    const known = all.length > 0 ? `There are: ${all.map((one) => one.id).join(', ')}.` : 'None was started.';
    throw new ToolFailure('bad-arguments', `There is no background command ${id}. ${known}`);
  }

  /** Ends the commands of one session and forgets them; resolves when their processes are gone. */
  async endSession(sessionId: string): Promise<void> {
    const all = this.list(sessionId);
    this.sessions.delete(sessionId);
    await Promise.all(all.map((one) => one.stop()));
  }

  /** Ends every command for good; resolves when all processes are gone. */
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
