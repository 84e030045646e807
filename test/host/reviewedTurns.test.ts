import assert from 'node:assert/strict';
import { ReviewedFile } from '../../src/host/review/reviewedFile';
import { layersOf, storedLayers } from '../../src/host/review/storedLayers';
import { seededRandom } from '../support/seededRandom';

const numbers = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const bytes = (value: string) => new TextEncoder().encode(value);

/** The nine lines, with some of them changed. */
function lines(changes: Readonly<Record<number, string>> = {}): string {
  return `${numbers.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
}

const turn = (runId: string) => ({ sessionId: 's', runId, title: `turn ${runId}` });

/** A file after turns 1, 2, … each produced one of these texts; null if removed. */
function afterTurns(...texts: (string | null)[]): ReviewedFile {
  const file = new ReviewedFile('/a.txt', lines());
  texts.forEach((text, index) => agent(file, String(index + 1), text));
  return file;
}

function agent(file: ReviewedFile, runId: string, text: string | null): void {
  file.agentChanged(file.text === null ? null : bytes(file.text), text, turn(runId));
}

/** Undoes a turn like the editor does, and returns whether some of it had to stay. */
function undo(file: ReviewedFile, runId: string): boolean {
  const { content, left } = file.undoTurn(runId);
  file.personChanged(content.text);
  return left;
}

/** Changes, removes, or adds one to three lines at one or two places. */
function someEdit(text: string, random: () => number, word: string): string {
  const all = text.split('\n');
  for (let places = random() < 0.5 ? 1 : 2; places > 0; places--) {
    const at = Math.floor(random() * (all.length - 1));
    const added = Array.from({ length: Math.floor(random() * 3) }, (_, index) => `${word}${places}${index}`);
    all.splice(at, Math.floor(random() * 3), ...added);
  }
  return all.join('\n');
}

/** A file after four turns of random changes, and a random order of them. */
function afterSomeTurns(random: () => number): { file: ReviewedFile; order: string[] } {
  const texts: string[] = [];
  for (let index = 1; index <= 4; index++) texts.push(someEdit(texts.at(-1) ?? lines(), random, `${index}`));
  const order = ['1', '2', '3', '4'].map((runId) => ({ runId, at: random() })).sort((a, b) => a.at - b.at);
  return { file: afterTurns(...texts), order: order.map(({ runId }) => runId) };
}

/** A file of 5,000 lines, some of which each turn changed at five places. */
function afterHundredTurns(): ReviewedFile {
  const random = seededRandom(7);
  let all = Array.from({ length: 5000 }, (_, index) => `line ${index} with some words in it`);
  const file = new ReviewedFile('/a.txt', all.join('\n'));
  for (let index = 1; index <= 100; index++) {
    all = [...all];
    for (let place = 0; place < 5; place++) {
      const at = Math.floor(random() * 1900 + (place % 2) * 3000);
      all.splice(at, Math.floor(random() * 3), `turn ${index}`, `place ${place}`);
    }
    agent(file, `${index}`, all.join('\n'));
  }
  return file;
}

/** Asserts that the differences are the same when recomputed from the stored file. */
function assertSameAfterReload(file: ReviewedFile, message: string): void {
  const again = new ReviewedFile(file.path, file.text, layersOf(storedLayers(file), file.text));
  assert.deepEqual(
    again.layers.map(({ base }) => base.text),
    file.layers.map(({ base }) => base.text),
    message,
  );
  assert.deepEqual(turnsOf(again), turnsOf(file), message);
  assert.equal(again.undoHunks(keys(again)).text, file.undoHunks(keys(file)).text, message);
}

const turnsOf = (file: ReviewedFile) => (file.settled ? [] : file.parts.map((part) => part.turn.runId));
const keys = (file: ReviewedFile) => file.hunks.map(({ key }) => key);

describe('Turns that change one file', () => {
  it('have changes that can be kept individually, unless the file was created or removed', () => {
    assert.equal(afterTurns(lines({ 2: 'two' })).hasParts, true);
    assert.equal(afterTurns(null).hasParts, false);
    const created = new ReviewedFile('/b.txt', null);
    agent(created, '1', lines());
    assert.deepEqual([created.hasParts, created.kind], [false, 'created']);
  });

  it('are distinguished: each has its own changes', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'two', 5: 'five', 6: 'six' }));
    assert.deepEqual(
      file.parts.map(({ turn: { runId }, added, removed }) => ({ runId, added, removed })),
      [
        { runId: '1', added: 1, removed: 1 },
        { runId: '2', added: 2, removed: 2 },
      ],
    );
    assert.equal(file.hunks.length, 2);
  });

  it('are one turn when consecutive changes have the same turn id', () => {
    const file = afterTurns(lines({ 2: 'two' }));
    agent(file, '1', lines({ 2: 'two', 5: 'five' }));
    assert.deepEqual(turnsOf(file), ['1']);
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines());
  });

  it('leave the earlier one when the later is undone, even at the same lines', () => {
    const file = afterTurns(lines({ 2: 'two', 5: 'five' }), lines({ 2: 'TWO', 8: 'eight' }));
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines({ 2: 'two', 5: 'five' }));
    assert.deepEqual(turnsOf(file), ['1']);
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines());
    assert.ok(file.settled);
  });

  it('leave the later one when the earlier is undone', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'two', 3: 'three', 8: 'eight' }));
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 3: 'three', 8: 'eight' }));
    assert.deepEqual(turnsOf(file), ['2']);
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines());
  });

  it('keep what the later one changed again, and report it', () => {
    const file = afterTurns(lines({ 2: 'two', 8: 'eight' }), lines({ 2: 'TWO', 8: 'eight' }));
    assert.equal(undo(file, '1'), true);
    assert.equal(file.text, lines({ 2: 'TWO' }));
    assert.deepEqual(turnsOf(file), ['1', '2']);
    assert.equal(undo(file, '1'), true);
    assert.equal(file.text, lines({ 2: 'TWO' }));
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines({ 2: 'two' }));
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines());
  });

  it('can be undone in the middle of three', () => {
    const file = afterTurns(
      lines({ 1: 'one' }),
      lines({ 1: 'one', 5: 'five', 7: 'seven' }),
      lines({ 1: 'one', 5: 'FIVE', 7: 'seven', 9: 'nine' }),
    );
    assert.equal(undo(file, '2'), true);
    assert.equal(file.text, lines({ 1: 'one', 5: 'FIVE', 9: 'nine' }));
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 5: 'FIVE', 9: 'nine' }));
    assert.equal(undo(file, '3'), false);
    assert.equal(file.text, lines({ 5: 'five' }));
  });

  it('can be undone anywhere, even if another turn came in between', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'two', 5: 'five' }));
    agent(file, '1', lines({ 2: 'two', 5: 'five', 8: 'eight' }));
    assert.deepEqual(turnsOf(file), ['1', '2']);
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 5: 'five' }));
  });

  it('never remove what the user wrote before, between or after them', () => {
    const file = afterTurns(lines({ 2: 'two' }));
    file.personChanged(lines({ 2: 'two', 4: 'mine' }));
    agent(file, '2', lines({ 2: 'two', 4: 'mine', 6: 'six' }));
    file.personChanged(lines({ 2: 'two', 4: 'mine', 6: 'six', 9: 'mine too' }));
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines({ 2: 'two', 4: 'mine', 9: 'mine too' }));
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 4: 'mine', 9: 'mine too' }));
    assert.ok(file.settled);
  });

  it('restore what the user had made of the earlier change', () => {
    const file = afterTurns(lines({ 2: 'two' }));
    file.personChanged(lines({ 2: 'two and mine' }));
    agent(file, '2', lines({ 2: 'TWO' }));
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines({ 2: 'two and mine' }));
  });

  it('can be kept one by one', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'two', 8: 'eight' }));
    file.keepTurn('2');
    assert.deepEqual(turnsOf(file), ['1']);
    assert.equal(file.hunks.length, 1);
    assert.equal(file.baseline.text, lines({ 8: 'eight' }));
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 8: 'eight' }));
    assert.ok(file.settled);
  });

  it('keep what was kept on top of the earlier one when that is undone', () => {
    const file = afterTurns(lines({ 2: 'two', 5: 'five' }), lines({ 2: 'TWO', 5: 'five' }));
    file.keepTurn('2');
    assert.deepEqual(turnsOf(file), ['1']);
    assert.equal(undo(file, '1'), true);
    assert.equal(file.text, lines({ 2: 'TWO' }));
    file.keepTurn('1');
    assert.ok(file.settled);
  });

  it('are open for review again if they continue after they were kept', () => {
    const file = afterTurns(lines({ 3: 'a', 4: 'a' }), lines({ 3: 'a', 4: 'b' }));
    file.keepTurn('2');
    assert.deepEqual(turnsOf(file), ['1']);
    agent(file, '2', lines({ 3: 'a', 4: 'b', 8: 'b' }));
    assert.deepEqual(
      file.parts.map(({ turn: { runId }, added, removed }) => [runId, added, removed]),
      [
        ['1', 2, 2],
        ['2', 1, 1],
      ],
    );
  });

  it('let the later one be undone after the earlier was kept', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'TWO', 8: 'eight' }));
    file.keepTurn('1');
    assert.deepEqual(turnsOf(file), ['2']);
    undo(file, '2');
    assert.equal(file.text, lines({ 2: 'two' }));
    assert.ok(file.settled);
  });

  it('are settled where a shared change was undone or kept on its own', () => {
    const [first, second] = [lines({ 2: 'two' }), lines({ 2: 'TWO', 8: 'eight' })];
    const undone = afterTurns(first, second);
    undone.personChanged(undone.undoHunks(keys(undone).slice(0, 1)).text);
    assert.equal(undone.text, lines({ 8: 'eight' }));
    assert.deepEqual(turnsOf(undone), ['2']);
    undo(undone, '2');
    assert.equal(undone.text, lines());

    const kept = afterTurns(first, second);
    kept.keep(keys(kept).slice(0, 1));
    assert.deepEqual(turnsOf(kept), ['2']);
    undo(kept, '2');
    assert.equal(kept.text, lines({ 2: 'TWO' }));
  });

  it('are gone when the user restores the file’s state before them', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 2: 'TWO' }), lines({ 2: 'zwei' }));
    file.personChanged(lines({ 2: 'two', 5: 'mine' }));
    assert.deepEqual(turnsOf(file), ['1']);
    undo(file, '1');
    assert.equal(file.text, lines({ 5: 'mine' }));
  });

  it('are restored by the editor’s undo, each with its changes', () => {
    const both = lines({ 2: 'TWO', 8: 'eight' });
    const file = afterTurns(lines({ 2: 'two' }), both);
    undo(file, '2');
    file.personChanged(both, true);
    assert.deepEqual(turnsOf(file), ['1', '2']);
    undo(file, '2');
    assert.equal(file.text, lines({ 2: 'two' }));
  });

  it('stay after an undo that did not happen, even if the file later reads the same', () => {
    const file = afterTurns(lines({ 2: 'two', 8: 'eight' }));
    const [first] = file.hunks;
    file.undoHunks([first?.key ?? assert.fail()]);
    agent(file, '2', lines({ 8: 'eight' }));
    file.personChanged(lines({ 5: 'five', 8: 'eight' }));
    file.personChanged(lines({ 8: 'eight' }));
    assert.deepEqual(turnsOf(file), ['1', '2']);
  });

  it('leave nothing to review when the later one reverts the earlier', () => {
    assert.ok(afterTurns(lines({ 2: 'two' }), lines()).settled);
  });

  it('are gone, too, when their changes are no longer there', () => {
    const file = afterTurns(lines({ 2: 'two' }), lines({ 8: 'eight' }));
    assert.deepEqual(turnsOf(file), ['1', '2']);
    assert.equal(undo(file, '1'), false);
    assert.equal(file.text, lines({ 8: 'eight' }));
    assert.deepEqual(turnsOf(file), ['2']);
    undo(file, '2');
    assert.equal(file.text, lines());
  });

  it('restore a removed file as the earlier one made it', () => {
    const file = afterTurns(lines({ 2: 'two' }), null);
    assert.equal(file.withoutTurn('1').left, true);
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, lines({ 2: 'two' }));
    assert.deepEqual(turnsOf(file), ['1']);
  });

  it('cannot undo the creation of a file that the later one changed', () => {
    const file = new ReviewedFile('/new.txt', null);
    agent(file, '1', 'a\nb\n');
    agent(file, '2', 'a\nB\n');
    assert.deepEqual(
      file.parts.map(({ kind, added, removed }) => ({ kind, added, removed })),
      [
        { kind: 'created', added: 2, removed: 0 },
        { kind: 'changed', added: 1, removed: 1 },
      ],
    );
    assert.equal(undo(file, '1'), true);
    assert.equal(file.text, 'a\nB\n');
    assert.equal(undo(file, '2'), false);
    assert.equal(file.text, 'a\nb\n');
    assert.equal(file.withoutTurn('1').content.exists, false);
  });

  it('are distinguished however many there are', () => {
    const random = seededRandom(3);
    const texts: string[] = [];
    for (let index = 1; index <= 200; index++) {
      texts.push(`${someEdit(texts.at(-1) ?? lines(), random, `${index}`)}line ${index}\n`);
    }
    const file = afterTurns(...texts);
    assert.equal(turnsOf(file).length, 200);
    undo(file, '200');
    assert.equal(file.text, texts.at(-2));
    for (const runId of turnsOf(file).toReversed()) assert.equal(undo(file, runId), false);
    assert.equal(file.text, lines());
  });

  it('keep typing fast with a hundred of them in a file of five thousand lines', () => {
    const file = afterHundredTurns();
    const typed = 20;
    const start = process.cpuUsage();
    for (let index = 0; index < typed; index++) {
      const all = (file.text ?? '').split('\n');
      all[2000 + index] = `mine ${index}`;
      file.personChanged(all.join('\n'));
      assert.equal(file.parts.length, 100);
      assert.ok(!file.settled);
    }
    const { user, system } = process.cpuUsage(start);
    // A current machine needs a tenth of this; comparing whole files takes a hundred times as long.
    const milliseconds = (user + system) / 1000 / typed;
    assert.ok(milliseconds < 300, `${milliseconds} ms for a key`);
  });

  it('stay separate from what the user types between them, however often', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 100; round++) {
      const file = new ReviewedFile('/a.txt', lines());
      for (let index = 1; index <= 8; index++) {
        agent(file, `${index}`, someEdit(file.text ?? '', random, `${index}`));
        file.personChanged(someEdit(file.text ?? '', random, `mine${index}`));
        assertSameAfterReload(file, `round ${round}`);
      }
      const { text } = file;
      for (const runId of turnsOf(file).toReversed()) file.keepTurn(runId);
      assert.ok(file.settled, `round ${round}`);
      assert.equal(file.text, text);
    }
  });

  it('restore the original file in whatever order they are undone', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 300; round++) {
      const { file, order } = afterSomeTurns(random);
      for (const runId of order) undo(file, runId);
      // What had to stay was below other turns. From the top down, everything can be undone.
      for (const runId of turnsOf(file).toReversed()) assert.equal(undo(file, runId), false, `round ${round}`);
      assert.equal(file.text, lines(), `round ${round}`);
    }
  });

  it('are settled in whatever order they are kept', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 300; round++) {
      const { file, order } = afterSomeTurns(random);
      const { text } = file;
      for (const runId of order) file.keepTurn(runId);
      assert.ok(file.settled, `round ${round}`);
      assert.equal(file.text, text);
    }
  });
});
