import assert from 'node:assert/strict';
import { judgeSuite } from './judgeSuite';
import { totalOf } from './totalOf';

const suite = (passed: number, failed: number, ...skipped: string[]) => ({ name: 'unit', passed, failed, skipped });

describe('A skipped test', () => {
  it('counts as failed on Linux, is named, and stands on the last line', () => {
    const printed: string[] = [];
    const rules = { isChosen: false, print: (line: string) => void printed.push(line) };
    const result = judgeSuite(suite(5, 1, 'reads as root', 'finds rg'), { ...rules, platform: 'linux' });
    assert.deepEqual(totalOf([suite(2, 0), result]), { line: '7 passed, 3 failed, 2 skipped', exitCode: 1 });
    assert.match(printed.join('\n'), /skipped, though .*Linux:\n {4}reads as root\n {4}finds rg$/);
  });

  it('is only counted where not everything can be tested', () => {
    const printed: string[] = [];
    const rules = { isChosen: false, print: (line: string) => void printed.push(line) };
    const result = judgeSuite(suite(5, 0, 'reads as root'), { ...rules, platform: 'darwin' });
    assert.deepEqual(totalOf([result]), { line: '5 passed, 0 failed, 1 skipped', exitCode: 0 });
    assert.deepEqual(printed, []);
  });
});

describe('A suite without a test', () => {
  it('failed, unless only some tests were asked for', () => {
    const judge = (isChosen: boolean) =>
      judgeSuite(suite(0, 0), { platform: 'linux', isChosen, print: () => undefined }).failed;
    assert.deepEqual([judge(false), judge(true)], [1, 0]);
  });

  it('makes nothing green when there is no other', () => {
    assert.equal(totalOf([suite(0, 0)]).exitCode, 1);
    assert.equal(totalOf([suite(1, 0), suite(0, 0)]).exitCode, 0);
  });
});
