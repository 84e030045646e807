import { AbortError } from '../../base/abort';
import type { ChildReport, NewTask, SpawnRequest, TaskChange, TaskView } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';

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

interface Task extends Omit<NewTask, 'blockedBy'> {
  readonly id: string;
  status: TaskView['status'];
  owner: string | null;
  /** Dependencies that are not completed. */
  readonly blockers: Set<string>;
  /** All dependencies, whose outputs become part of the prompt. */
  readonly after: readonly string[];
  output?: string;
}

/** A task that is ready and names an agent. */
interface Dispatch {
  taskId: string;
  agent: string;
  /** Includes the outputs of its dependencies. */
  prompt: string;
}

/** The tasks of an agent, with their dependencies, owners, and results. Pure; starts nothing itself. */
export class TaskBoard {
  private readonly tasks = new Map<string, Task>();
  private count = 0;

  /** Creates a task. Returns its id, and a warning for each invalid dependency. Throws ToolFailure if it has an agent but no prompt. */
  create({ blockedBy, ...task }: NewTask): { id: string; warnings: string[] } {
    if (task.agent !== undefined && task.prompt === undefined) {
      throw new ToolFailure('bad-arguments', 'A task with an agent needs a prompt for it.');
    }
    const id = String(++this.count);
    const warnings: string[] = [];
    const blockers = new Set<string>();
    const after: string[] = [];
    let hasFailed = false;
    for (const blocker of new Set(blockedBy)) {
      const known = this.tasks.get(blocker);
      if (!known) {
        warnings.push(
          blocker === id ? `Task ${id} cannot wait for itself.` : `There is no task ${blocker} to wait for.`,
        );
        continue;
      }
      after.push(blocker);
      if (known.status === 'failed') hasFailed = true;
      // A completed task blocks nothing.
      if (known.status !== 'completed') blockers.add(blocker);
    }
    const status = hasFailed ? 'failed' : blockers.size > 0 ? 'blocked' : 'pending';
    if (hasFailed) warnings.push(`Task ${id} failed at once, because one that it waits for has failed.`);
    this.tasks.set(id, { ...task, id, status, owner: null, blockers, after });
    return { id, warnings };
  }

  list(): TaskView[] {
    const all = [...this.tasks.values()];
    return all.map(({ id, subject, status, owner, blockers, agent, prompt, output }) => ({
      id,
      subject,
      status,
      owner,
      blocked_by: [...blockers],
      blocks: all.filter((other) => other.blockers.has(id)).map((other) => other.id),
      ...(agent !== undefined && { agent }),
      ...(prompt !== undefined && { prompt }),
      ...(output !== undefined && { output }),
    }));
  }

  /** Returns the tasks that are ready and name an agent. */
  runnable(): Dispatch[] {
    return [...this.tasks.values()].flatMap((task) => {
      const { id, status, agent, prompt } = task;
      if (status !== 'pending' || agent === undefined || prompt === undefined) return [];
      return [{ taskId: id, agent, prompt: [prompt, ...this.findings(task)].join('\n\n') }];
    });
  }

  /** Whether the task is ready and has no owner. */
  mayBegin(id: string): boolean {
    return this.get(id).status === 'pending';
  }

  /** Marks the task as in progress by an agent. Throws ToolFailure if it is not pending. */
  claim(id: string, owner: string): void {
    const task = this.get(id);
    if (task.status !== 'pending') {
      throw new ToolFailure('failed', `Task ${id} is ${task.status.replace('_', ' ')}; nobody can begin it now.`);
    }
    task.status = 'in_progress';
    task.owner = owner;
  }

  /** Makes the task pending again, because its owner could not start. */
  release(id: string): void {
    const task = this.get(id);
    if (task.status !== 'in_progress') return;
    task.status = 'pending';
    task.owner = null;
  }

  /** Completes a task and returns those that are no longer blocked. Throws ToolFailure if the task is unknown or has failed. */
  complete(id: string, output?: string): { id: string; subject: string }[] {
    const done = this.get(id);
    if (done.status === 'completed') return [];
    if (done.status === 'failed') throw new ToolFailure('failed', `Task ${id} has failed; make a new one.`);
    done.status = 'completed';
    if (output !== undefined) done.output = output;
    const freed: { id: string; subject: string }[] = [];
    for (const task of this.tasks.values()) {
      if (!task.blockers.delete(id) || task.blockers.size > 0 || task.status !== 'blocked') continue;
      task.status = 'pending';
      freed.push({ id: task.id, subject: task.subject });
    }
    return freed;
  }

  /** Fails a task and returns the ids of the dependents that failed with it. Throws ToolFailure if the task is unknown or completed. */
  fail(id: string, reason?: string): string[] {
    const task = this.get(id);
    if (task.status === 'completed') throw new ToolFailure('failed', `Task ${id} is completed and can no longer fail.`);
    task.status = 'failed';
    if (reason !== undefined) task.output = reason;
    const failed: string[] = [];
    for (const other of this.tasks.values()) {
      if (!other.blockers.has(id) || other.status === 'failed') continue;
      failed.push(other.id, ...this.fail(other.id, `Task ${id}, which it waits for, failed.`));
    }
    return failed;
  }

  /** Throws ToolFailure if there is no task with this id. */
  private get(id: string): Task {
    const task = this.tasks.get(id);
    if (task) return task;
    const known = [...this.tasks.keys()].join(', ');
    throw new ToolFailure('bad-arguments', `There is no task ${id}.${known && ` There are: ${known}.`}`);
  }

  private findings({ after }: Task): string[] {
    const outputs = after.flatMap((id) => {
      const { subject, output } = this.get(id);
      return output === undefined ? [] : [`## Task ${id}: ${subject}\n${output}`];
    });
    return outputs.length > 0 ? ['# What the tasks before this one found', ...outputs] : [];
  }
}
