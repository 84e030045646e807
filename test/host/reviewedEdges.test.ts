import assert from 'node:assert/strict';
import { ReviewedFile } from '../../src/host/review/reviewedFile';
import { seededRandom } from '../support/seededRandom';

const numbers = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const bytes = (value: string) => new TextEncoder().encode(value);
const lines = (changes: Readonly<Record<number, string>> = {}) =>
  `${numbers.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
const turn = (runId: string) => ({ sessionId: 's', runId, title: `turn ${runId}` });

function agent(file: ReviewedFile, runId: string, text: string | null): void {
  file.agentChanged(file.text === null ? null : bytes(file.text), text, turn(runId));
}

function afterTurns(before: string | null, ...texts: (string | null)[]): ReviewedFile {
  const file = new ReviewedFile('/a.txt', before);
  texts.forEach((text, index) => agent(file, String(index + 1), text));
  return file;
}

const turnsOf = (file: ReviewedFile) => (file.settled ? [] : file.parts.map((part) => part.turn.runId));
const partsOf = (file: ReviewedFile) =>
  file.parts.map(({ turn: { runId }, kind, added, removed }) => [runId, kind, added, removed]);

describe('A created or removed file', () => {
  it('is one change of all its lines when created, and none when removed', () => {
    const created = afterTurns(null, 'a\nb\n');
    assert.deepEqual(
      created.hunks.map(({ oldStart, oldEnd, newStart, newEnd }) => [oldStart, oldEnd, newStart, newEnd]),
      [[0, 0, 0, 3]],
    );
    assert.equal(created.settled, false);
    const removed = afterTurns('a\nb\n', null);
    assert.deepEqual([removed.hunks, removed.settled, removed.kind], [[], false, 'removed']);
    assert.deepEqual(partsOf(removed), [['1', 'removed', 0, 2]]);
  });

  it('leaves nothing to review when one turn creates it and the next removes it', () => {
    assert.deepEqual(turnsOf(afterTurns(null, 'a\n', null)), []);
    assert.ok(afterTurns(null, 'a\n', null).settled);
  });

  it('has no individual changes to keep or undo when removed', () => {
    const file = afterTurns(lines(), null);
    file.keep(['x']);
    assert.deepEqual(partsOf(file), [['1', 'removed', 0, 9]]);
    assert.equal(file.undoHunks(['x']).text, lines());
  });

  it('is fully reviewed with its removal, whatever was changed in it before', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), null);
    file.keepTurn('2');
    assert.deepEqual([file.settled, file.layers.length], [true, 0]);
  });

  it('still counts as created after a later turn is kept', () => {
    const created = afterTurns(null, 'a\nb\n', 'a\nB\n');
    created.keepTurn('2');
    assert.deepEqual([turnsOf(created), created.kind, created.baseline.exists], [['1'], 'created', false]);
    const again = afterTurns(lines(), null, 'new\n');
    again.keepTurn('2');
    assert.deepEqual([turnsOf(again), again.kind, again.baseline.text], [['1'], 'changed', lines()]);
  });
});

describe('A file seen for the first time', () => {
  it('has its text and nothing to review, or no text if missing or binary', () => {
    const file = ReviewedFile.firstSeen('/a.txt', bytes(lines()));
    assert.deepEqual([file.path, file.text, file.settled, file.layers], ['/a.txt', lines(), true, []]);
    for (const none of [null, new Uint8Array([0, 1, 2, 255])]) {
      const other = ReviewedFile.firstSeen('/b.bin', none);
      assert.deepEqual([other.text, other.settled], [null, true]);
    }
  });

  it('also keeps its remaining turns under another name', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), lines({ 2: 'two', 8: 'eight' }));
    const moved = file.movedTo('/b.txt');
    assert.deepEqual([moved.path, moved.text, partsOf(moved)], ['/b.txt', file.text, partsOf(file)]);
    assert.equal(moved.baseline.text, lines());
  });
});

describe('Turns reviewed one by one', () => {
  it('are those before the state that the user restored', () => {
    const texts = [lines({ 2: 'two' }), lines({ 2: 'TWO' }), lines({ 2: 'zwei', 5: 'fünf' })];
    const file = afterTurns(lines(), ...texts);
    file.personChanged(texts[1] ?? '');
    assert.deepEqual(partsOf(file), [
      ['1', 'changed', 1, 1],
      ['2', 'changed', 1, 1],
    ]);
    file.personChanged(lines());
    assert.deepEqual([file.settled, file.layers], [true, []]);
  });

  it('do not include a kept turn below them', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), lines({ 2: 'two', 8: 'eight' }));
    file.keepTurn('2');
    assert.deepEqual([partsOf(file), file.layers.length], [[['1', 'changed', 1, 1]], 1]);
  });

  it('share one layer for the kept turns above them', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), lines({ 2: 'TWO' }), lines({ 2: 'zwei' }));
    file.keepTurn('2');
    file.keepTurn('3');
    assert.deepEqual(
      file.layers.map(({ kept }) => kept),
      [false, true],
    );
    assert.deepEqual(partsOf(file), [['1', 'changed', 1, 1]]);
  });

  it('keep what is left of each when a shared change was kept on its own', () => {
    const file = afterTurns(lines(), lines({ 2: 'two', 5: 'five' }), lines({ 2: 'TWO', 5: 'five', 8: 'eight' }));
    file.keep(file.hunks.slice(0, 1).map(({ key }) => key));
    assert.deepEqual(partsOf(file), [
      ['1', 'changed', 1, 1],
      ['2', 'changed', 1, 1],
    ]);
    assert.equal(file.baseline.text, lines({ 2: 'TWO' }));
    file.personChanged(file.undoTurn('1').content.text);
    assert.deepEqual([file.text, turnsOf(file)], [lines({ 2: 'TWO', 8: 'eight' }), ['2']]);
  });

  it('are not restored by the editor’s undo once they were kept', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), lines({ 2: 'two', 8: 'eight' }));
    const both = file.text ?? '';
    file.personChanged(lines({ 2: 'two', 5: 'mine', 8: 'eight' }));
    file.keepTurn('1');
    file.personChanged(both, true);
    assert.deepEqual(turnsOf(file), ['2']);
  });

  it('stay kept when a pending undo of another arrives', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), lines({ 2: 'two', 8: 'eight' }));
    const { content } = file.undoTurn('2');
    file.keepTurn('1');
    file.personChanged(content.text);
    assert.deepEqual([turnsOf(file), file.text], [[], lines({ 2: 'two' })]);
  });

  it('are all gone when the user restores a removed file to its state before them', () => {
    const file = afterTurns(lines(), lines({ 2: 'two' }), null);
    file.personChanged(lines());
    assert.deepEqual([file.settled, file.parts], [true, []]);
  });

  it('are restored by the editor’s undo to an earlier text, and again after that', () => {
    const after = lines({ 2: 'two', 8: 'eight' });
    const file = afterTurns(lines(), after);
    file.personChanged(lines({ 2: 'two', 5: 'mine', 8: 'eight' }));
    file.personChanged(after);
    for (let step = 0; step < 49; step++) file.personChanged(`${lines({ 2: 'two' })}${step}\n`);
    file.personChanged(after, true);
    assert.equal(file.hunks.length, 2);
  });

  it('are the same after any undo, even if the editor first reports the current text', () => {
    const random = seededRandom(17);
    const edited = (text: string, word: string) => {
      const all = text.split('\n');
      const added = Array.from({ length: Math.floor(random() * 3) }, (_, at) => `${random() < 0.5 ? word : ''}${at}`);
      all.splice(Math.floor(random() * (all.length - 1)), Math.floor(random() * 3), ...added);
      return all.join('\n');
    };
    for (let round = 0; round < 500; round++) {
      const texts: string[] = [];
      for (const word of ['a', 'b', 'c']) texts.push(edited(edited(texts.at(-1) ?? lines(), word), `${word}${word}`));
      const [direct, told] = [afterTurns(lines(), ...texts), afterTurns(lines(), ...texts)];
      const keys = direct.hunks.filter(() => random() < 0.5).map(({ key }) => key);
      direct.personChanged(direct.undoHunks(keys).text);
      const { text } = told.undoHunks(keys);
      told.personChanged(told.text);
      told.personChanged(text);
      assert.deepEqual(partsOf(told), partsOf(direct), JSON.stringify(texts));
    }
  });

  it('are undone even if the editor reports the old text again before the new one', () => {
    const file = afterTurns(lines(), lines({ 2: 'two', 5: 'five' }), lines({ 2: 'TWO', 5: 'five', 8: 'eight' }));
    const { content, left } = file.undoTurn('1');
    assert.equal(left, true);
    file.personChanged(file.text);
    file.personChanged(content.text);
    assert.deepEqual([turnsOf(file), file.text], [['1', '2'], lines({ 2: 'TWO', 8: 'eight' })]);
    const parts = partsOf(file);
    const direct = afterTurns(lines(), lines({ 2: 'two', 5: 'five' }), lines({ 2: 'TWO', 5: 'five', 8: 'eight' }));
    direct.personChanged(direct.undoTurn('1').content.text);
    assert.deepEqual(parts, partsOf(direct));
  });

  it('start from the known state, even if the file was changed outside the editor', () => {
    const file = new ReviewedFile('/a.txt', 'a\nb\n');
    file.agentChanged(bytes('a\r\nb\nbehind\n'), 'a\nB\n', turn('1'));
    assert.deepEqual(file.baseline.lines, ['a', 'b', '']);
    assert.equal(file.baseline.text, 'a\r\nb\r\n');
    assert.equal(file.hunks.length, 1);
  });

  it('remember at most two million lines for the editor’s undo', () => {
    const filler = Array.from({ length: 450_000 }, (_, index) => `${index}`).join('\n');
    const before = `1\n2\n3\n${filler}\n`;
    const after = before.replace('2', 'TWO');
    const afterSteps = (count: number) => {
      const file = afterTurns(before, after);
      for (let step = 0; step < count; step++) file.personChanged(`${before}${step}\n`);
      file.personChanged(after, true);
      return turnsOf(file);
    };
    assert.deepEqual([1, 2, 3].map(afterSteps), [['1'], ['1'], []]);
  });
});

describe('A turn that is undone', () => {
  it('stays where it was kept, also while the change below it is left to review', () => {
    const file = afterTurns(lines(), lines({ 5: 'five' }), lines({ 5: 'cinq' }));
    file.keepTurn('2');
    assert.deepEqual(turnsOf(file), ['1']);
    const { content, left } = file.undoTurn('2');
    assert.deepEqual([content.text, left], [lines({ 5: 'cinq' }), false]);
  });

  it('is reported as partly left when that is so of any of its changes', () => {
    const file = new ReviewedFile('/a.txt', lines());
    for (const [runId, changes] of [
      ['1', { 2: 'two' }],
      ['2', { 2: 'two', 5: 'five' }],
      ['1', { 2: 'two', 5: 'five', 8: 'eight' }],
      ['3', { 2: 'two', 5: 'five', 8: 'acht' }],
    ] as const)
      agent(file, runId, lines(changes));
    const { content, left } = file.undoTurn('1');
    assert.deepEqual([content.text, left], [lines({ 5: 'five', 8: 'acht' }), true]);
  });
});
