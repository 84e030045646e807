import assert from 'node:assert/strict';
import { wantsTool } from '../../../src/engine/runtime/wantedTools';
import { shellName } from '../../../src/node/machineFacts';
import { withWorld } from '../../support/engineWorld';

const bodyOf = (request: { body: unknown } | undefined) => JSON.stringify(request?.body);

describe('The request of an agent', () => {
  it('names the shell that its commands run in', () =>
    withWorld({ story: [{ say: '.' }], commandShell: 'zsh-like' }, async (world) => {
      await world.play('hello');
      assert.match(world.server.requests[0]?.messages[0]?.text ?? '', /; commands run in zsh-like\n/);
      assert.match(
        shellName('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'),
        /PowerShell 5\.1.*no &&/,
      );
      assert.equal(shellName('/bin/bash'), 'bash');
    }));

  it('includes no tool or text about one that an untrusted folder forbids', () =>
    withWorld({ story: [{ say: '.' }], scope: () => ({ trusted: false, folders: [] }) }, async (world) => {
      await world.play('hello');
      const [request] = world.server.requests;
      assert.deepEqual(
        request?.tools.filter((name) => /write|edit|patch|mkdir|fs_rm|execute|fetch/.test(name)),
        [],
      );
      assert.ok(request.tools.includes('fs_read'));
      assert.doesNotMatch(bodyOf(request), /change its files/);
    }));

  it('includes no question tools when no one can ever answer', () =>
    withWorld({ story: [{ say: '.' }, { say: '.' }], isNobody: true }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /user__|Put a question/);
    }));

  it('includes no built-in skill about tools that the agent cannot have', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('hello');
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /parallel-research|oracle-protocol|delegation-protocol/);
      assert.match(bodyOf(world.server.requests[0]), /git-master/);
    }));

  it('includes tools of those MCP servers that the agent lists, by server or by tool', () => {
    const agents = {
      all: 'mode: primary',
      reader: 'tools: [fs_read]',
      byTool: 'tools: [fs_read, mcp__tides__rise]',
      byServer: 'tools: [fs_read, mcp__tides]',
      starred: 'tools: ["*"]',
      listed: 'mcp_servers: [tides]',
    };
    const fileOf = (line: string) => `---\n${line}\n---\nYou read.`;
    const files = Object.entries(agents).map(([name, line]) => [`.cairn/agents/${name}.md`, fileOf(line)] as const);
    return withWorld({ files: Object.fromEntries(files) }, async ({ engine }) => {
      const wanted = async (name: string, enabled?: string[]) => {
        const wants = wantsTool(await engine.agent(name), undefined, enabled);
        const asked = [undefined, 'mcp__tides__rise', 'mcp__tides__fall'].map((tool) => wants('tides', tool));
        return [...asked, wants('hills')].map((one) => (one ? 'yes' : 'no')).join(' ');
      };
      assert.equal(await wanted('all'), 'yes yes yes yes');
      assert.equal(await wanted('all', ['tides']), 'yes yes yes no');
      assert.equal(await wanted('reader'), 'no no no no');
      assert.equal(await wanted('reader', ['tides']), 'yes yes yes no');
      assert.equal(await wanted('byTool', ['hills']), 'yes yes no yes');
      assert.equal(await wanted('byServer'), 'yes yes yes yes');
      assert.equal(await wanted('starred'), 'yes yes yes yes');
      assert.equal(await wanted('listed', ['hills']), 'yes yes yes no');
    });
  });

  it('does not load again a skill of the agent that was unloaded', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/guide.md': '---\nskills: [maps]\n---\nGuide.',
          '.cairn/skills/maps/SKILL.md': '---\nname: maps\ndescription: Maps\n---\nNorth is up.',
        },
        story: [{ say: 'One.' }, { say: 'Two.' }],
      },
      async (world) => {
        await world.play('hello', { agent: 'guide' });
        const session = await world.engine.sessions.open(world.sessionId);
        assert.deepEqual(session.metadata.skills, ['maps']);
        await session.configure({ skills: [] });
        await world.play('again', { agent: 'guide' });
        assert.deepEqual(session.metadata.skills, []);
        assert.match(world.server.requests[1]?.lastText ?? '', /The skill maps is unloaded/);
      },
    ));

  it('does not mention an inbox to an agent chosen by the user', () =>
    withWorld({ story: [{ say: '.' }] }, async (world) => {
      await world.play('where is it?', { agent: 'explore' });
      assert.doesNotMatch(bodyOf(world.server.requests[0]), /inbox|send_message/);
    }));
});
