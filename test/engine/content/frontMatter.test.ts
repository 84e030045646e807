import assert from 'node:assert/strict';
import { splitFrontMatter } from '../../../src/base/frontMatter';
import { foreignFrontMatter } from '../../../src/engine/content/foreignFrontMatter';
import { quoteColonValues } from '../../../src/engine/content/yamlSource';
import { readYaml, yamlReady } from '../../../src/engine/content/yamlSource';

describe('Front matter', () => {
  it('is recognized only at the start of a file, and later rules and tables stay in the text (D-2)', () => {
    const body = 'You are careful.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\nMore.\n\n---\n';
    assert.equal(splitFrontMatter(body).head, null);
    assert.equal(splitFrontMatter(body).body, body);
    assert.equal(splitFrontMatter(`---\nname: a\n---\n${body}`).body, body);
  });

  it('may have any line endings and a byte order mark', () => {
    const split = splitFrontMatter('\uFEFF---\r\nname: a\r\nmode: all\r\n---\r\nOne\r\nTwo\r\n');
    assert.deepEqual([split.head, split.body, split.bodyLine], ['name: a\nmode: all', 'One\nTwo\n', 5]);
  });

  it('is reported when unclosed, and nothing is lost', () => {
    const split = splitFrontMatter('---\nname: a\nYou are.\n');
    assert.deepEqual([split.head, split.unclosed, split.body], [null, true, '---\nname: a\nYou are.\n']);
  });

  it('may be empty', () => {
    assert.deepEqual([splitFrontMatter('---\n---\nHi').head, splitFrontMatter('---\n---\nHi').body], ['', 'Hi']);
  });
});

describe('Front matter for another tool', () => {
  it('may follow blank lines and comments', () => {
    const split = foreignFrontMatter('\n<!-- Generated.\nDo not edit. -->\n\n---\nname: a\n---\nHi');
    assert.deepEqual([split.head, split.headLine, split.body, split.bodyLine], ['name: a', 6, 'Hi', 8]);
  });

  it('may be in a code block that encloses the whole file', () => {
    const text = '````chatagent\r\n---\r\nname: a\r\n---\r\nRun:\r\n```sh\r\nls\r\n```\r\n````\r\n';
    const split = foreignFrontMatter(text);
    assert.deepEqual([split.head, split.headLine, split.body], ['name: a', 3, 'Run:\n```sh\nls\n```']);
    assert.equal(foreignFrontMatter('```skill\n---\nname: a\n---\nHi').body, 'Hi');
  });

  it('is neither a rule of the text nor part of a comment or of an example', () => {
    const texts = [
      '\n---\n\nText\n\n---\n',
      '<!-- a\n---\nname: a\n---\n',
      'Hi\n---\nname: a\n---\n',
      '```yaml\nname: a\n```\n',
      '---\nname: a\n',
    ];
    for (const text of texts) assert.deepEqual(foreignFrontMatter(text), splitFrontMatter(text));
  });
});

describe('Values with colons', () => {
  before(() => yamlReady('any: text'));

  const lenient = (text: string) => readYaml(text, { path: 'a.md', lenient: true });

  it('are read as the author meant', () => {
    const text = "description: Use this: it helps\nmodel: provider/model:tag\nnote: it's: odd # really\nlast: ends:";
    assert.deepEqual(lenient(text).data, {
      description: 'Use this: it helps',
      model: 'provider/model:tag',
      note: "it's: odd",
      last: 'ends:',
    });
  });

  it('are left untouched in quoted, block, flow, comment and nested forms', () => {
    const safe = [
      'a: "x: y"',
      "b: 'x: y'",
      'c: |-',
      '  x: y',
      'd: {x: y}',
      'e: [x: y]',
      '# f: x: y',
      'g:',
      '  h: i',
      'j: &k l',
      'm: *k',
    ].join('\n');
    assert.equal(quoteColonValues(safe), safe);
  });

  it('keep their line numbers', () => {
    const source = lenient('description: a: b\nmode: wrong');
    assert.deepEqual(source.position(['mode']), { line: 2, column: 7 });
  });

  it('are an error with its line when parsing is not lenient', () => {
    const source = readYaml('ok: 1\ndescription: a: b', { path: 'a.yaml', firstLine: 2 });
    assert.equal(source.data, undefined);
    assert.deepEqual([source.problems[0]?.line, source.problems[0]?.kind], [3, 'parse']);
  });
});
