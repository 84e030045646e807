import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { isRecord } from '../../../src/base/isRecord';
import { readYaml, yamlReady } from '../../../src/engine/content/yamlSource';
import { fuzzSize } from '../../support/fuzzSize';
import { seededRandom } from '../../support/seededRandom';

const read = (text: string) => readYaml(text, { path: '/a.yaml' });

/** Returns a document of maps, each of which may merge earlier ones, singly or as a list. */
function randomMerges(random: () => number): string {
  const pick = (most: number) => Math.floor(random() * most);
  const lines: string[] = [];
  for (let at = 0; at < 2 + pick(6); at++) {
    lines.push(`m${at}: &a${at}`);
    const own = new Map(Array.from({ length: pick(4) }, () => [`k${pick(6)}`, pick(100)]));
    const before = [...own].map(([key, value]) => `  ${key}: ${value}`);
    const sources = Array.from({ length: pick(3) }, () => `*a${pick(at)}`);
    if (at > 0 && sources.length > 0) {
      const merged = sources.length === 1 ? sources[0] : `[${sources.join(', ')}, { k${pick(6)}: inline }]`;
      before.splice(pick(before.length + 1), 0, `  <<: ${merged}`);
    }
    lines.push(...(before.length > 0 ? before : ['  none: 1']));
    if (pick(2) === 0) lines.push(`  inner: { ${at > 0 ? `<<: *a${pick(at)}, ` : ''}own: ${at} }`);
  }
  return `${lines.join('\n')}\n`;
}

describe('The merge keys of YAML', () => {
  before(() => yamlReady('a: 1'));

  it('give what the YAML library gives, in random documents', () => {
    const random = seededRandom(14);
    for (let at = 0; at < fuzzSize(2000); at++) {
      const text = randomMerges(random);
      const { data, problems } = read(text);
      assert.deepEqual([data, problems], [parse(text, { merge: true, maxAliasCount: -1 }), []], text);
    }
  });

  it('have the place of what they add where it is written', () => {
    const text =
      'one: &one\n  a: 1\n  b: { c: 2 }\ntwo: &two\n  b: 3\nall:\n  <<: [*two, *one]\n  d: 4\nflow: { <<: { e: 5 } }\n';
    const source = read(text);
    const at = (where: readonly PropertyKey[], part?: 'key' | 'value') => source.position(where, part);
    assert.deepEqual(source.data, {
      one: { a: 1, b: { c: 2 } },
      two: { b: 3 },
      all: { b: 3, a: 1, d: 4 },
      flow: { e: 5 },
    });
    assert.deepEqual(at(['all', 'a']), { line: 2, column: 6 });
    assert.deepEqual(at(['all', 'b'], 'key'), { line: 5, column: 3 });
    assert.deepEqual(at(['all', 'd'], 'key'), { line: 8, column: 3 });
    assert.deepEqual(source.wordAt?.(['flow', 'e'], 'value')?.start, { line: 9, column: 18 });
    assert.deepEqual(at(['all', 'none']), at(['all']));
  });

  it('remain ordinary keys with a value that is not a map, and may be written once in a map', () => {
    assert.deepEqual(read('a: { <<: 1 }\nb: { <<: [{}, x] }\n').data, { a: { '<<': 1 }, b: { '<<': [{}, 'x'] } });
    const [problem] = read('a: &a { b: 1 }\nc: { <<: *a, <<: *a }\n').problems;
    assert.match(problem?.message ?? '', /merge several maps with one list, such as <<: \[\*one, \*other\]/);
  });

  it('never lose a key with a special meaning in JavaScript', () => {
    const { data } = read('a: &a { __proto__: { b: 1 } }\nc: { <<: *a }\n');
    const merged = isRecord(data) ? data['c'] : undefined;
    assert.deepEqual(isRecord(merged) && Object.keys(merged), ['__proto__']);
  });

  for (const [what, text, says] of [
    ['refer to themselves', 'a: &a\n  b: 1\n  <<: *a\n', /nest values more than 1,000 levels deep/],
    ['refer to nothing', 'a: { <<: *b }\n', /alias.*b/i],
    [
      'multiply values',
      `a: &a { ${keys(50_000)} }\n${several(40, (at) => `m${at}: { <<: *a }\n`)}`,
      /more than 1,000,000/,
    ],
    [
      'add the same values at each of many levels',
      `a: ${'{ <<: '.repeat(200)}{ ${keys(6000)} }${' }'.repeat(200)}\n`,
      /The merge keys here add more than 1,000,000 values/,
    ],
    [
      'double at each level',
      `a: &a0 { k: [1] }\n${several(40, (at) => `m${at}: &a${at + 1} { l: { <<: *a${at} }, r: { <<: *a${at} } }\n`)}`,
      /more than 1,000,000/,
    ],
  ] as const) {
    it(`are limited where they ${what}`, () => {
      const { data, problems } = read(text);
      assert.equal(data, undefined);
      assert.match(problems[0]?.message ?? '', says);
    });
  }

  it('are followed through a long chain', () => {
    const text = `a: &a0 { k: 1 }\n${several(400, (at) => `m${at}: &a${at + 1} { <<: *a${at} }\n`)}`;
    const source = read(text);
    assert.deepEqual(source.problems, []);
    assert.deepEqual(isRecord(source.data) && source.data['m399'], { k: 1 });
    assert.deepEqual(source.position(['m399', 'k']), { line: 1, column: 13 });
    assert.equal(source.position(['m399', 'none']).line, 401);
  });
});

function several(count: number, text: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join('');
}

function keys(count: number): string {
  return several(count, (at) => `k${at}: 1, `);
}
