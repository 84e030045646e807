import assert from 'node:assert/strict';
import { readYaml, yamlReady } from '../../../src/engine';

const LEVELS = 20_000;

async function read(text: string) {
  await yamlReady(text);
  return readYaml(text, { path: '/a.yaml' });
}

describe('Deeply nested YAML', () => {
  const texts = {
    lists: `a: ${'['.repeat(LEVELS)}`,
    maps: `a: ${'{b: '.repeat(LEVELS)}`,
    'lists after ends of lists': `a: ${']'.repeat(LEVELS)}\nb: ${'['.repeat(LEVELS)}`,
    'lists on one line': '- '.repeat(LEVELS),
    'keys on one line': '? '.repeat(LEVELS),
    indentation: Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  };
  for (const [what, text] of Object.entries(texts)) {
    it(`is reported as a problem and does not crash Cairn: ${what}`, async () => {
      const { data, problems } = await read(text);
      assert.equal(data, undefined);
      assert.match(problems.map(({ message }) => message).join(), /nested too deeply/);
    });
  }

  it('is also reported where only its aliases nest it', async () => {
    const nested = (inner: string) => `${'['.repeat(400)}${inner}${']'.repeat(400)}`;
    const chain = [
      'a0: &a0 []',
      ...Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} ${nested(`*a${at}`)}`),
    ];
    const { data, problems } = await read(chain.join('\n'));
    assert.equal(data, undefined);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['The aliases here nest values more than 1,000 levels deep. Write fewer of them. Correct the YAML here.'],
    );
    const { data: flat } = await read(chain.slice(0, 3).join('\n'));
    assert.equal(JSON.stringify(flat).split('[').length, 1 + 1 + 401 + 801);
  });

  it('is not confused with a text that contains many brackets', async () => {
    const log = '[31m{'.repeat(5000);
    assert.deepEqual((await read(`a: |\n  ${log}\nb: "${log}"\n`)).data, { a: `${log}\n`, b: log });
  });
});

describe('The errors of a YAML file', () => {
  it('are limited in number', async () => {
    const { data, problems } = await read(`a: ${']'.repeat(LEVELS)}`);
    assert.equal(data, undefined);
    assert.equal(problems.length, 100);
    assert.match(problems[0]?.message ?? '', /Unexpected flow-seq-end/);
  });
});

describe('The aliases of a YAML file', () => {
  it('are limited in number, at the first one too many', async () => {
    const several = (count: number) => `one: &one x\nall:\n${'- *one\n'.repeat(count)}`;
    assert.deepEqual((await read(several(100))).problems, []);
    const { data, problems } = await read(several(5001));
    assert.equal(data, undefined);
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
      ['5003:3 There are more than 5,000 aliases; write fewer of them. Correct the YAML here.'],
    );
  });
});

describe('The keys of a YAML map', () => {
  for (const [one, other] of [
    ['1', '"1"'],
    ['1.0', '1'],
    ['0x10', '"16"'],
    ['true', '"true"'],
    ['null', '""'],
  ] as const)
    it(`are duplicates if only their form differs: ${one} and ${other}`, async () => {
      const { data, problems } = await read(`${one}: a\n${other}: b\n`);
      assert.equal(data, undefined);
      assert.deepEqual(
        problems.map(({ line, message }) => `${line}: ${message}`),
        ['2: Map keys must be unique. Correct the YAML here.'],
      );
    });

  it('have a position even where they are not text', async () => {
    const source = await read('a: 1\nnull: { b: 2 }\n');
    assert.deepEqual(source.position(['', 'b']), { line: 2, column: 12 });
  });
});
