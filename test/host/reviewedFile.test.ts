import assert from 'node:assert/strict';
import { ReviewedFile } from '../../src/host/review/reviewedFile';

const turn = { sessionId: 's', runId: 'r', title: 'make it better' };
const text = (...lines: string[]) => `${lines.join('\n')}\n`;
const bytes = (value: string) => new TextEncoder().encode(value);
const before = text('1', '2', '3', '4', '5', '6', '7');
const after = text('1', 'TWO', '3', '4', '5', 'SIX', '7');

function reviewed(path: string, was: string | null, now: string | null): ReviewedFile {
  const file = new ReviewedFile(path, was);
  file.agentChanged(was === null ? null : bytes(was), now, turn);
  return file;
}

function changed(): ReviewedFile {
  return reviewed('/a.txt', before, after);
}

function key(file: ReviewedFile, index: number): string {
  return file.hunks[index]?.key ?? '';
}

describe('A file to review', () => {
  it('differs from its original until each change is kept or undone', () => {
    const file = changed();
    assert.equal(file.hunks.length, 2);
    assert.deepEqual(file.parts, [{ turn, kind: 'changed', added: 2, removed: 2 }]);
    file.keep([key(file, 0)]);
    assert.equal(file.baseline.text, text('1', 'TWO', '3', '4', '5', '6', '7'));
    const undone = file.undoHunks([key(file, 0)]).text;
    assert.equal(undone, text('1', 'TWO', '3', '4', '5', '6', '7'));
    file.personChanged(undone);
    assert.ok(file.settled);
  });

  it('had its text before with the line ending of each line', () => {
    const mixed = '1\r\n2\n3\n';
    const file = reviewed('/a.txt', mixed, '1\r\nTWO\n3\n');
    assert.equal(file.baseline.text, mixed);
    assert.deepEqual(file.baseline.bytes, bytes(mixed));
  });

  it('has no text if it is binary', () => {
    const binary = new Uint8Array([0, 1, 2, 255]);
    const file = new ReviewedFile('/a.bin', null);
    file.agentChanged(binary, null, turn);
    assert.equal(file.baseline.text, null);
    assert.deepEqual(file.baseline.bytes, binary);
  });

  it('does not count what the user types elsewhere', () => {
    const file = changed();
    file.personChanged(after.replace('4', 'mine'));
    assert.equal(file.hunks.length, 2);
    assert.match(file.baseline.text ?? '', /^mine$/m);
    assert.equal(file.undoHunks(file.hunks.map((hunk) => hunk.key)).text, before.replace('4', 'mine'));
  });

  it('counts what the user types into a change as part of it', () => {
    const file = changed();
    file.personChanged(after.replace('TWO', 'TWO and more'));
    assert.equal(file.hunks.length, 2);
    assert.equal(file.baseline.text, before);
  });

  it('is settled by the editor’s undo, and open again after its redo', () => {
    const file = changed();
    file.personChanged(before, true);
    assert.ok(file.settled);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2);
  });

  it('is open again when the undo of a change is undone', () => {
    const file = changed();
    const undone = file.undoHunks([key(file, 0)]).text;
    file.personChanged(undone);
    assert.equal(file.hunks.length, 1);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2);
  });

  it('is one whole change when created, and gone when that is undone', () => {
    const file = reviewed('/new.txt', null, text('a', 'b'));
    assert.equal(file.kind, 'created');
    assert.deepEqual(file.parts, [{ turn, kind: 'created', added: 2, removed: 0 }]);
    assert.equal(file.baseline.exists, false);
    assert.equal(file.withoutTurn(turn.runId).content.exists, false);
    file.personChanged(null);
    assert.ok(file.settled);
  });

  it('restores its bytes when removed, text or not', () => {
    const picture = new Uint8Array([0x89, 0x50, 0, 1, 2, 0xff]);
    const file = new ReviewedFile('/a.png', null);
    file.agentChanged(picture, null, turn);
    assert.equal(file.kind, 'removed');
    assert.ok(!file.settled);
    assert.deepEqual(file.baseline.bytes, picture);
    assert.deepEqual(file.withoutTurn(turn.runId).content.bytes, picture);
  });

  it('keeps Windows line endings', () => {
    const file = reviewed('/a.txt', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n');
    file.personChanged('mine\r\na\r\nB\r\nc\r\n');
    assert.equal(file.baseline.text, 'mine\r\na\r\nb\r\nc\r\n');
  });

  it('keeps its encoding', () => {
    const file = new ReviewedFile('/a.txt', 'é\nb\nc\n');
    file.agentChanged(Uint8Array.from(Buffer.from('é\nb\nc\n', 'latin1')), 'é\nB\nc\n', turn);
    file.personChanged('ü\nB\nc\n');
    file.personChanged(null);
    assert.equal(Buffer.from(file.baseline.bytes ?? []).toString('latin1'), 'ü\nb\nc\n');
  });

  it('attributes typed text to the user, even if it matches an earlier state', () => {
    const file = changed();
    const typed = after.replace('4', 'mine');
    file.personChanged(typed);
    file.personChanged(typed.replace('TWO', '2'));
    assert.equal(file.hunks.length, 1, 'they put one change back by hand');
    file.personChanged(typed);
    assert.equal(file.hunks.length, 1, 'and typed its words again, which are theirs now');
    file.personChanged(typed.replace('TWO', '2'), true);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2, 'while the undo of the editor brings back what was the agent’s');
  });

  it('does not restore a kept change through the editor’s undo', () => {
    const file = changed();
    const typed = after.replace('4', 'mine');
    file.personChanged(typed);
    file.keep([key(file, 0)]);
    assert.equal(file.hunks.length, 1);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 1);
    assert.match(file.baseline.text ?? '', /^TWO$/m);
  });

  it('remembers only the last fifty texts for the editor’s undo', () => {
    const afterSteps = (count: number) => {
      const file = changed();
      const back = after.replace('TWO', '2');
      for (let step = 0; step < count; step++) file.personChanged(`${back}${step}\n`);
      file.personChanged(after, true);
      return file.hunks.length;
    };
    assert.deepEqual([1, 2, 49].map(afterSteps), [2, 2, 2]);
    assert.equal(afterSteps(50), 1);
  });
});
