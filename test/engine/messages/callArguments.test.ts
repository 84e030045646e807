import assert from 'node:assert/strict';
import { callArguments } from '../../../src/engine/messages/callArguments';
import { variedCalls } from '../../support/variedCalls';

const read = (text: string) => callArguments({ arguments: text });

/** The same value as written by models that do not know JSON well. */
const DIALECTS: Readonly<Record<string, (json: string) => string>> = {
  'unquoted names': (json) => json.replace(/"(\w+)":/g, '$1:'),
  'a trailing comma': (json) => json.replace(/\}$/, ',}'),
  'line breaks in a string': (json) => json.replaceAll('\\n', '\n'),
  'a code fence around them': (json) => `\`\`\`json\n${json}\n\`\`\``,
  'JSON nested in a string': (json) => JSON.stringify(json),
  'a list of one around them': (json) => `[${json}]`,
  'Python literals': (json) => json.replace(/: ?null/g, ':None').replace(/: ?true/g, ':True'),
};

describe('The arguments of a call', () => {
  for (const [slip, write] of Object.entries(DIALECTS)) {
    it(`are parsed with ${slip}, and never when they are truncated`, () => {
      let readable = 0;
      for (const { arguments: wanted } of variedCalls(120, 5)) {
        const text = write(JSON.stringify(wanted));
        const whole = read(text);
        if (whole.ok) readable++;
        for (let end = 1; end < text.length; end++) {
          const part = read(text.slice(0, end));
          // Before a fence is closed, the whole object may already be there.
          if (part.ok) assert.deepEqual(part, whole, text.slice(0, end));
        }
      }
      assert.ok(readable > 40, `${readable} were read`);
    });
  }

  for (const doubtful of [
    '{"command":"echo "a" && rm -rf "b" c"}',
    '{"contents":"say "hi" there"}',
    '{"command": rm -rf build}',
    "{'command': 'echo it's'}",
    '{"todos":["a", "b", ...]}',
    '{"path":"a" "contents":"b"}',
    '{"path":"a","contents":["x"}',
    '{"path":"a"',
    'the file please',
    '[{"path":"a"}',
  ]) {
    it(`are not guessed: ${doubtful}`, () => assert.equal(read(doubtful).ok, false));
  }

  it('are rejected when nested 100,000 deep, but not for brackets inside a text', () => {
    const deep = `{"todos":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const refused = read(deep);
    assert.ok(!refused.ok && refused.problem === 'deep', JSON.stringify(refused));
    assert.equal(read(JSON.stringify({ contents: '['.repeat(100_000) })).ok, true);
  });

  it('are rejected without a crash when large and malformed', () => {
    const text = `{"contents": "${'x\\n'.repeat(4_000_000)}`;
    assert.equal(read(text).ok, false);
    assert.equal(read(`${text}" "}`).ok, false);
  });
});
