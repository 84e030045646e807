import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorld } from '../../support/engineWorld';
import { call } from './team/teamStory';

const file = (head: string, prompt: string) => `---\n${head}\n---\n${prompt}\n`;

describe('The agent of a run', () => {
  it('is the one requested, with its own prompt and without the tools it denies', () =>
    withWorld(
      {
        story: [{ say: 'Looked.' }],
        files: { '.cairn/agents/looker.md': file('permission:\n  edit: deny\n  bash: deny', 'You only look.') },
      },
      async (world) => {
        const { outcome, events } = await world.play('look', { agent: 'looker' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Looked.' });
        assert.deepEqual(events[0]?.agentPath, ['looker']);
        const [request] = world.server.requests;
        assert.match(JSON.stringify(request?.body), /You only look\./);
        const tools = request?.tools ?? [];
        assert.ok(tools.includes('fs_read'));
        assert.deepEqual(
          tools.filter((name) => /edit|write|patch|execute_command/.test(name)),
          [],
        );
      },
    ));

  it('is reported as unknown, with a suggestion, when it does not exist', () =>
    withWorld({}, async (world) => {
      const { outcome, events } = await world.play('hi', { agent: 'codre' });
      assert.deepEqual(outcome, {
        kind: 'failed',
        reason: 'unknown-agent',
        message: 'There is no agent “codre”. Did you mean “coder”?',
      });
      assert.equal(world.server.requests.length, 0);
      assert.ok(events.some(({ type }) => type === 'message-taken'));
      const { messages, metadata } = await world.engine.sessions.open(world.sessionId);
      assert.deepEqual([messages.map(({ role }) => role), metadata.title], [['user'], 'hi'], 'the message is kept');
    }));

  it('times out as its file says, whatever it is waiting for', () =>
    withWorld(
      {
        story: [call('execute_command', { command: 'sleep 20' }), { say: 'Slept.' }],
        files: { '.cairn/agents/brief.md': file('max_time: 1', 'You are brief.') },
      },
      async (world) => {
        const { outcome, events } = await world.play('sleep', { agent: 'brief' });
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'time' });
        const end = events.at(-1);
        assert.ok(end?.type === 'run-finished' && end.durationMs < 10_000);
      },
    ));

  it('has its skills loaded when they exist and are enabled, and reports the others', () =>
    withWorld(
      {
        story: [{ say: 'Hi.' }],
        files: {
          '.cairn/agents/wants.md': file('skills: [tides, nope, closed]\nenabled_skills: [tides]', 'You want.'),
          '.cairn/skills/tides/SKILL.md': file('description: Tides', 'Read the tide table.'),
          '.cairn/skills/closed/SKILL.md': file('description: Closed', 'Never.'),
        },
      },
      async (world) => {
        const { events } = await world.play('hi', { agent: 'wants' });
        const told = events.flatMap((event) => {
          if (event.type === 'skill-loaded') return event.skill;
          return event.type === 'notice' ? (/the skill “(\w+)”, which does not exist/.exec(event.text)?.[1] ?? []) : [];
        });
        assert.deepEqual(told, ['nope', 'closed', 'tides']);
        const { metadata } = await world.engine.sessions.open(world.sessionId);
        assert.deepEqual(metadata.skills, ['tides']);
        assert.match(JSON.stringify(world.server.requests[0]?.body), /Read the tide table/);
      },
    ));

  it('cannot grant itself permissions when it comes from a repository', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'fs_write', arguments: { path: 'a.txt', contents: 'a\n' } }] },
          { say: 'Not written.' },
        ],
        files: { '.cairn/agents/bold.md': file('permission: allow', 'You are bold.') },
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', by: 'person' }),
      },
      async (world) => {
        const { events } = await world.play('write', { agent: 'bold' });
        assert.equal(events.filter(({ type }) => type === 'approval-requested').length, 1);
        await assert.rejects(world.read('a.txt'));
      },
    ));

  it('is reloaded after a change and overrides a built-in one of the same name', () =>
    withWorld({ story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('first');
      await mkdir(join(world.folder, '.cairn/agents'), { recursive: true });
      await writeFile(join(world.folder, '.cairn/agents/coder.md'), file('description: Mine', 'You are mine.'));
      world.engine.agents.reload();
      await world.play('second');
      const said = world.server.requests.map(({ body }) => JSON.stringify(body).includes('You are mine.'));
      assert.deepEqual(said, [false, true]);
      const sources = (await world.engine.agents.all())
        .filter(({ name }) => name === 'coder')
        .map(({ source }) => source.scope);
      assert.deepEqual(sources, ['builtin', 'workspace']);
    }));
});
