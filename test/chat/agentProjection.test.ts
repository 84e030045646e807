import assert from 'node:assert/strict';
import { EventProjector } from '../../src/chat/eventProjector';
import { replayHistory } from '../../src/chat/replayHistory';
import type { AgentEvent } from '../../src/engine';
import type { AgentEntry, ChatState } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';
import { agentFile, call, calls, callsThenSays, leadsUntilDone, says, spawn } from '../engine/agents/team/teamStory';
import { emptyChat } from '../support/emptyChat';
import { type EngineWorld, withWorld } from '../support/engineWorld';
import { openChat } from '../support/openChat';

const FILES = {
  ...agentFile('lead', 'mode: primary\ncan_spawn_agents: true'),
  ...agentFile('middle', 'can_spawn_agents: true'),
  ...agentFile('worker'),
};
const LEAD = { agent: 'lead' };

function shown(projector: EventProjector, sessionId: string, events: readonly AgentEvent[]): HostEvent[] {
  return events.flatMap((event) =>
    event.sessionId === sessionId ? projector.project(event) : projector.projectAgent(event),
  );
}

const agentsIn = ({ entries }: ChatState) => entries.filter((entry): entry is AgentEntry => entry.kind === 'agent');

async function reopened(world: EngineWorld): Promise<ChatState> {
  const { engine } = await world.restart();
  const projector = new EventProjector();
  return replayHistory(await engine.sessions.open(world.sessionId), engine)
    .flatMap((event) => projector.project(event))
    .reduce(reduceChat, emptyChat('s'));
}

