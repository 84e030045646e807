import assert from 'node:assert/strict';
import { EventProjector, type TimedEvent } from '../../src/chat/eventProjector';
import { replayHistory } from '../../src/chat/replayHistory';
import type { RunOutcome } from '../../src/engine';
import type { ChatEntry, ChatState } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';
import { emptyChat } from '../support/emptyChat';
import { withWorld } from '../support/engineWorld';

const of = (time: number) => ({ runId: 'run', time, agentPath: ['lead'] });
const began: TimedEvent = { ...of(1), type: 'run-started', model: 'openai:m' };
const spawned = (agentId: string): TimedEvent => ({
  ...{ ...of(2), type: 'agent-spawned', agentId, agent: 'worker' },
  ...{ childSessionId: `session-${agentId}`, callId: null, task: 'Look.' },
});
const finished = (agentId: string, outcome: RunOutcome): TimedEvent => ({
  ...{ ...of(3), type: 'agent-finished', agentId, outcome, durationMs: 1, tokens: 0, costUsd: 0 },
  ...{ files: [], commands: 0 },
});
const over = (kind: 'completed' | 'cancelled'): TimedEvent => ({
  ...{ ...of(9), type: 'run-finished', durationMs: 8 },
  outcome: kind === 'completed' ? { kind, answer: 'Done.' } : { kind },
});
const shown = (...events: readonly TimedEvent[]): ChatState => {
  const projector = new EventProjector();
  return events.flatMap((event) => projector.project(event)).reduce(reduceChat, emptyChat('s'));
};
const agents = ({ entries }: ChatState) =>
  entries.filter((one): one is ChatEntry & { kind: 'agent' } => one.kind === 'agent');

describe('The card of an agent', () => {
  it('ends with the run, even if the agent never reported its end', () => {
    const [ended, left] = agents(
      shown(
        began,
        spawned('a'),
        spawned('b'),
        finished('a', { kind: 'completed', answer: 'Here.' }),
        over('completed'),
      ),
    );
    assert.deepEqual([ended?.status, ended?.answer, left?.status], ['completed', 'Here.', 'interrupted']);
  });

  it('names the limit that the agent reached', () => {
    for (const [limit, text] of [
      ['turns', /limit of turns/],
      ['tokens', /token limit/],
      ['cost', /cost limit/],
      ['time', /time limit/],
      ['depth', /depth limit/],
      ['repeats', /repeating the same tool call/],
    ] as const) {
      const [card] = agents(shown(began, spawned('a'), finished('a', { kind: 'limit-reached', limit })));
      assert.match(card?.answer ?? '', text);
    }
  });
});

describe('The status line of a run', () => {
  const waits: TimedEvent = { ...of(4), type: 'state-changed', state: 'waiting-for-agent' };

  it('counts the agents that are at work', () => {
    const done = finished('a', { kind: 'cancelled' });
    assert.equal(shown(began, spawned('a'), waits).run?.activity, '1 agent running');
    assert.equal(shown(began, spawned('a'), spawned('b'), waits).run?.activity, '2 agents running');
    assert.equal(shown(began, spawned('a'), spawned('b'), waits, done).run?.activity, '1 agent running');
  });

  it('knows when a request is sent again, and what the run was at', () => {
    const text = 'Rate limit reached. Trying again in 12 s.';
    const limited: TimedEvent = { ...of(1000), type: 'notice', level: 'info', text, waitMs: 12_000 };
    const waiting = shown(began, limited);
    assert.deepEqual(waiting.run, { ...shown(began).run, retryAt: 13_000 });
    const [said, ...others] = waiting.entries;
    assert.ok(said?.kind === 'notice' && said.level === 'info' && said.text === text);
    assert.deepEqual(others, []);
    const notice: TimedEvent = { ...of(2), type: 'notice', level: 'info', text };
    assert.deepEqual(shown(began, notice).run, shown(began).run);
    const node: TimedEvent = { ...of(2), type: 'node-started', graphId: 'g', node: 'ask', step: 0 };
    assert.equal(shown(began, node, limited).run?.activity, 'ask');
  });

  it('stays at what waits for the user when an agent ends meanwhile', () => {
    const question: TimedEvent = {
      ...{ ...of(5), type: 'question-asked' },
      question: {
        id: 'q',
        sessionId: 's',
        callId: 'c',
        agent: 'lead',
        question: 'Go on?',
        kind: 'confirm',
        options: [],
      },
    };
    const { run } = shown(began, spawned('a'), spawned('b'), question, finished('a', { kind: 'cancelled' }));
    assert.equal(run?.state, 'waiting-for-answer');
  });
});

