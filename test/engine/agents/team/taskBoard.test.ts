import assert from 'node:assert/strict';
import { TaskBoard } from '../../../../src/engine/team/teamTasks';

const task = (subject: string, ...blockedBy: string[]) => ({ subject, blockedBy });
const auto = (subject: string, ...blockedBy: string[]) => ({
  ...task(subject, ...blockedBy),
  agent: 'worker',
  prompt: subject,
});
const statesOf = (board: TaskBoard) => Object.fromEntries(board.list().map(({ id, status }) => [id, status]));

describe('The task board', () => {
  it('makes a task available once all its dependencies are completed', () => {
    const board = new TaskBoard();
    board.create(task('a'));
    board.create(task('b'));
    board.create(task('c', '1', '2'));
    assert.deepEqual(statesOf(board), { 1: 'pending', 2: 'pending', 3: 'blocked' });
    assert.deepEqual(board.complete('1'), []);
    assert.deepEqual(board.complete('2'), [{ id: '3', subject: 'c' }]);
    assert.equal(statesOf(board)['3'], 'pending');
  });

  it('shows which task waits for which', () => {
    const board = new TaskBoard();
    board.create(task('a'));
    board.create(task('b', '1'));
    const [first, second] = board.list();
    assert.deepEqual([first?.blocks, second?.blocked_by], [['2'], ['1']]);
  });

  it('warns of an invalid dependency and creates the task without it', () => {
    const board = new TaskBoard();
    assert.deepEqual(board.create(task('a', '1', '9')).warnings, [
      'Task 1 cannot wait for itself.',
      'There is no task 9 to wait for.',
    ]);
    assert.deepEqual(statesOf(board), { 1: 'pending' });
  });

  it('does not wait for completed tasks', () => {
    const board = new TaskBoard();
    board.create(task('a'));
    board.complete('1', 'found');
    board.create(auto('b', '1'));
    assert.match(
      board.runnable()[0]?.prompt ?? '',
      /^b\n\n# What the tasks before this one found\n\n## Task 1: a\nfound$/,
    );
  });

  it('starts an agent immediately when the task has no open dependencies', () => {
    const board = new TaskBoard();
    board.create(auto('a'));
    assert.deepEqual(board.runnable(), [{ taskId: '1', agent: 'worker', prompt: 'a' }]);
    board.claim('1', 'worker');
    assert.deepEqual(board.runnable(), []);
  });

  it('requeues a task whose agent could not start', () => {
    const board = new TaskBoard();
    board.create(auto('a'));
    board.claim('1', 'worker');
    board.release('1');
    assert.equal(board.runnable().length, 1);
    assert.equal(board.list()[0]?.owner, null);
  });

  it('fails everything that depends on a failed task, including tasks added later', () => {
    const board = new TaskBoard();
    board.create(task('a'));
    board.create(task('b', '1'));
    board.create(task('c', '2'));
    assert.deepEqual(board.fail('1', 'broken'), ['2', '3']);
    assert.match(board.create(task('d', '3')).warnings[0] ?? '', /failed at once/);
    assert.deepEqual(statesOf(board), { 1: 'failed', 2: 'failed', 3: 'failed', 4: 'failed' });
  });

  it('lists the existing tasks when one is unknown, and rejects invalid changes', () => {
    const board = new TaskBoard();
    board.create(task('a'));
    assert.throws(() => board.complete('7'), /There is no task 7\. There are: 1\./);
    board.complete('1');
    assert.throws(() => board.fail('1'), /Task 1 is completed and can no longer fail/);
    assert.throws(() => board.claim('1', 'worker'), /Task 1 is completed; nobody can begin it now/);
    assert.throws(() => board.create({ ...task('b'), agent: 'worker' }), /needs a prompt/);
  });
});
