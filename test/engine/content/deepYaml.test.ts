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

  it('is not confused with a text that contains many brackets', async () => {
    const log = '[31m{'.repeat(5000);
    assert.deepEqual((await read(`a: |\n  ${log}\nb: "${log}"\n`)).data, { a: `${log}\n`, b: log });
  });
});
