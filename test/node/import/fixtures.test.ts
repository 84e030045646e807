import assert from 'node:assert/strict';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { scanSource, sourcesHere } from '../../../src/node/import/importSources';
import { type ImportTarget, writeItems } from '../../../src/node/import/writeItems';
import { repoRoot } from '../../editor/repoRoot';
import { temporaryFolder } from '../temporaryFolder';

const FIXTURES = path.join(repoRoot, 'test', 'fixtures');
const TOOLS = ['coyote', 'aichat', 'claude', 'opencode', 'gemini', 'goose'];
/** Where a tool keeps its files, from the user's home. */
const PLACES: Readonly<Record<string, string>> = { coyote: '.config/coyote', aichat: '.config/aichat' };

/** Imports from everything in a home. Returns what is reported, a line for each item, problem, and note. */
async function importAll(home: string, target: ImportTarget): Promise<string[]> {
  const { signal } = new AbortController();
  const places = { home, env: {}, platform: 'linux', own: target.configFolder } as const;
  const { sources, problems } = await sourcesHere(places, signal);
  const lines = [...problems];
  for (const source of sources) {
    const { found, strike } = await scanSource(source, {});
    lines.push(`${source.tool.name} in ${source.source.root}`, ...found.problems.map((problem) => `  ! ${problem}`));
    const rows = await writeItems(found.items, { id: source.tool.id, strike }, target, { signal });
    for (const { kind, name, from, outcome, to, notes } of rows) {
      lines.push(`${kind} ${name}: ${outcome}`, `  from ${from}`, ...(to === undefined ? [] : [`  to ${to}`]));
      lines.push(...notes.map((note) => `  ${note}`));
    }
  }
  return lines;
}

/** Every file below a folder, except the record of imports, without what differs each time. */
async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'imports.json');
  const texts = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    const isProgram = ((await stat(file)).mode & 0o100) !== 0;
    const text = (await readFile(file, 'utf8')).replace(
      /"(?:id|time|createdAt|modifiedAt|callId)": ?(?:"[^"]*"|\d+),?/g,
      '',
    );
    return `--- ${path.relative(folder, file)}${isProgram ? ' (can be run)' : ''}\n${text}`;
  });
  return (await Promise.all(texts)).toSorted();
}

describe('An import from the home of a user', () => {
  for (const tool of TOOLS)
    it(`copies, converts, and reports what is expected: ${tool}`, async () => {
      const folder = await temporaryFolder();
      try {
        const [home, configFolder] = [path.join(folder.path, 'home'), path.join(folder.path, 'own')];
        await cp(path.join(FIXTURES, 'import', tool), path.join(home, PLACES[tool] ?? '.'), { recursive: true });
        const reported = await importAll(home, {
          ...{ configFolder, workspace: '/work', assetsFolder: path.join(repoRoot, 'assets'), dryRun: false },
          ...{ secretPlace: 'the vault', howToAdd: (name) => `add ${name}`, given: new Set(), now: () => 7 },
        });
        const said = [...reported, ...(await textsBelow(configFolder))].join('\n').replaceAll(folder.path, '');
        // Versions of Node describe damaged JSON in different words.
        const text = said.replace(/it is not JSON \(.*\)|is not JSON \(.*\)/g, 'it is not JSON');
        assert.equal(`${text.trimEnd()}\n`, await readFile(path.join(FIXTURES, 'imported', `${tool}.txt`), 'utf8'));
      } finally {
        await folder.remove();
      }
    });
});
