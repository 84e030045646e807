import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import { withoutItsLock } from '../../support/withoutItsLock';

const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'new' } };
const ofType = <Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) =>
  events.filter((one): one is Extract<AgentEvent, { type: Type }> => one.type === type);

describe('The events of a run', () => {
  it('include each user answer with its question, and show why a call was rejected', () =>
    withWorld(
      {
        story: [{ call: [write] }, { say: 'As you wish.' }],
        approvalMode: 'edits-and-commands',
        approve: () => ({ kind: 'reject', reason: 'leave it', by: 'person' }),
      },
      async (world) => {
        const { events } = await world.play('go');
        const [asked] = ofType(events, 'approval-requested');
        const [answered] = ofType(events, 'approval-answered');
        assert.ok(asked && answered);
        assert.equal(answered.requestId, asked.request.id);
        assert.deepEqual(answered.answer, { kind: 'reject', reason: 'leave it', by: 'person' });
        const [{ result }] = [ofType(events, 'tool-finished')[0] ?? assert.fail('no call ended')];
        assert.equal(result.status, 'rejected');
        assert.deepEqual(result.detail, { kind: 'text', text: result.text });
        assert.match(result.text, /leave it/);
      },
    ));

  it('include a notice about what the model does not support', () =>
    withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      const { events } = await world.play('go', { model: 'openai:gpt-4.1', effort: 'high' });
      const notices = ofType(events, 'notice').map(({ text, level }) => `${level} ${text}`);
      assert.match(notices.join(), /warning .*does not support reasoning effort/);
    }));

  it('include the end of a call that an earlier run started, once the session resumes', () =>
    withWorld(
      {
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'echo begun; sleep 600' } }] },
          { say: 'I looked.' },
        ],
      },
      async (world) => {
        const handle = world.run('wait');
        for await (const one of handle.events()) if (one.type === 'tool-progress') break;
        await withoutItsLock(world);
        const again = await world.restart();
        const { events } = await again.play(undefined);
        const [ended] = ofType(events, 'tool-finished');
        assert.equal(ended?.result.status, 'cancelled');
        assert.match(ended.result.text, /Interrupted while it ran/);
      },
    ));

  it('report the run’s steps in order', () =>
    withWorld(
      { story: [{ call: [write] }, { say: 'Written.' }], approvalMode: 'edits-and-commands' },
      async (world) => {
        const { events } = await world.play('go');
        const told = events.flatMap((one) => {
          if (one.type === 'state-changed') return [one.state];
          return one.type.startsWith('tool-') ? [one.type] : [];
        });
        assert.deepEqual(told, [
          ...['thinking', 'tool-announced', 'tool-prepared', 'waiting-for-approval'],
          ...['running-tool', 'tool-started', 'tool-finished', 'thinking'],
        ]);
      },
    ));

  it('include the end of thinking before the answer', () =>
    withWorld({ story: [{ think: 'Hm.', say: 'Hello.' }] }, async (world) => {
      const { events } = await world.play('go', { model: 'anthropic:test-model' });
      const told = events.map(({ type }) => type).filter((type) => /^(thinking|text)-/.test(type));
      assert.deepEqual([...new Set(told)], ['thinking-delta', 'thinking-finished', 'text-delta']);
    }));
});
