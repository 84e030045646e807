import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importedFrom } from './importedFrom';

const BUNDLED = {
  'bundled/agents/coder/graph.yaml': 'name: coder\n',
  'bundled/agents/oracle.md': 'Advise.\n',
  'bundled/skills/git-master/SKILL.md': '---\nname: git-master\ndescription: Git\n---\nCommit.\n',
  'bundled/roles/poet.md': 'Rhyme.\n',
};
const CODER = { 'agents/coder/graph.yaml': 'name: coder\nstart: done\nnodes:\n  done: { type: end, output: done }\n' };
const GIT = { 'skills/git-master/SKILL.md': '---\nname: git-master\ndescription: History\n---\nRebase.\n' };
const ORACLE = { 'agents/oracle/config.yaml': 'name: oracle\ninstructions: Advise.\n' };

/** Imports files into a Cairn that has content of the same names, and returns the text of one written file and all notes. */
async function written(
  tool: string,
  files: Readonly<Record<string, string>>,
  file: string,
): Promise<{ text: string; notes: readonly string[] }> {
  let result = { text: '', notes: [''] };
  await importedFrom(tool, files, async ({ folder, run, config }) => {
    await folder.write(BUNDLED);
    const rows = await run();
    assert.deepEqual(
      rows.flatMap(({ outcome, notes }) => (outcome === 'failed' ? notes : [])),
      [],
    );
    result = { text: await readFile(path.join(config, file), 'utf8'), notes: rows.flatMap(({ notes }) => notes) };
  });
  return result;
}

describe('An imported item that refers to another, which got a new name', () => {
  it('is a graph, whose nodes start the imported agent and load the imported skills', async () => {
    const graph = (coder: string, git: string) => `name: runner # starts coder
start: implement
initial_state:
  agent: coder
enabled_skills: [${git}, tidy]
nodes:
  implement:
    type: agent
    agent: '${coder}'
    prompt: |
      ## agent: coder
      Fix it, then load \`git-master\`.
    next: done
  done: { type: end, output: done }
`;
    const files = { ...CODER, ...GIT, 'agents/runner/graph.yaml': graph('coder', 'git-master') };
    const { text } = await written('coyote', files, 'agents/runner/graph.yaml');
    const expected = graph('coder-coyote', 'git-master-coyote').replace('`git-master`', '`git-master-coyote`');
    assert.equal(text, expected);
  });

  it('is an agent, whose list and instructions name those that it may start', async () => {
    const agent = (coder: string, oracle: string, git: string) => `name: boss
can_spawn_agents: true
spawnable_agents:
  - ${coder} # writes
  - ${oracle}
enabled_skills: ${git}, tidy
instructions: |
  Ask the coder: \`${coder}\`, or \`agent__spawn --agent ${oracle}\`. Never \`\`\`coder\`\`\` or \`tidy\`.
`;
    const files = { ...CODER, ...ORACLE, ...GIT, 'agents/boss/config.yaml': agent('coder', 'oracle', 'git-master') };
    const { text } = await written('coyote', files, 'agents/boss/config.yaml');
    assert.equal(text, agent('coder-coyote', 'oracle-coyote', 'git-master-coyote'));
  });

  it('is the settings, in which what may be seen still includes what is built in', async () => {
    const files = {
      ...GIT,
      'roles/poet.md': 'You rhyme.\n',
      'config.yaml': 'cmd_prelude: role:poet\nenabled_skills: git-master\nvisible_skills: [git-master, tidy]\n',
    };
    const { text } = await written('coyote', files, 'config.yaml');
    assert.equal(
      text,
      `cmd_prelude: role:poet-coyote
enabled_skills: git-master-coyote
visible_skills:
  - git-master
  - git-master-coyote
  - tidy
`,
    );
  });

  it('is a command or an agent of OpenCode, with what it permits', async () => {
    const files = {
      'opencode.json': JSON.stringify({
        agent: {
          oracle: { mode: 'subagent', prompt: 'Advise.' },
          boss: { mode: 'primary', permission: { task: { oracle: 'deny', '*': 'ask' } }, prompt: 'Lead the oracle.' },
        },
      }),
      'command/ask.md': '---\nagent: oracle\n---\nAnswer $ARGUMENTS.\n',
    };
    const command = await written('opencode', files, 'commands/ask.md');
    assert.match(command.text, /^agent: oracle-opencode$/m);
    const boss = await written('opencode', files, 'agents/boss.md');
    assert.match(boss.text, /^ {4}oracle-opencode: deny$/m);
    assert.match(boss.text, /^Lead the oracle\.$/m);
  });

  it('is one that uses a server', async () => {
    const theirs = { mcpServers: { tides: { url: 'https://tides.example/mcp' } } };
    const files = {
      'mcp.json': JSON.stringify(theirs),
      'agents/sailor/config.yaml': 'mcp_servers: [tides]\ninstructions: Sail.\n',
    };
    await importedFrom('coyote', files, async ({ folder, run, config }) => {
      await folder.write({ 'own/mcp.json': JSON.stringify({ mcpServers: { tides: { command: 'tides' } } }) });
      await run();
      assert.match(
        await readFile(path.join(config, 'agents/sailor/config.yaml'), 'utf8'),
        /^mcp_servers: \[tides-coyote\]$/m,
      );
    });
  });

  it('is one that is imported later than the other', () =>
    importedFrom('coyote', CODER, async ({ folder, run, config }) => {
      await folder.write(BUNDLED);
      await run();
      const graph =
        'start: a\nnodes:\n  a: { type: agent, agent: coder, prompt: p, next: b }\n  b: { type: end, output: x }\n';
      await folder.write({ 'theirs/agents/later/graph.yaml': graph });
      const rows = await run();
      assert.deepEqual(rows.map(({ name, outcome }) => `${name} ${outcome}`).toSorted(), [
        'coder already',
        'later copied',
      ]);
      assert.match(await readFile(path.join(config, 'agents/later/graph.yaml'), 'utf8'), /agent: coder-coyote,/);
    }));

  it('reports a name that stands elsewhere, with its line', async () => {
    const graph = `x-worker: &worker
  coder
start: a
nodes:
  a: { type: agent, agent: *worker, prompt: p, next: b }
  b: { type: end, output: x }
`;
    const files = { ...CODER, 'agents/boss/graph.yaml': graph };
    const { text, notes } = await written('coyote', files, 'agents/boss/graph.yaml');
    assert.equal(text, graph);
    assert.ok(
      notes.includes('Line 5 names coder, which is called coder-coyote here. Change it there.'),
      notes.join('\n'),
    );
  });
});
