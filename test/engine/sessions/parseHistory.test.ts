import assert from 'node:assert/strict';
import { userMessage } from '../../../src/engine/messages/message';
import { parseHistory } from '../../../src/engine/sessions/parseHistory';
import type { SessionEntry } from '../../../src/engine/sessions/sessionEntry';
import { seededRandom } from '../../support/seededRandom';
import { fuzzSize } from '../../support/fuzzSize';

const entries: SessionEntry[] = [
  { type: 'run-started', time: 1, runId: 'r', model: 'openai:m' },
  { type: 'message', message: userMessage('naïve “quotes” \\n \u2028 end', 2, false) },
  { type: 'todos', time: 3, items: [{ id: 1, text: 'x', done: false }] },
  { type: 'tool-started', time: 4, callId: 'c' },
  { type: 'run-finished', time: 5, runId: 'r', outcome: { kind: 'completed', answer: 'done' }, durationMs: 4 },
];
const whole = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

describe('The session history', () => {
  it('reads back what was written', () => {
    assert.deepEqual(parseHistory(whole, 'h'), { entries, problems: [], repaired: undefined });
  });

  it('accepts a complete last line without a line break', () => {
    const { entries: read, problems, repaired } = parseHistory(whole.trimEnd(), 'h');
    assert.deepEqual([read, problems, repaired], [entries, [], whole]);
  });

  it('reports each invalid line in a one-line sentence, and skips empty ones', () => {
    const [first = '', ...rest] = whole.split('\n');
    const cut = '{"type":"run-st';
    const damaged = [first, '', '{"type":"todos","time":"late","items":0}', '  ', ...rest.slice(0, -1), cut].join('\n');
    const { entries: read, problems, repaired } = parseHistory(damaged, 'h');
    assert.deepEqual([read, repaired], [entries, damaged.slice(0, -cut.length)]);
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /^h:3: not a session entry, left out \([^\n]*time[^\n]* [^\n]*items[^\n]*\)\.$/);
    assert.match(problems[1] ?? '', /^h:9: the last line was cut off while it was written; it was removed\.$/);
  });

  it('gives each call its own id in linear time, even if a vendor used one id in every answer', () => {
    const calls = ['c', 'c_again3', ...Array.from({ length: 20_000 }, () => 'c')];
    const lines = calls.map((id) => {
      const call = { id, name: 'fs_ls', arguments: '{}' };
      const by = { role: 'assistant', id: 'm', time: 1, agent: 'a', model: 'openai:m', finish: 'tool-calls' };
      return JSON.stringify({ type: 'message', message: { ...by, parts: [{ type: 'tool-call', call }] } });
    });
    const { entries: read, problems } = parseHistory(`${lines.join('\n')}\n`, 'h');
    assert.deepEqual(problems.slice(0, 1), []);
    const ids = read.flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'assistant'
        ? entry.message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call.id] : []))
        : [],
    );
    assert.deepEqual(ids.slice(0, 5), ['c', 'c_again3', 'c_again2', 'c_again4', 'c_again5']);
    assert.equal(new Set(ids).size, calls.length);
  });

  it('leaves out a copy of a file whose name leads out of the session', () => {
    const copy = (before: string) =>
      `${JSON.stringify({ type: 'file-changed', time: 1, path: '/w/a.txt', before, after: null })}\n`;
    const names = ['../../../etc/passwd', '..', '/etc/passwd', 'a/../../b', '..\\..\\b', 'C:x', '', '.hidden', 'a\0b'];
    for (const name of names) {
      const { entries: read, problems } = parseHistory(copy(name), 'h');
      assert.deepEqual(read, [], name);
      assert.match(problems.join(), /^h:1: not a session entry, left out \(.*the name of a file, not a path/);
    }
    assert.equal(parseHistory(copy('before_mf3k2a1x0001f3a9'), 'h').entries.length, 1);
  });

  it('never fails on damaged input, and reads every complete line', () => {
    const random = seededRandom(7);
    const noise = ['{', '}', '"', '\n', '\\', '\0', 'ÿ', '[]', 'null', '{"type":"message"}\n'];
    for (let round = 0; round < fuzzSize(20_000); round++) {
      const at = Math.floor(random() * whole.length);
      const cut = Math.floor(random() * 12);
      const put = noise[Math.floor(random() * noise.length)] ?? '';
      const damaged = whole.slice(0, at) + put + whole.slice(at + cut);
      const { entries: read, problems } = parseHistory(damaged, 'h');
      const untouched = new Set(damaged.split('\n').slice(0, -1));
      const wholeLines = entries.filter((entry) => untouched.has(JSON.stringify(entry)));
      assert.ok(
        wholeLines.every((entry) => read.some((one) => JSON.stringify(one) === JSON.stringify(entry))),
        damaged,
      );
      for (const problem of problems) assert.match(problem, /^h:\d+: /);
    }
  });
});
