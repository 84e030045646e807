import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { EventProjector } from '../../src/chat/eventProjector';
import { replayHistory } from '../../src/chat/replayHistory';
import type { AgentEvent, AgentHandle } from '../../src/engine';
import type { ChatUsage } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';
import { agentFile, calls, collectAll, says, spawn } from '../engine/agents/team/teamStory';
import { chatsOf } from '../support/chatsOf';
import { emptyChat } from '../support/emptyChat';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { isSummingUp } from '../support/isSummingUp';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { Step, StoryStep } from '../support/modelServer/story';

const LEAD = { agent: 'lead', model: 'openai:gpt-5.4' };
const LEAD_MODEL = { model: LEAD.model };
const FILES = {
  ...agentFile('lead', 'mode: primary\ncan_spawn_agents: true\nsummarization_threshold: 10'),
  ...agentFile('worker'),
};
/** Costs 0.025 USD. */
const usage = { input: 10_000, output: 0 };

/** Adds the same usage to each answer. */
function sameFor(step: StoryStep): (request: ModelRequest) => Step {
  return (request) => ({ ...(typeof step === 'function' ? step(request) : step), usage });
}

/** A panel that stays open throughout. */
class Watched {
  private readonly projector = new EventProjector();
  private readonly told: HostEvent[] = [];

  constructor(private readonly sessionId: string) {}

  follow(handle: AgentHandle): AgentHandle {
    handle.subscribe((event) => this.told.push(...this.shown(event)));
    return handle;
  }

  get usage(): ChatUsage {
    return this.told.reduce(reduceChat, emptyChat('s')).usage;
  }

  private shown(event: AgentEvent): HostEvent[] {
    return event.sessionId === this.sessionId ? this.projector.project(event) : this.projector.projectAgent(event);
  }
}

async function afterRestart(world: EngineWorld): Promise<ChatUsage> {
  const { engine } = await world.restart();
  const projector = new EventProjector();
  return replayHistory(await engine.sessions.open(world.sessionId), engine)
    .flatMap((event) => projector.project(event))
    .reduce(reduceChat, emptyChat('s')).usage;
}

describe('The session cost in a chat', () => {
  it('includes every request, even for summaries and titles, also after a restart', () =>
    withWorld(
      {
        files: FILES,
        story: [
          { when: (request) => request.tools.length === 0 || isSummingUp(request), step: { say: 'In short.', usage } },
          says('worker', { say: 'A long answer, that is to say.', usage }),
          ...[calls(spawn('worker', 'x')), collectAll, { say: 'Done.' }, { say: 'Again.' }].map(sameFor),
        ],
      },
      async (world) => {
        const watched = new Watched(world.sessionId);
        const handle = watched.follow(world.run('go', { ...LEAD, namesSession: true }));
        const named = new Deferred<void>();
        let isOver = false;
        handle.subscribe(({ type }) => {
          isOver ||= type === 'run-finished';
          if (type === 'session-renamed' && isOver) named.resolve();
        });
        await handle.outcome;
        await named.promise;
        await watched.follow(world.run('again', LEAD)).outcome;
        await watched.follow(world.run(undefined, { ...LEAD, compacts: true })).outcome;
        const all = world.server.requests.length;
        // Three requests plus one by the lead, one by the worker and one for its summary, one for the title, and one for the
        // compacted conversation.
        assert.equal(all, 8);
        assert.equal(watched.usage.inputTokens, all * 10_000);
        assert.equal(watched.usage.costUsd?.toFixed(3), (all * 0.025).toFixed(3));
        assert.equal(watched.usage.contextTokens, 10_000);
        const { inputTokens, costUsd } = await afterRestart(world);
        assert.deepEqual([inputTokens, costUsd?.toFixed(3)], [all * 10_000, (all * 0.025).toFixed(3)]);
        const chats = chatsOf(world);
        const [listed] = await chats.list();
        assert.equal(listed?.costUsd.toFixed(3), ((all - 1) * 0.025).toFixed(3), 'in the list all but the title');
        chats.dispose();
      },
    ));

  it('includes a request with an empty response', () =>
    withWorld({ story: [{ usage }] }, async (world) => {
      const watched = new Watched(world.sessionId);
      await watched.follow(world.run('go', LEAD_MODEL)).outcome;
      assert.deepEqual([watched.usage.inputTokens, watched.usage.costUsd], [10_000, 0.025]);
      const { inputTokens, costUsd } = await afterRestart(world);
      assert.deepEqual([inputTokens, costUsd], [10_000, 0.025]);
    }));

  it('is unknown when part of it has no price, both live and after a restart', () =>
    withWorld(
      {
        files: { ...FILES, ...agentFile('worker', 'model: openai:nobody-knows') },
        story: [
          { when: isSummingUp, step: { say: 'In short.', usage } },
          says('worker', { say: 'Yes.', usage }),
          ...[calls(spawn('worker', 'x')), collectAll, { say: 'Done.' }].map(sameFor),
        ],
      },
      async (world) => {
        const watched = new Watched(world.sessionId);
        await watched.follow(world.run('go', LEAD)).outcome;
        assert.equal(watched.usage.costUsd, null);
        const { inputTokens, costUsd } = await afterRestart(world);
        assert.deepEqual([inputTokens, costUsd], [watched.usage.inputTokens, null]);
      },
    ));
});
