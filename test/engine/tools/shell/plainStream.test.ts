import assert from 'node:assert/strict';
import { plainOutput, PlainStream } from '../../../../src/engine/tools/shell/commandOutput';

describe('PlainStream', () => {
  it('returns the same wherever the output is split', () => {
    const raw = 'a\x1b[31mred\x1b[0m\r\n 1%\r 50%\r\x1b]0;title\x07100%\r\ndone\r\nlast \x1b[1mline\r';
    const whole = plainOutput(raw);
    for (let first = 0; first <= raw.length; first++) {
      for (let second = first; second <= raw.length; second++) {
        const stream = new PlainStream();
        const parts = [raw.slice(0, first), raw.slice(first, second), raw.slice(second)];
        assert.equal(parts.map((part) => stream.push(part)).join('') + stream.end(), whole, `${first} ${second}`);
      }
    }
  });

  it('needs little memory for an endless line', () => {
    const stream = new PlainStream();
    let length = 0;
    for (let count = 0; count < 200; count++) length += stream.push('x'.repeat(10_000)).length;
    assert.equal(length + stream.end().length, 2_000_000);
    const progress = new PlainStream();
    for (let count = 0; count < 50_000; count++) assert.equal(progress.push(`\rstep ${count} of many`), '');
    assert.equal(progress.end(), 'step 49999 of many');
  });
});
