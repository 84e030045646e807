import assert from 'node:assert/strict';
import type { WorkMode } from '../../../src/engine';
import { type EngineWorld, type Played, withWorld } from '../../support/engineWorld';
import { agentFile, call, callsThenSays, isOf } from '../agents/team/teamStory';

const read = { name: 'fs_read', arguments: { path: 'a.txt' } };
const write = { name: 'fs_write', arguments: { path: 'new.txt', contents: 'new\n' } };
const run = { name: 'execute_command', arguments: { command: 'echo hello' } };
const fetch = { name: 'fetch_url', arguments: { url: 'http://127.0.0.1:9/x' } };
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));
const statuses = (played: Played) => results(played).map(({ status }) => status);
const files = { 'a.txt': 'old\n' };

async function choose({ engine, sessionId }: EngineWorld, workMode: WorkMode | null): Promise<void> {
  const session = await engine.sessions.open(sessionId);
  await session.configure({ workMode });
}

describe('The modes Ask, Plan and Agent', () => {
  for (const mode of ['ask', 'plan'] as const) {
    it(`offer a model in ${mode} no tool that changes, runs or fetches`, () =>
      withWorld({ story: [{ say: 'Hello.' }], files }, async (world) => {
        await choose(world, mode);
        await world.play('hello');
        const offered = world.server.requests[0]?.tools ?? [];
        assert.ok(offered.includes('fs_read') && offered.includes('fs_grep'), offered.join());
        for (const name of ['fs_write', 'fs_edit', 'fs_rm', 'execute_command', 'fetch_url']) {
          assert.ok(!offered.includes(name), name);
        }
      }));

    it(`reject such calls in ${mode}, whatever is approved, and say who can change that`, () =>
      withWorld({ story: [{ call: [read, write, run, fetch] }, { say: 'Only read.' }], files }, async (world) => {
        await choose(world, mode);
        const played = await world.play('go');
        assert.deepEqual(statuses(played), ['ok', 'rejected', 'rejected', 'rejected']);
        for (const { text } of results(played).slice(1)) {
          assert.match(text, /in (?:Ask|Plan) mode.*Only the user can switch to Agent mode\./);
          // The message must not mention a rule, because there is none.
          assert.doesNotMatch(text, /rule/);
        }
        await assert.rejects(world.read('new.txt'));
      }));
  }

  it('cannot be overridden by the user’s rules', () =>
    withWorld({ story: [{ call: [write] }, { say: 'No.' }], files }, async (world) => {
      const session = await world.engine.sessions.open(world.sessionId);
      await session.addRule({ tool: 'fs_write', action: 'allow', priority: Number.MAX_SAFE_INTEGER });
      await choose(world, 'ask');
      assert.deepEqual(statuses(await world.play('go')), ['rejected']);
    }));

  it('take effect immediately when the user switches during a run', () => {
    let narrow: () => Promise<void> = () => Promise.resolve();
    const approve = async () => {
      await narrow();
      return { kind: 'once' } as const;
    };
    const second = { name: 'fs_write', arguments: { path: 'second.txt', contents: 'x\n' } };
    const story = [{ call: [write] }, { call: [second] }, { say: 'Stopped.' }];
    return withWorld({ story, files, approve, approvalMode: 'edits-and-commands' }, async (world) => {
      narrow = () => choose(world, 'ask');
      assert.deepEqual(statuses(await world.play('go')), ['ok', 'rejected']);
    });
  });

  it('are remembered by the session, also after a restart, and announced to the model on return to Agent', () =>
    withWorld(
      { story: [{ say: 'One.' }, { say: 'Two.' }, { call: [write] }, { say: 'Done.' }], files },
      async (world) => {
        await choose(world, 'ask');
        await world.play('one');
        const later = await world.restart();
        await later.play('two');
        assert.ok(!world.server.requests[1]?.tools.includes('fs_write'));
        await choose(later, 'agent');
        assert.deepEqual(statuses(await later.play('three')), ['ok']);
        assert.match(JSON.stringify(world.server.requests[2]?.body), /The mode is Agent now/);
      },
    ));

  it('come from the agent unless the session sets one', () => {
    const agent = '---\nname: reader\ndescription: Reads.\nwork_mode: ask\n---\nYou read.\n';
    const all = { ...files, '.cairn/agents/reader.md': agent };
    const story = [{ call: [write] }, { say: 'No.' }, { call: [write] }, { say: 'Done.' }];
    return withWorld({ story, files: all }, async (world) => {
      assert.deepEqual(statuses(await world.play('go', { agent: 'reader' })), ['rejected']);
      await choose(world, 'agent');
      assert.deepEqual(statuses(await world.play('go', { agent: 'reader' })), ['ok']);
    });
  });

  for (const [mode, own] of [
    ['ask', 'agent'],
    ['agent', 'ask'],
  ] as const) {
    it(`limit an agent of mode ${own} started by one in mode ${mode} to reading`, () => {
      const boss = agentFile('boss', 'mode: primary\npermission:\n  task: allow');
      const helper = agentFile('helper', `mode: subagent\nwork_mode: ${own}`);
      const task = call('task', { description: 'Write', prompt: 'Write.', subagent_type: 'helper' });
      const story = [callsThenSays('helper', { call: [write] }, 'Tried.'), task, { say: 'Done.' }];
      return withWorld({ story, files: { ...boss, ...helper } }, async (world) => {
        await choose(world, mode);
        await world.play('go', { agent: 'boss' });
        const asked = world.server.requests.filter((request) => isOf(request, 'helper'));
        assert.equal(asked.length, 2);
        assert.ok(asked.every(({ tools }) => tools.includes('fs_read') && !tools.includes('fs_write')));
        assert.match(asked[1]?.lastText ?? '', /Only the user can switch/);
        await assert.rejects(world.read('new.txt'));
      });
    });
  }

  it('apply the parent session’s mode when a program checks a call for a child session', () => {
    const boss = agentFile('boss', 'mode: primary\npermission:\n  task: allow');
    const helper = agentFile('helper', 'mode: subagent');
    const task = call('task', { description: 'Look', prompt: 'Look.', subagent_type: 'helper' });
    const story = [callsThenSays('helper', { call: [read] }, 'Seen.'), task, { say: 'Done.' }];
    return withWorld({ story, files: { ...files, ...boss, ...helper } }, async (world) => {
      await world.play('go', { agent: 'boss' });
      const child = (await world.engine.sessions.list()).find(({ parent }) => parent);
      const becomes = async () => {
        const place = { sessionId: child?.id ?? '', approvalMode: 'nothing' } as const;
        return (await world.engine.rules.check('fs_write', write.arguments, place)).action;
      };
      assert.equal(await becomes(), 'allow');
      await choose(world, 'ask');
      assert.equal(await becomes(), 'deny');
    });
  });
});
