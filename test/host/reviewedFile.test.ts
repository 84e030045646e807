import assert from 'node:assert/strict';
import { ReviewedFile } from '../../src/host/review/reviewedFile';

const turn = { sessionId: 's', runId: 'r', title: 'make it better' };
const text = (...lines: string[]) => `${lines.join('\n')}\n`;
const bytes = (value: string) => new TextEncoder().encode(value);
const before = text('1', '2', '3', '4', '5', '6', '7');
const after = text('1', 'TWO', '3', '4', '5', 'SIX', '7');

function changed(): ReviewedFile {
  return new ReviewedFile('/a.txt', bytes(before), after, turn);
}

function key(file: ReviewedFile, index: number): string {
  return file.hunks[index]?.key ?? '';
}

describe('a file to review', () => {
  it('has the difference from what it was, until each change is kept or undone', () => {
    const file = changed();
    assert.equal(file.hunks.length, 2);
    assert.deepEqual(file.counts, { added: 2, removed: 2 });
    file.keep([key(file, 0)]);
    assert.equal(file.baselineText, text('1', 'TWO', '3', '4', '5', '6', '7'));
    const undone = file.without([key(file, 0)]).join('\n');
    assert.equal(undone, text('1', 'TWO', '3', '4', '5', '6', '7'));
    file.personChanged(undone);
    assert.ok(file.settled);
  });

  it('does not count what a person types elsewhere', () => {
    const file = changed();
    file.personChanged(after.replace('4', 'mine'));
    assert.equal(file.hunks.length, 2);
    assert.match(file.baselineText, /^mine$/m);
    assert.equal(file.without(file.hunks.map((hunk) => hunk.key)).join('\n'), before.replace('4', 'mine'));
  });

  it('counts what a person types into a change as part of it', () => {
    const file = changed();
    file.personChanged(after.replace('TWO', 'TWO and more'));
    assert.equal(file.hunks.length, 2);
    assert.equal(file.baselineText, before);
  });

  it('is settled by the undo of the editor, and open again by its redo', () => {
    const file = changed();
    file.personChanged(before, true);
    assert.ok(file.settled);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2);
  });

  it('is open again when the undoing of a change is undone', () => {
    const file = changed();
    const undone = file.without([key(file, 0)]).join('\n');
    file.personChanged(undone);
    assert.equal(file.hunks.length, 1);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2);
  });

  it('takes a second change by the agent up with the first', () => {
    const file = changed();
    file.agentChanged(after.replace('4', 'FOUR'), { ...turn, runId: 'later' });
    assert.equal(file.hunks.length, 3);
    assert.equal(file.turn.runId, 'later');
    file.agentChanged(before, turn);
    assert.ok(file.settled);
  });

  it('that is new is one whole, and gone when it is undone', () => {
    const file = new ReviewedFile('/new.txt', null, text('a', 'b'), turn);
    assert.equal(file.kind, 'created');
    assert.deepEqual(file.counts, { added: 2, removed: 0 });
    assert.equal(file.baseline, null);
  });

  it('that was removed gives its bytes back, text or not', () => {
    const picture = new Uint8Array([0x89, 0x50, 0, 1, 2, 0xff]);
    const file = new ReviewedFile('/a.png', picture, null, turn);
    assert.equal(file.kind, 'removed');
    assert.ok(!file.settled);
    assert.deepEqual(file.baseline, picture);
  });

  it('keeps Windows line endings', () => {
    const file = new ReviewedFile('/a.txt', bytes('a\r\nb\r\nc\r\n'), 'a\r\nB\r\nc\r\n', turn);
    file.personChanged('mine\r\na\r\nB\r\nc\r\n');
    assert.equal(file.baselineText, 'mine\r\na\r\nb\r\nc\r\n');
  });
});
