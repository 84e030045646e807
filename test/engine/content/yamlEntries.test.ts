import assert from 'node:assert/strict';
import { isRecord } from '../../../src/base/isRecord';
import { readEntries } from '../../../src/engine/content/yamlEntries';
import { readYaml, type YamlSource, yamlReady } from '../../../src/engine/content/yamlSource';

const PATH = '/a/graph.yaml';

/** Entries in every layout, enough of them for several parts. */
const LAYOUTS = [
  (id: string) => `  ${id}: { type: llm, prompt: "It's **${id}**", next: [a, b] } # why\n`,
  (id: string) => `  "${id}":\n    type: 'script'\n\n    script: a.sh\n    # a comment\n`,
  (id: string) => `  ${id}: {\n    type: llm,\n    list: [\n      1, 2\n    ]\n  }\n`,
  (id: string) => `  ${id}:\n    prompt: |+\n      # not a comment\n      nodes:\n        x: 1\n\n\n`,
  (id: string) => `  ${id}:\n    prompt: >-\n      folded\n      text\n# outside\n    next: "one\n      two"\n`,
  (id: string) => `  ${id}: &x_${id} { & : 1, ünï: "\\u00e9" }\n`.replace('& : 1, ', ''),
  (id: string) => `  ${id}:\n    - 1\n    -   k: v\n`,
  (id: string) => `  ${id}:\n`,
];

const entries = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => LAYOUTS[at % LAYOUTS.length]?.(`n${from + at}`) ?? '').join('');

const file = (nodes: string, tail = '') =>
  `name: a\nstart: n0\ninitial_state: { k: [1, { x: y }] }\nnodes: # all\n${nodes}${tail}`;

function pathsIn(value: unknown, where: readonly PropertyKey[] = []): (readonly PropertyKey[])[] {
  if (!isRecord(value)) return [where];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [where, ...keys.flatMap((key) => pathsIn(Reflect.get(value, key), [...where, key]))];
}

function placesIn(source: YamlSource) {
  const paths = [...pathsIn(source.data), ['nodes', 'missing'], ['nodes', 'n0', 'missing'], ['missing', 1]];
  return paths.map((where) => ({
    where: where.join('.'),
    at: (['key', 'value'] as const).map((part) => [source.position(where, part), source.wordAt?.(where, part)]),
    // Words are looked up in a text, which has a path of its own.
    words: where.length > 2 && source.position(where, 'value', 't'),
  }));
}

function checked(text: string, earlier?: YamlSource): YamlSource {
  const read = readEntries(text, { path: PATH, key: 'nodes', earlier });
  assert.ok(read, 'it is read in parts');
  const whole = readYaml(text, { path: PATH });
  assert.deepEqual(read.data, whole.data);
  assert.deepEqual(Object.keys(read.data ?? {}), Object.keys(whole.data ?? {}));
  assert.deepEqual(placesIn(read), placesIn(whole));
  assert.deepEqual([read.problems, whole.problems], [[], []]);
  return read;
}

describe('A file with many entries', () => {
  before(() => yamlReady('a: 1'));

  it('is read as if it were read as a whole, at each edit', () => {
    const tail = 'settings:\n  timeout: 5\n';
    let earlier: YamlSource | undefined;
    for (const text of [
      file(entries(120), tail),
      file(entries(120), `${tail}# more\n`),
      file(entries(3, 500) + entries(120), tail),
      file(entries(60) + entries(60, 70), tail),
      file(entries(120)),
      file(entries(120).trimEnd()),
      file(entries(120), '\n\n').replaceAll('\n', '\r\n'),
      file(entries(116)),
      file(entries(120).replaceAll(/^/gm, '  ')),
    ])
      earlier = checked(text, earlier);
  });

  it('keeps the values that did not change', () => {
    const text = file(entries(120));
    const before = checked(text);
    const after = checked(text.replace("It's **n0**", 'Else'), before);
    const values = ({ data }: YamlSource) => (isRecord(data) && isRecord(data['nodes']) ? data['nodes'] : {});
    const kept = Object.keys(values(after)).filter((id) => values(after)[id] === values(before)[id]);
    const other = Object.values(values(after)).filter((value) => isRecord(value)).length;
    assert.ok(kept.length > 60 && other > 60, `${kept.length} of ${other}`);
    assert.equal(kept.includes('n0'), false);
  });

  for (const [what, text] of Object.entries({
    'few entries': file(entries(20)),
    'an error': file(`${entries(100)}  bad: "open\n`),
    'an error outside': file(entries(100), 'x: [\n'),
    'an alias': file(`${entries(100)}  again: *x_n5\n`),
    'an alias with an odd name': file(`  odd: &*o 1\n${entries(100)}  again: **o\n`),
    'a merge key': file(`${entries(100)}  x: { << : { y: 1 } }\n`),
    'a quoted merge key': file(`${entries(100)}  "<<":\n    y: 1\n`),
    'a merge key with a mark': file(`${entries(100)}  x:\n    ? <<\n    : { y: 1 }\n`),
    'a key twice': file(`${entries(100)}  n3: 1\n`),
    'the key twice': file(entries(100), 'nodes: 1\n'),
    'a second document': file(entries(100), '---\na: 1\n'),
    'a lost key': file(`${entries(100)}  __proto__: 1\n`),
    'a lost key outside': file(entries(100), '__proto__: 1\n'),
    'a list': file(Array.from({ length: 100 }, () => '  - 1\n').join('')),
    'entries on one line': `nodes: {${Array.from({ length: 100 }, (_, at) => `a${at}: 1`).join(', ')}}\n`,
    'a lower indentation': file(`${entries(100)} less: 1\n`),
    'a tab': file(`${entries(100)}  x:\n\t y: 1\n`),
  }))
    it(`is read as a whole if it has ${what}`, () => {
      assert.equal(readEntries(text, { path: PATH, key: 'nodes', earlier: undefined }), undefined);
    });
});
