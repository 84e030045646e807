import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const LINES = Array.from({ length: 5 }, (_, index) => `heron ${index + 1}`).join('\n');
const FILES = { 'a.txt': LINES, 'dist/b.txt': 'heron built', 'c.snap': 'heron kept' };
const KEYS = 'description: x\nread_max_lines: 2\ngrep_max_matches: 3\ngrep_exclude: [dist/*, "*.snap"]\n';
const written = {
  'a Markdown agent': { '.cairn/agents/brief.md': `---\n${KEYS}---\nYou are brief.` },
  'config.yaml': { '.cairn/agents/brief/config.yaml': `${KEYS}instructions: You are brief.\n` },
};

describe('An agent setting for the tools that look at files', () => {
  for (const [where, agent] of Object.entries(written)) {
    it(`applies to reading and searching, from ${where}`, () =>
      withWorld({ files: { ...FILES, ...agent } }, async ({ engine, folder }) => {
        assert.deepEqual(await engine.agents.problems(), []);
        const place = { workspace: folder, agent: 'brief' };
        const read = await engine.callTool('fs_read', { path: 'a.txt', limit: 4 }, place);
        assert.match(read.text, /heron 2\n\nLines 1-2 of 5\. Read on with offset 3\./);
        const found = await engine.callTool('fs_grep', { pattern: 'heron' }, place);
        assert.match(found.text, /^a\.txt\n {2}1: heron 1\n {2}2: .*\n {2}3: .*\n\.\.\. the first 3 matches/);
        const none = await engine.callTool('fs_grep', { pattern: 'heron (built|kept)' }, place);
        assert.match(none.text, /No line matches.*this agent leaves out \(dist\/\*, \*\.snap\)/);
        const usual = await engine.callTool('fs_grep', { pattern: 'heron (built|kept)' }, { workspace: folder });
        assert.match(usual.text, /heron built[^]*heron kept|heron kept[^]*heron built/);
      }));
  }

  it('can be set by a program, which rejects an invalid value', () =>
    withWorld({ files: FILES }, async ({ engine, folder }) => {
      const agent = { name: 'brief', description: 'x', prompt: 'You are brief.' };
      assert.throws(() => engine.registerAgent({ ...agent, looking: { readLines: 0 } }), /readLines/);
      engine.registerAgent({ ...agent, looking: { readLines: 1 } });
      const read = await engine.callTool('fs_read', { path: 'a.txt' }, { workspace: folder, agent: 'brief' });
      assert.match(read.text, /heron 1\n\nLines 1-1 of 5/);
    }));

  it('that is not a number is reported with its line', () =>
    withWorld(
      { files: { '.cairn/agents/brief.md': '---\ndescription: x\nread_max_lines: 0\n---\nBrief.' } },
      async ({ engine }) => {
        const [problem] = await engine.agents.problems();
        assert.equal(problem?.line, 3);
      },
    ));
});
