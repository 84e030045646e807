import assert from 'node:assert/strict';
import type { FileDiff } from '../../src/protocol/chatState';
import { diffParts } from '../../src/protocol/diffParts';

const FILE = { path: 'a.txt', created: false, added: 0, removed: 0 };
const partsOf = (hunks: FileDiff['hunks']) => diffParts({ ...FILE, hunks });

describe('The parts of a diff', () => {
  it('are its consecutive changes, each with the lines it replaces and the lines it writes', () => {
    const lines = [' a', '-b', '-c', '+B', ' d', '+e', ' f', '-g', '\\ No newline at end of file'];
    assert.deepEqual(partsOf([{ oldStart: 10, newStart: 20, lines }]), [
      { oldStart: 10, oldEnd: 12, newStart: 20, newEnd: 21 },
      { oldStart: 13, oldEnd: 13, newStart: 22, newEnd: 23 },
      { oldStart: 14, oldEnd: 15, newStart: 24, newEnd: 24 },
    ]);
  });

  it('are counted from each hunk, and from the top in a new file', () => {
    const hunks = [
      { oldStart: 0, newStart: 1, lines: ['+a', '+b'] },
      { oldStart: 7, newStart: 9, lines: ['-x'] },
    ];
    assert.deepEqual(partsOf(hunks), [
      { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 2 },
      { oldStart: 6, oldEnd: 7, newStart: 8, newEnd: 8 },
    ]);
  });
});
