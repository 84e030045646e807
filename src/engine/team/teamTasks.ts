import { AbortError } from '../../base/abort';
import type { ChildReport, NewTask, SpawnRequest, TaskChange } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';
import { TaskBoard } from './taskBoard';

/** The tasks of an agent, which start other agents automatically. */
export class TeamTasks {
  readonly board = new TaskBoard();
  /** Dispatching is serialized, so that no task is started twice or failed by a concurrent attempt. */
  private dispatched: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly spawn: (request: SpawnRequest) => Promise<ChildReport>,
    private readonly hasRoom: () => boolean,
  ) {}

  create(task: NewTask): Promise<TaskChange> {
    const { id, warnings } = this.board.create(task);
    return this.changed(id, { warnings });
  }

  complete(id: string): Promise<TaskChange> {
    return this.changed(id, { newly_runnable: this.board.complete(id) });
  }

  fail(id: string): Promise<TaskChange> {
    return this.changed(id, { failed_dependents: this.board.fail(id) });
  }

  /** Ends the task with the agent that worked on it. */
  ended(taskId: string, { state, output, exit_status: exit }: ChildReport): void {
    const status = this.board.list().find((task) => task.id === taskId)?.status;
    if (status !== 'in_progress') return;
    if (state === 'completed') this.board.complete(taskId, output);
    else this.board.fail(taskId, exit);
  }

  /** Starts the tasks that are ready. Without room they wait until another agent ends; those that cannot be started fail. */
  dispatch(): Promise<TaskChange['auto_dispatched']> {
    const next = this.dispatched.then(() => this.startRunnable());
    this.dispatched = next.catch(() => undefined);
    return next;
  }

  private async startRunnable(): Promise<TaskChange['auto_dispatched']> {
    const started: TaskChange['auto_dispatched'][number][] = [];
    for (const { taskId, agent, prompt } of this.board.runnable()) {
      if (!this.hasRoom()) break;
      if (!this.board.mayBegin(taskId)) continue;
      try {
        const { id } = await this.spawn({ agent, prompt, taskId, callId: null });
        started.push({ task_id: taskId, id, agent });
      } catch (error) {
        if (error instanceof AbortError || !this.hasRoom()) break;
        if (!(error instanceof ToolFailure)) throw error;
        // In the meantime, the task may have been claimed manually.
        if (this.board.mayBegin(taskId)) this.board.fail(taskId, error.message);
      }
    }
    return started;
  }

  private async changed(id: string, change: Partial<TaskChange>): Promise<TaskChange> {
    const auto = await this.dispatch();
    return { task_id: id, warnings: [], newly_runnable: [], failed_dependents: [], ...change, auto_dispatched: auto };
  }
}
