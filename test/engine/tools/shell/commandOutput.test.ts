import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import { CommandOutput } from '../../../../src/engine/tools/shell/commandOutput';

describe('The file with a long output of a command', () => {
  /** An output whose file writes only when it is let. */
  function slowOutput() {
    let saved = '';
    const gate = new Deferred<void>();
    const append = async (text: string) => {
      await gate.promise;
      saved += text;
    };
    const output = new CommandOutput(() => Promise.resolve({ path: '/outputs/1.txt', append }));
    return { output, write: () => gate.resolve(), saved: () => saved };
  }
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

  it('contains what arrives while it is being written, before it is named', async () => {
    const { output, write, saved } = slowOutput();
    const [first, second] = [lines(4000), lines(3000)];
    output.add(first);
    await new Promise(setImmediate);
    output.add(second);
    const taken = output.take();
    write();
    const { note, path } = await taken;
    assert.equal(path, '/outputs/1.txt');
    assert.ok(note.includes(`The whole output (${first.length + second.length} characters) is in /outputs/1.txt.`));
    assert.equal(saved(), first + second);
  });

  it('is said to be incomplete when it could not be written', async () => {
    const append = () => Promise.reject(new Error('the disk is full'));
    const output = new CommandOutput(() => Promise.resolve({ path: '/outputs/1.txt', append }));
    output.add(lines(4000));
    const { note } = await output.take();
    assert.match(note, /is in \/outputs\/1\.txt, but not all of its \d+ characters: the disk is full$/);
  });

  it('is not missed when it could not be created', async () => {
    const output = new CommandOutput(() => Promise.reject(new Error('there is no folder')));
    output.add(lines(4000));
    const { text, note, path } = await output.take();
    assert.deepEqual([path, note.trim()], [null, 'The whole output could not be saved: there is no folder']);
    assert.match(text, /characters left out/);
  });
});
