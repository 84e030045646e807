import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDER_KEYS } from '../../src/engine';
import { KEY_PAGES } from '../../src/host/commands/keyPages';
import { repoRoot } from '../editor/repoRoot';
import { codeProblem, HELPS, labelProblem, SETTINGS, TABLES } from './knownNames';
import { DOC_PAGES, type Page, pageOf, readPage } from './page';

const linkProblems = ({ path, links }: Page): string[] =>
  links.filter((link) => {
    if (/^https:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(path, '..', file);
    if (!existsSync(join(repoRoot, target))) return true;
    return anchor !== undefined && !readPage(target).anchors.includes(anchor);
  });

const tableProblems = ({ tables }: Page): string[] =>
  tables.flatMap(({ head, rows }) => {
    const known = TABLES[head];
    if (known === undefined) return [`a table of “${head}”`];
    if (known === 'free') return [];
    const names = rows.flatMap(([first = '']) => first.split(', ').map((name) => name.replace(/^[`_]|[`_]$/g, '')));
    return names.filter((name) => !known.includes(name.replace(/^Cairn: /, ''))).map((name) => `${head} ${name}`);
  });

const namingProblems = (page: Page): string[] => [
  ...page.codes.flatMap((code) => told(code, codeProblem(code, page))),
  ...page.labels.flatMap((label) => told(label, labelProblem(label))),
];
const told = (name: string, problem: string | undefined) => (problem === undefined ? [] : [`${name}: ${problem}`]);

describe('The pages of docs/', () => {
  it('CONTRIBUTING.md names only things that exist', () =>
    assert.deepEqual(namingProblems(readPage('CONTRIBUTING.md')), []));

  for (const path of [...DOC_PAGES, 'README.md']) {
    const page = readPage(path);
    it(`${path} names only things that exist`, () => assert.deepEqual(namingProblems(page), []));
    it(`${path} has only tables of existing keys and settings`, () => assert.deepEqual(tableProblems(page), []));
    it(`${path} links only to existing pages and sections`, () => assert.deepEqual(linkProblems(page), []));
  }

  it('are all linked from the first page, and that from the README', () => {
    const { links } = readPage('docs/README.md');
    assert.deepEqual(
      [...new Set(links)].filter((link) => !link.includes('/')).sort(),
      DOC_PAGES.map((path) => path.slice('docs/'.length))
        .filter((name) => name !== 'README.md')
        .sort(),
    );
    assert.ok(readPage('README.md').links.includes('docs/README.md'));
  });

  it('name every provider with its prefix, its key, and where to get the key', () => {
    const table = readPage('docs/models.md').tables.find(({ head }) => head === 'Provider');
    const linked = (label: string, page: string | undefined) => (page === undefined ? label : `[${label}](${page})`);
    const rows = PROVIDER_KEYS.map(({ label, id, keyVariable }) => [
      linked(label, KEY_PAGES.get(id)),
      `\`${id}\``,
      `\`${keyVariable}\``,
    ]);
    const sorted = (list: readonly (readonly string[])[]) => list.map((row) => row.join(' ')).sort();
    assert.deepEqual(sorted(table?.rows ?? []), sorted(rows));
  });

  it('explain every setting', () => {
    const named = new Set(DOC_PAGES.flatMap((path) => readPage(path).codes));
    assert.deepEqual(
      [...SETTINGS.keys()].filter((name) => !named.has(name)),
      [],
    );
  });

  it('name every command-line option', () => {
    const written = readPage('docs/command-line.md');
    const named = [...written.codes, ...written.snippets.map(({ text }) => text)].join('\n');
    const options = [...HELPS.values()].flatMap((help) => help.match(/(?<=[\s,])--[a-z][\w-]+/g) ?? []);
    assert.deepEqual(
      [...new Set(options)].filter((option) => !named.includes(option)),
      [],
    );
  });

  it('are rejected when they contain unknown names', () => {
    const wrong = pageOf(
      'docs/wrong.md',
      [
        'Set `cairn.modell`, run _Cairn: Open Chatt_ or `cairn --aprove all`, `cairn runs halt ID`, `cairn --approve some`,',
        'press `Ctrl+K Ctrl+Q`, type `/nothing`, set `CAIRN_MODELS`, write `max_turnss` or `openai:gpt-0`, see [there](nowhere.md)',
        'and [here](#nowhere).\n\n| Agent key | What |\n| --- | --- |\n| `tolls` | Tools |',
      ].join(' '),
    );
    assert.equal(namingProblems(wrong).length, 11, namingProblems(wrong).join('\n'));
    assert.deepEqual(linkProblems(wrong), ['nowhere.md', '#nowhere']);
    assert.deepEqual(tableProblems(wrong), ['Agent key tolls']);
  });
});
