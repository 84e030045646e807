import assert from 'node:assert/strict';
import { codeOfReply } from '../../../src/engine/runtime/editSelection';

const whole = (reply: string, part = 'old') => codeOfReply(reply, part, false);
const open = (reply: string, part = 'old') => codeOfReply(reply, part, true);

describe('The code of an answer', () => {
  it('excludes the surrounding fence and any text around it', () => {
    assert.deepEqual(whole('```ts\na\n\nb\n```\n'), ['a', '', 'b']);
    assert.deepEqual(whole('Here it is:\n\n~~~\na\n~~~\nAnything else?'), ['a']);
    assert.deepEqual(whole('\n\na\r\nb\n'), ['a', 'b']);
    assert.deepEqual(whole('```ts\na'), ['a'], 'a fence that is not closed');
    assert.deepEqual(whole('````md\n```sh\nls\n```\n````'), ['```sh', 'ls', '```']);
    assert.deepEqual(whole('```\na\n```\nOr:\n```\nb\n```'), ['a'], 'the first of two');
  });

  it('keeps fences inside the selection itself', () => {
    const part = '# Title\n\n```sh\nls\n```';
    assert.deepEqual(whole('# Other\n\n```sh\nls -a\n```', part), ['# Other', '', '```sh', 'ls -a', '```']);
    assert.deepEqual(whole('````md\n# Other\n\n```sh\nls\n```\n````', part), ['# Other', '', '```sh', 'ls', '```']);
    assert.deepEqual(whole('```sh\nls -a\n```', '```sh\nls\n```'), ['```sh', 'ls -a', '```']);
    assert.deepEqual(whole('```sh\nls\n```\n# Other', part), ['```sh', 'ls', '```', '# Other']);
  });

  it('is empty for an empty fence, which means that everything is deleted', () => {
    assert.deepEqual(whole('```\n```'), []);
  });

  it('shows no part of a fence while streaming', () => {
    const reply = '```ts\na\nb\n```';
    const shown = Array.from({ length: reply.length }, (_, length) => open(reply.slice(0, length)).join('|'));
    assert.deepEqual([...new Set(shown)], ['', 'a', 'a|b']);
  });

  it('gets the selection’s indentation where models omit it from the first line or from all', () => {
    const part = '    if (a) {\n      b();\n    }';
    const wanted = ['    if (c) {', '      b();', '    }'];
    assert.deepEqual(whole('if (c) {\n      b();\n    }', part), wanted);
    assert.deepEqual(whole('if (c) {\n  b();\n}', part), wanted);
    assert.deepEqual(whole(wanted.join('\n'), part), wanted);
    const python = '    def a():\n        pass';
    assert.deepEqual(whole('def b():\n    pass', python), ['    def b():', '        pass']);
    assert.deepEqual(whole('def b():\n        pass', python), ['    def b():', '        pass']);
    assert.deepEqual(whole('b()', '\ta()'), ['\tb()']);
  });
});
