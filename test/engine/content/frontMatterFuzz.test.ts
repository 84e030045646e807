import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { splitFrontMatter } from '../../../src/base/frontMatter';
import { quoteColonValues } from '../../../src/engine/content/yamlSource';
import { readYaml, yamlReady } from '../../../src/engine/content/yamlSource';
import { fuzzSize } from '../../support/fuzzSize';

const PIECES = [
  ...[
    '---',
    '----',
    '--- ',
    '...',
    'name: a',
    'description: a: b',
    'model: x/y:z',
    'a: "b: c"',
    "a: 'b: c'",
    'a: |',
    'a: >-',
  ],
  ...[
    '  b: c',
    '  text: more',
    'a: {b: c}',
    'a: [b, c: d]',
    '# a: b: c',
    'a: b # c: d',
    '- a: b',
    'a:',
    'a: &x b',
    'c: *x',
  ],
  ...[
    '\t',
    '',
    ' ',
    '"',
    "'",
    ': :',
    '? a',
    '!!str a: b',
    'a: %b',
    'a: @b',
    '\u0000',
    'ä: ö: ü',
    '| a | b |',
    '|---|---|',
  ],
];

const CHARACTERS = Array.from('aZ09_-.: :  \t#\'"|>{}[]&*!%@`,?ä漢\u2028');

/** Lines whose meaning is unambiguous whatever text they contain. */
const SAFE_FORMS: readonly ((text: string) => string)[] = [
  (text) => `key: "${text}: x"`,
  (text) => `key: '${text}: x'`,
  (text) => `key: |- ${text}: x`,
  (text) => `key: > ${text}: x`,
  (text) => `key: {${text}: x}`,
  (text) => `key: [${text}: x]`,
  (text) => `# ${text}: x: y`,
  (text) => `  nested: ${text}: x`,
  (text) => `- ${text}: x`,
  (text) => `key: &anchor ${text}: x`,
  (text) => `key: !tag ${text}: x`,
  () => 'key: provider/model:tag',
  () => 'key:',
];

/** A seeded pseudorandom generator, so that failures can be reproduced. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function inputs(count: number): string[] {
  const next = numbers(42);
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: 1 + next(6) }, () => PIECES[next(PIECES.length)] ?? '');
    return lines.join(next(8) === 0 ? '\r\n' : '\n');
  });
}

describe('The front matter parser', () => {
  before(() => yamlReady('any: text'));

  it('loses no line of any input and recognizes front matter only at the start', () => {
    for (const text of inputs(fuzzSize(100_000))) {
      const { head, body, headLine, bodyLine } = splitFrontMatter(text);
      const lines = text.replace(/\r\n?/g, '\n').split('\n');
      if (head === null) assert.equal(body, lines.join('\n'));
      else {
        assert.match(lines[0] ?? '', /^---[ \t]*$/);
        assert.equal(headLine, 2);
        assert.deepEqual([...(head === '' && bodyLine === 3 ? [] : head.split('\n'))], lines.slice(1, bodyLine - 2));
        assert.equal(body, lines.slice(bodyLine - 1).join('\n'));
      }
    }
  });

  it('changes nothing in quoted, block, flow, comment and nested forms', () => {
    const next = numbers(7);
    const text = () => Array.from({ length: next(12) }, () => CHARACTERS[next(CHARACTERS.length)] ?? '').join('');
    for (let count = 0; count < fuzzSize(100_000); count++) {
      const lines = Array.from({ length: 1 + next(5) }, () => (SAFE_FORMS[next(SAFE_FORMS.length)] ?? text)(text()));
      const head = lines.join('\n');
      assert.equal(quoteColonValues(head), head);
    }
  });

  it('reads valid YAML as YAML does, and never crashes', () => {
    for (const text of inputs(fuzzSize(20_000))) {
      const { data, problems } = readYaml(text, { path: 'a.md', lenient: true });
      const strict = valueOf(text);
      if (strict.ok) assert.deepEqual(data ?? null, strict.value ?? null, JSON.stringify(text));
      else assert.ok(problems.length > 0 || quoteColonValues(text) !== text, JSON.stringify(text));
    }
  });
});

function valueOf(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: parse(text, { maxAliasCount: 100, logLevel: 'error' }) as unknown };
  } catch {
    return { ok: false };
  }
}
