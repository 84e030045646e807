import assert from 'node:assert/strict';
import { judgeSuite } from './judgeSuite';
import { totalOf } from './totalOf';

const suite = (passed: number, failed: number, ...skipped: string[]) => ({ name: 'unit', passed, failed, skipped });

describe('A skipped test', () => {
  it('counts as failed on Linux, and is named at the end of the output', () => {
    const printed: string[] = [];
    const rules = { isChosen: false, print: (line: string) => void printed.push(line) };
    const result = judgeSuite(suite(5, 1, 'reads as root', 'finds rg'), { ...rules, platform: 'linux' });
    assert.deepEqual(totalOf([suite(2, 0), result]), { line: '7 passed, 3 failed, 2 skipped', exitCode: 1 });
    assert.match(printed.join('\n'), /skipped, though .*Linux:\n {4}reads as root\n {4}finds rg$/);
  });

  it('is only counted where some tests cannot run', () => {
    const printed: string[] = [];
    const rules = { isChosen: false, print: (line: string) => void printed.push(line) };
    const result = judgeSuite(suite(5, 0, 'reads as root'), { ...rules, platform: 'darwin' });
    assert.deepEqual(totalOf([result]), { line: '5 passed, 0 failed, 1 skipped', exitCode: 0 });
    assert.deepEqual(printed, []);
  });
});

describe('A suite without tests', () => {
  it('fails unless only some tests were selected', () => {
    const judge = (isChosen: boolean) =>
      judgeSuite(suite(0, 0), { platform: 'linux', isChosen, print: () => undefined }).failed;
    assert.deepEqual([judge(false), judge(true)], [1, 0]);
  });

  it('does not pass on its own', () => {
    assert.equal(totalOf([suite(0, 0)]).exitCode, 1);
    assert.equal(totalOf([suite(1, 0), suite(0, 0)]).exitCode, 0);
  });
});
