import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import { TeamTasks } from '../../../../src/engine/team/teamTasks';
import type { ChildReport, SpawnRequest } from '../../../../src/engine/tools/team/teamDesk';
import { ToolFailure } from '../../../../src/engine/tools/toolOutput';

const task = (subject: string) => ({ subject, agent: 'worker', prompt: `Do ${subject}.`, blockedBy: [] });
const statesOf = ({ board }: TeamTasks) => board.list().map(({ id, status }) => `${id} ${status}`);

/** Returns tasks whose agents start once the gate opens; each then claims its task, as an agent started by a leader does. */
function slowTasks() {
  const gate = new Deferred<void>();
  const asked: (string | undefined)[] = [];
  const spawn = async ({ taskId = '' }: SpawnRequest): Promise<ChildReport> => {
    asked.push(taskId);
    await gate.promise;
    tasks.board.claim(taskId, 'worker');
    return { id: `agent_${taskId}`, agent: 'worker', session_id: 's', state: 'running', exit_status: '' };
  };
  const tasks: TeamTasks = new TeamTasks(spawn, () => true);
  return { tasks, asked, gate };
}

describe('Tasks that start agents', () => {
  it('start once each when several are created at the same time', async () => {
    const { tasks, asked, gate } = slowTasks();
    const made = [tasks.create(task('one')), tasks.create(task('two')), tasks.dispatch()];
    gate.resolve();
    await Promise.all(made);
    assert.deepEqual(asked, ['1', '2']);
    assert.deepEqual(statesOf(tasks), ['1 in_progress', '2 in_progress']);
  });

  it('keep working when one is claimed manually while its agent is looked up', async () => {
    const { tasks, gate } = slowTasks();
    const made = tasks.create(task('one'));
    await new Promise(setImmediate);
    tasks.board.claim('1', 'somebody');
    gate.resolve();
    await made;
    assert.deepEqual(statesOf(tasks), ['1 in_progress']);
    assert.equal(tasks.board.list()[0]?.owner, 'somebody');
  });

  it('fail when their agent cannot be started', async () => {
    const tasks = new TeamTasks(
      () => Promise.reject(new ToolFailure('failed', 'No such agent.')),
      () => true,
    );
    await tasks.create(task('one'));
    assert.deepEqual(statesOf(tasks), ['1 failed']);
  });
});
