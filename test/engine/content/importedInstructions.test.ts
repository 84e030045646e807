import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodePorts } from '../../../src/node/nodePorts';
import { readInstructions } from '../../../src/engine/prompt/readInstructions';
import { temporaryFolder } from '../../node/temporaryFolder';

/** Returns the sources of the instructions of a workspace with these files, their texts, and the problems. */
async function readIn(files: Readonly<Record<string, string>>, binary?: string) {
  const folder = await temporaryFolder();
  try {
    await folder.write(files);
    if (binary !== undefined) await writeFile(join(folder.path, binary), Buffer.from([0x89, 0, 1, 2]));
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
    const { instructions, problems } = await readInstructions([folder.path], ports);
    return { sources: instructions.map(({ source }) => source), instructions, problems };
  } finally {
    await folder.remove();
  }
}

describe('Instructions that import others', () => {
  it('come after them, with what these import', async () => {
    const { sources, instructions, problems } = await readIn({
      'CLAUDE.md': 'See @docs/style.md and @README, and ask @someone about @types/node.',
      'docs/style.md': 'Use tabs. @more/names.md.',
      'docs/more/names.md': 'Names are words. @../style.md',
      README: 'A sundial.',
    });
    assert.deepEqual(sources, ['docs/more/names.md', 'README', 'docs/style.md', 'CLAUDE.md']);
    assert.equal(instructions[0]?.text, 'Names are words. @../style.md');
    assert.deepEqual(problems, []);
  });

  it('import nothing in code, and no equal text twice', async () => {
    const { sources } = await readIn({
      'CLAUDE.md': '@AGENTS.md\n\n`@docs/a.md`\n\n```\n@docs/a.md\n```\n',
      'AGENTS.md': 'Use tabs.',
      'docs/a.md': 'An example.',
    });
    assert.deepEqual(sources, ['CLAUDE.md', 'AGENTS.md']);
  });

  it('report what is protected, elsewhere, or no text, and leave it out', async () => {
    const files = { 'CLAUDE.md': '@.env @../other/secret.md @logo.png @~/mine.md', '.env': 'KEY=hunter2hunter2' };
    const { sources, problems } = await readIn(files, 'logo.png');
    assert.deepEqual(sources, ['CLAUDE.md']);
    assert.deepEqual(problems, [
      'The instructions in .env were left out: the file is protected.',
      'The instructions in ../other/secret.md were left out: they are not in the workspace.',
      'The instructions in logo.png were left out: the file is not text.',
      'The instructions in ~/mine.md were left out: they are not in the workspace.',
    ]);
  });

  it('may come from the folders of other tools', async () => {
    const names = ['.cursor/rules/style.mdc', '.codex/style.md', '.gemini/style.md', '.windsurf/rules/style.md'];
    const files = Object.fromEntries(names.map((name, at) => [name, `Rule ${at}.`]));
    const { sources, problems } = await readIn({ ...files, 'CLAUDE.md': names.map((name) => `@${name}`).join(' ') });
    assert.deepEqual(sources, [...names.reverse(), 'CLAUDE.md']);
    assert.deepEqual(problems, []);
  });

  it('have a limit, with what is beyond it reported', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `docs/${at}.md`);
    const files = Object.fromEntries(names.map((name, at) => [name, `Rule ${at}.`]));
    const { sources, problems } = await readIn({ ...files, 'CLAUDE.md': names.map((name) => `@${name}`).join(' ') });
    assert.equal(sources.length, 21);
    assert.equal(problems.length, 10);
    assert.match(problems[0] ?? '', /^docs\/20\.md, which CLAUDE\.md imports, was left out/);
  });

  it('end where files import each other', async () => {
    const deep = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.md`, `Step ${at}. @${at + 1}.md`]));
    const { sources } = await readIn({ ...deep, 'CLAUDE.md': '@0.md', '9.md': '@CLAUDE.md' });
    assert.deepEqual(sources, ['4.md', '3.md', '2.md', '1.md', '0.md', 'CLAUDE.md']);
  });
});

describe('Instructions for other tools', () => {
  it('are read from the files of each tool, the user’s own last', async () => {
    const names = ['.goosehints', '.rules', '.clinerules', '.windsurfrules', '.cursorrules'];
    const more = ['.github/copilot-instructions.md', 'GEMINI.md', 'CLAUDE.md', 'AGENTS.md', 'CLAUDE.local.md'];
    const all = [...names, ...more];
    const { sources, problems } = await readIn(Object.fromEntries([...all].reverse().map((name) => [name, name])));
    assert.deepEqual(sources, all);
    assert.deepEqual(problems, []);
  });

  it('are read once when they are copies or links', async () => {
    const { sources } = await readIn({
      '.cursorrules': 'Use tabs.\n',
      '.windsurfrules': 'Use tabs.',
      'CLAUDE.md': 'Use tabs.',
    });
    assert.deepEqual(sources, ['CLAUDE.md']);
  });

  it('are read from AGENT.md only without AGENTS.md', async () => {
    assert.deepEqual((await readIn({ 'AGENT.md': 'Former.' })).sources, ['AGENT.md']);
    assert.deepEqual((await readIn({ 'AGENT.md': 'Former.', 'AGENTS.md': 'Now.' })).sources, ['AGENTS.md']);
  });

  it('do not include conventions and other documents that no tool names', async () => {
    const files = { 'CONVENTIONS.md': 'Use tabs.', '.clinerules/style.md': 'A rule.', '.aider.conf.yml': 'model: x\n' };
    assert.deepEqual(await readIn(files), { sources: [], instructions: [], problems: [] });
  });

  it('include the files that Aider’s settings name', async () => {
    const files = { 'CONVENTIONS.md': 'Use tabs.', 'docs/a.md': 'Be brief.', '.env': 'KEY=hunter2hunter2' };
    const { sources, problems } = await readIn({
      ...files,
      '.aider.conf.yml': 'read:\n  - CONVENTIONS.md\n  - .env\n',
    });
    assert.deepEqual(sources, ['CONVENTIONS.md']);
    assert.deepEqual(problems, ['The instructions in .env were left out: the file is protected.']);
    assert.deepEqual((await readIn({ ...files, '.aider.conf.yml': 'read: docs/a.md\n' })).sources, ['docs/a.md']);
  });

  it('include the files that OpenCode’s settings name, with patterns, but no pages and nothing outside', async () => {
    const named = [
      './CONTRIBUTING.md',
      'docs/*.md',
      '*.txt',
      'https://example.com/x.md',
      '../b/*.md',
      '/etc/passwd',
      '**/*.md',
      '{env:HOME}/a.md',
    ];
    const { sources, problems } = await readIn({
      'CONTRIBUTING.md': 'Sign off.',
      'docs/a.md': 'A.',
      'docs/deep/b.md': 'B.',
      'notes.txt': 'N.',
      'src/other.txt': 'O.',
      'opencode.jsonc': `{ // Ours.\n "instructions": ${JSON.stringify(named)}, }`,
      '.opencode/opencode.json': '{"instructions": ["docs/deep/b.md"]}',
    });
    assert.deepEqual(sources, ['notes.txt', 'docs/a.md', 'CONTRIBUTING.md', 'docs/deep/b.md']);
    assert.deepEqual(problems, [
      'The instructions in https://example.com/x.md were left out: Cairn fetches no instructions. Put their text into a file.',
      'The instructions in {env:HOME}/a.md were left out: Cairn fills no variables into paths.',
      'The instructions in **/*.md were left out: it would search the whole workspace. Name a folder.',
      'The instructions in ../b were left out: they are not in the workspace.',
      'The instructions in /etc/passwd were left out: they are not in the workspace.',
    ]);
  });
});