describe('Agents in a chat', () => {
  const usage = { input: 300, output: 20 };
  const story = [
    says('worker', { say: 'Bottom of it.', usage }),
    leadsOnce('middle', 'Found it.'),
    says('lead', (request) => leadStep(request)),
  ];
  // Functions of the request, so that each agent proceeds as far as its own conversation has come.
  function leadsOnce(agent: string, last: string) {
    return says(agent, (request) => {
      const results = request.messages.flatMap((message) => message.results.map(({ text }) => text));
      if (results.length === 0) return { ...calls(spawn('worker', 'deeper')), usage };
      const id = /agent_worker_\w+/.exec(results.join())?.[0];
      return results.length === 1 ? { ...call('agent__collect', { id }), usage } : { say: last, usage };
    });
  }
  function leadStep(request: { messages: readonly { results: readonly { text: string }[] }[] }) {
    const results = request.messages.flatMap((message) => message.results.map(({ text }) => text));
    if (results.length === 0) return calls(spawn('middle', 'Look.\nEverywhere.'));
    const id = /agent_middle_\w+/.exec(results.join())?.[0];
    return results.length === 1 ? call('agent__collect', { id }) : { say: 'Done.' };
  }

  it('have one card each that includes their subagents, unchanged after a restart', () =>
    withWorld({ files: FILES, story }, async (world) => {
      const { events } = await world.play('go', LEAD);
      const watched = shown(new EventProjector(), world.sessionId, events).reduce(reduceChat, emptyChat('s'));
      const [card, ...others] = agentsIn(watched);
      assert.deepEqual(others, []);
      assert.ok(card);
      const { agent, task, status, answer, tokens, activity } = card;
      assert.deepEqual(
        [agent, task, status, answer, activity],
        ['middle', 'Look.\nEverywhere.', 'completed', 'Found it.', ''],
      );
      assert.equal(tokens, 4 * 320);
      const after = await reopened(world);
      assert.deepEqual(
        agentsIn(after).map((entry) => ({ ...entry, startedAt: 0 })),
        agentsIn(watched).map((entry) => ({ ...entry, startedAt: 0 })),
      );
      const total = ({ usage: of }: ChatState) => of.inputTokens + of.outputTokens;
      assert.equal(total(after), total(watched));
    }));

  it('count edits and commands toward the turn that started them, also after a restart', () => {
    const write = (path: string, contents: string) => ['fs_write', { path, contents }] as const;
    const run = ['execute_command', { command: 'true' }] as const;
    const story = [
      callsThenSays('worker', calls(write('deep.txt', 'a\nb\n'), write('shared.txt', 'mine\n')), 'Ok.'),
      leadsUntilDone(calls(spawn('worker', 'x'), write('own.txt', 'c\n'), run), '.'),
    ];
    return withWorld({ files: FILES, story }, async (world) => {
      const { events } = await world.play('go', LEAD);
      const watched = shown(new EventProjector(), world.sessionId, events).reduce(reduceChat, emptyChat('s'));
      const line = ({ entries }: ChatState) => entries.flatMap((entry) => (entry.kind === 'turn' ? [entry] : []));
      const [turn, ...others] = line(watched);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [turn?.commands, turn?.files.map(({ path, added }) => `${path} +${added}`).sort()],
        [1, ['deep.txt +2', 'own.txt +1', 'shared.txt +1']],
      );
      const [after] = line(await reopened(world));
      // Two agents write concurrently, so the order may vary.
      const byPath = (one: typeof turn) => one?.files.toSorted((a, b) => a.path.localeCompare(b.path));
      assert.deepEqual([after?.commands, byPath(after)], [turn?.commands, byPath(turn)]);
    });
  });

  it('show their current activity, without updates while they stream', () =>
    withWorld(
      {
        files: FILES,
        story: [
          callsThenSays('worker', call('fs_ls', {}), {
            say: 'Many words that come in small pieces, one by one.',
            chunk: 4,
          }),
          leadsUntilDone(calls(spawn('worker', 'x')), '.'),
        ],
      },
      async (world) => {
        const { events } = await world.play('go', LEAD);
        const told = shown(new EventProjector(), world.sessionId, events);
        const activities = told.flatMap((event) => (event.type === 'agent-changed' ? [event.changes.activity] : []));
        assert.deepEqual(
          activities.filter((activity) => activity !== undefined),
          ['List the workspace', 'Answering', ''],
        );
      },
    ));

  it('show what a request of theirs waits for', () =>
    withWorld(
      {
        files: FILES,
        story: [
          callsThenSays('worker', call('fs_ls', {}), { say: 'Here.' }),
          leadsUntilDone(calls(spawn('worker', 'x')), '.'),
        ],
      },
      async (world) => {
        const { events } = await world.play('go', LEAD);
        const text = 'Rate limit reached. Trying again in 12 s.';
        // As if the first request had been refused.
        const told = events.flatMap((event): AgentEvent[] =>
          event.type === 'tool-prepared' && event.agentPath.length > 1
            ? [{ ...event, type: 'notice', level: 'info', text, waitMs: 12_000 }, event]
            : [event],
        );
        const activities = shown(new EventProjector(), world.sessionId, told).flatMap((event) =>
          event.type === 'agent-changed' ? (event.changes.activity ?? []) : [],
        );
        assert.deepEqual(activities, [text, 'List the workspace', 'Answering', '']);
      },
    ));

  it('show questions and approvals on their card with their name, then remove them', async () => {
    const seen: ChatState[] = [];
    const projector = new EventProjector();
    let state = emptyChat('s');
    await withWorld(
      {
        files: FILES,
        approvalMode: 'edits-and-commands',
        approve: () => {
          seen.push(state);
          return { kind: 'once' };
        },
        story: [
          callsThenSays('worker', call('fs_write', { path: 'a.txt', contents: 'a' }), 'Ok.'),
          leadsUntilDone(calls(spawn('worker', 'x')), '.'),
        ],
      },
      async (world) => {
        const handle = world.run('go', LEAD);
        handle.subscribe((event) => {
          state = shown(projector, world.sessionId, [event]).reduce(reduceChat, state);
        });
        await handle.outcome;
        const [asked] = seen[0]?.approvals ?? [];
        assert.match(asked?.title ?? '', /^worker: .*a\.txt/);
        assert.equal(asked?.entryId, agentsIn(state)[0]?.id);
        assert.equal(seen[0]?.run?.state, 'waiting-for-approval');
        assert.deepEqual(state.approvals, []);
        assert.deepEqual(
          state.entries.findLast(({ kind }) => kind === 'turn'),
          {
            ...state.entries.findLast(({ kind }) => kind === 'turn'),
            files: [{ path: 'a.txt', added: 1, removed: 0 }],
          },
        );
      },
    );
  });

  it('have a chat of their own that is complete when it is opened while they work', () =>
    withWorld(
      {
        files: FILES,
        story: [
          callsThenSays('worker', call('fs_ls', {}), { say: 'First half, second half.', chunk: 12, hold: 'half' }),
          leadsUntilDone(calls(spawn('worker', 'Look.')), '.'),
        ],
      },
      async (world) => {
        const handle = world.run('go', LEAD);
        const childId = await new Promise<string>((resolve) => {
          handle.subscribe(
            (event) => event.type === 'text-delta' && event.agentPath.length > 1 && resolve(event.sessionId),
          );
        });
        const chat = await openChat(world, { of: childId });
        const said = () => chat.state.entries.flatMap((entry) => (entry.kind === 'text' ? [entry.text] : []));
        assert.deepEqual(
          chat.state.entries.map(({ kind }) => kind),
          ['user', 'tool', 'text'],
        );
        assert.deepEqual(said(), ['First half, ']);
        assert.equal(chat.state.run?.state, 'answering');
        world.server.release('half');
        await handle.outcome;
        assert.deepEqual(said(), ['First half, second half.']);
        assert.equal(chat.state.run, null);
        chat.dispose();
      },
    ));
});