describe('What an agent waits for', () => {
  const child = { seq: 1, sessionId: 'session-a', runId: 'other', time: 5, agentPath: ['lead', 'worker'] };
  const asker = { sessionId: 'session-a', callId: 'c', agent: 'worker' };
  const question = { id: 'q', ...asker, question: 'Go on?', kind: 'confirm' as const, options: [] };
  const request = {
    ...{ id: 'r', ...asker, tool: 'fs_write', category: 'write' as const, title: 'Write a.txt', reason: 'It asks.' },
    ...{ usual: true, change: null, diff: null, command: null, offers: [], together: ['c'] },
  };

  it('is the status of the run that started it', () => {
    for (const [event, state] of [
      [{ ...child, type: 'question-asked', question }, 'waiting-for-answer'],
      [{ ...child, type: 'approval-requested', request }, 'waiting-for-approval'],
    ] as const) {
      const projector = new EventProjector();
      const told: HostEvent[] = [began, spawned('a')].flatMap((one) => projector.project(one));
      told.push(...projector.projectAgent(event));
      const { run } = told.reduce(reduceChat, emptyChat('s'));
      assert.equal(run?.state, state);
    }
  });
});

describe('The card of a call', () => {
  it('is there while the model still writes it', () => {
    const call: TimedEvent = { ...of(2), type: 'tool-announced', callId: 'c', tool: 'fs_read', category: 'read' };
    const card = shown(began, call).entries.find((one) => one.kind === 'tool');
    assert.deepEqual([card?.id, card?.status, card?.startedAt], ['c', 'preparing', null]);
  });
});

describe('The card of a graph', () => {
  it('ends with the run, with the time that it took', () => {
    const graph: TimedEvent = { ...of(3), type: 'graph-started', graphId: 'g', name: 'report', resumed: false };
    const node: TimedEvent = { ...of(4), type: 'node-started', graphId: 'g', node: 'look', step: 1 };
    const card = shown(began, graph, node, over('cancelled')).entries.find((one) => one.kind === 'graph');
    assert.deepEqual([card?.status, card?.durationMs, card?.nodes.length], ['cancelled', 6, 1]);
  });

  it('says that the user paused it, and so does the end of the turn', () => {
    const graph: TimedEvent = { ...of(3), type: 'graph-started', graphId: 'g', name: 'report', resumed: false };
    const end: TimedEvent = {
      ...{ ...of(9), type: 'run-finished', durationMs: 8 },
      outcome: { kind: 'cancelled', paused: true },
    };
    const { entries } = shown(began, graph, end);
    assert.equal(entries.find((one) => one.kind === 'graph')?.status, 'paused');
    assert.equal(entries.find((one) => one.kind === 'turn')?.outcome, 'paused');
  });
});

describe('What another window added to a session', () => {
  it('is replayed without the cost of the title, which was counted before', () =>
    withWorld({ story: [{ say: 'Yes.' }] }, async (world) => {
      await world.play('first');
      const { engine, sessionId } = world;
      const session = await engine.sessions.open(sessionId);
      const usage = { inputTokens: 10, outputTokens: 1 };
      await session.configure({ titleUsage: { model: 'openai:m', usage } });
      const types = (from: number) => replayHistory(session, engine, from).map(({ type }) => type);
      assert.deepEqual(types(session.history.length), ['session-renamed']);
      assert.deepEqual(types(0).slice(0, 2), ['session-renamed', 'usage-reported']);
    }));
});
