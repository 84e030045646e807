import type { NewTask, TaskView } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';

interface Task extends Omit<NewTask, 'blockedBy'> {
  readonly id: string;
  status: TaskView['status'];
  owner: string | null;
  /** Those that are not completed. */
  readonly blockers: Set<string>;
  /** All that it ever waited for, for what they found out. */
  readonly after: readonly string[];
  output?: string;
}

/** A task that may begin and names an agent for it. */
export interface Dispatch {
  taskId: string;
  agent: string;
  /** With what the tasks before it found out. */
  prompt: string;
}

/** The tasks of one agent: what waits for what, who works on it, and what came of it. Pure; it starts nothing itself. */
export class TaskBoard {
  private readonly tasks = new Map<string, Task>();
  private count = 0;

  /** Gives the id, and a warning for each dependency that cannot be. Throws ToolFailure when an agent has no prompt. */
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
      // What is completed already stands in nobody's way.
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

  /** The tasks that may begin and name an agent. */
  runnable(): Dispatch[] {
    return [...this.tasks.values()].flatMap((task) => {
      const { id, status, agent, prompt } = task;
      if (status !== 'pending' || agent === undefined || prompt === undefined) return [];
      return [{ taskId: id, agent, prompt: [prompt, ...this.findings(task)].join('\n\n') }];
    });
  }

  /** True while it waits for nothing but somebody who does it. */
  mayBegin(id: string): boolean {
    return this.get(id).status === 'pending';
  }

  /** An agent works on it from now on. Throws ToolFailure when that cannot be. */
  claim(id: string, owner: string): void {
    const task = this.get(id);
    if (task.status !== 'pending') {
      throw new ToolFailure('failed', `Task ${id} is ${task.status.replace('_', ' ')}; nobody can begin it now.`);
    }
    task.status = 'in_progress';
    task.owner = owner;
  }

  /** Whoever was to do it could not begin: it waits again. */
  release(id: string): void {
    const task = this.get(id);
    if (task.status !== 'in_progress') return;
    task.status = 'pending';
    task.owner = null;
  }

  /** Gives the tasks that nothing stands before any more. Throws ToolFailure for an unknown task. */
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

  /** Gives the ids of those that failed with it, because they wait for it. Throws ToolFailure for an unknown task. */
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

  /** Throws ToolFailure when there is none of that id. */
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
