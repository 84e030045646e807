import assert from 'node:assert/strict';
import type { ApprovalAnswer } from '../../src/engine';
import { EventProjector } from '../../src/chat/eventProjector';
import { failureAction, stoppedText } from '../../src/chat/notices';
import { replayHistory } from '../../src/chat/replayHistory';
import type { ChatEntry, ChatState } from '../../src/protocol/chatState';
import { reduceChat } from '../../src/protocol/reduceChat';
import { emptyChat } from '../support/emptyChat';
import { type EngineWorld, withWorld } from '../support/engineWorld';

/** Returns what a panel shows after it has watched a run. */
async function watch(world: EngineWorld, input: string): Promise<ChatState> {
  const projector = new EventProjector();
  const { events } = await world.play(input);
  return events.flatMap((event) => projector.project(event)).reduce(reduceChat, emptyChat('s'));
}

/** Returns what a panel shows if it is opened after a restart. */
async function reopen(world: EngineWorld): Promise<ChatState> {
  const { engine } = await world.restart();
  const projector = new EventProjector();
  const session = await engine.sessions.open(world.sessionId);
  return replayHistory(session, engine)
    .flatMap((event) => projector.project(event))
    .reduce(reduceChat, emptyChat('s'));
}

/** Removes what only a watching panel knows: the times during the run, and the streamed output. */
function lasting(entry: ChatEntry): unknown {
  if (entry.kind === 'tool') return { ...entry, startedAt: null, durationMs: null, output: '' };
  if (entry.kind === 'thinking') return { ...entry, durationMs: null };
  return entry;
}

describe('A chat', () => {
  const story = [
    {
      think: 'Hm.',
      signature: 'sig',
      say: 'I plan.',
      call: [
        { name: 'todo__init', arguments: { todos: ['edit', 'run'] } },
        { name: 'fs_read', arguments: { path: 'a.txt' } },
      ],
    },
    { call: [{ name: 'fs_edit', arguments: { path: 'a.txt', old_string: 'one', new_string: 'two' } }] },
    { say: 'Now a command.', call: [{ name: 'execute_command', arguments: { command: 'echo hello' } }] },
    { call: [{ name: 'fs_write', arguments: { path: 'b.txt', contents: 'b' } }] },
    { say: 'All **done**.' },
  ];
  const approve = ({ tool }: { tool: string }): ApprovalAnswer =>
    tool === 'fs_write' ? { kind: 'reject', by: 'person', reason: 'no b' } : { kind: 'once' };

  it('looks the same reopened as it did live', () =>
    withWorld({ approvalMode: 'edits-and-commands', files: { 'a.txt': 'one\n' }, story, approve }, async (world) => {
      const watched = await watch(world, 'do it');
      const reopened = await reopen(world);
      assert.deepEqual(reopened.entries.map(lasting), watched.entries.map(lasting));
      assert.deepEqual(reopened.todos, watched.todos);
      assert.equal(reopened.title, watched.title);
      assert.equal(reopened.run, null);
    }));

  it('shows skills and automatic continuation in the same lines when reopened', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/guide.md': '---\nauto_continue: true\nskills: [maps]\n---\nGuide.',
          '.cairn/skills/maps/SKILL.md': '---\nname: maps\ndescription: Maps\nauto_unload: true\n---\nNorth is up.',
        },
        story: [
          { call: [{ name: 'todo__init', arguments: { todos: ['look'] } }] },
          { say: 'I stop.' },
          { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const session = await world.engine.sessions.open(world.sessionId);
        await session.configure({ agent: 'guide' });
        const watched = await watch(world, 'look');
        const told = ({ entries }: ChatState) => entries.flatMap((one) => (one.kind === 'notice' ? [one.text] : []));
        assert.deepEqual(told(watched), [
          'Skill maps loaded',
          'Continuing automatically: 1 of 10, 1 to-do open',
          'Skill maps unloaded',
        ]);
        const reopened = await reopen(world);
        assert.deepEqual(reopened.entries.map(lasting), watched.entries.map(lasting));
      },
    ));

  it('summarizes a turn: files with line counts, commands, tokens', () =>
    withWorld({ approvalMode: 'edits-and-commands', files: { 'a.txt': 'one\n' }, story, approve }, async (world) => {
      const turn = (await watch(world, 'do it')).entries.at(-1);
      assert.ok(turn?.kind === 'turn');
      assert.equal(turn.outcome, 'rejected');
      assert.deepEqual(turn.files, [{ path: 'a.txt', added: 1, removed: 1 }]);
      assert.equal(turn.commands, 1);
      assert.ok(turn.inputTokens > 0 && turn.outputTokens > 0);
    }));

  it('has nothing pending and nothing streaming after a run', () =>
    withWorld({ approvalMode: 'edits-and-commands', files: { 'a.txt': 'one\n' }, story, approve }, async (world) => {
      const state = await watch(world, 'do it');
      assert.deepEqual([state.approvals, state.questions, state.run], [[], [], null]);
      const open = state.entries.filter((entry) =>
        entry.kind === 'tool'
          ? !/ok|error|rejected|cancelled/.test(entry.status)
          : 'streaming' in entry && entry.streaming,
      );
      assert.deepEqual(open, []);
    }));

  for (const [fail, label] of [
    ['cut-after', 'Continue'],
    [{ status: 400 }, 'Choose another model'],
  ] as const) {
    it(`offers “${label}” when the model failed with ${JSON.stringify(fail)}`, () =>
      withWorld({ story: [{ say: 'Half of it', chunk: 4, fail }] }, async (world) => {
        const notice = (await watch(world, 'go')).entries.find((entry) => entry.kind === 'notice');
        assert.equal(notice?.level, 'error');
        assert.equal(notice.action?.label, label);
      }));
  }

  it('offers what helps with each kind of failure', () => {
    const helpIn = (reason: Parameters<typeof failureAction>[0]) => {
      const action = failureAction(reason);
      return action && ('command' in action ? action.command : action.resume);
    };
    for (const reason of ['auth', 'no-key'] as const) assert.equal(helpIn(reason), 'setApiKey', reason);
    for (const reason of ['session', 'internal'] as const) assert.equal(helpIn(reason), 'showLog', reason);
    for (const reason of ['unknown-model', 'context-overflow', 'bad-request', 'rate-limit', 'server'] as const)
      assert.equal(helpIn(reason), 'chooseModel', reason);
    assert.equal(helpIn('unknown-agent'), 'chooseAgent');
    assert.equal(helpIn('unreachable'), 'openBaseUrls');
    for (const reason of ['graph', 'cut-stream'] as const) assert.equal(helpIn(reason), true, reason);
    for (const reason of ['tool', 'configuration', 'cancelled'] as const) assert.equal(helpIn(reason), null, reason);
  });

  it('names the limit that stopped a run, and where to raise it', () => {
    for (const [limit, words] of [
      ['turns', /limit of turns.*Continue, or raise the limit/],
      ['tokens', /token limit.*Continue, or raise the limit/],
      ['cost', /cost limit.*Continue, or raise the limit/],
      ['time', /time limit.*Continue, or raise the limit/],
      ['depth', /depth limit.*Continue, or raise the limit/],
      ['repeats', /repeating the same tool call\.$/],
    ] as const)
      assert.match(stoppedText(limit), words);
  });

  it('shows which call is running while several begin one after the other', () =>
    withWorld(
      {
        files: { 'a.txt': 'one' },
        story: [
          {
            call: [
              { name: 'fs_read', arguments: { path: 'a.txt' } },
              { name: 'fs_ls', arguments: { path: '.' } },
            ],
          },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const projector = new EventProjector();
        const { events } = await world.play('look');
        const told = events.flatMap((event) => projector.project(event));
        const activities = told.flatMap((one) =>
          one.type === 'run-changed' && one.run?.state === 'running-tool' ? [one.run.activity] : [],
        );
        assert.equal(activities.length, 2, activities.join());
        assert.match(activities.join(), /a\.txt/);
      },
    ));

  it('shows a call that the model did not finish as cancelled', () =>
    withWorld(
      { story: [{ call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }], chunk: 2, fail: 'cut-after' }] },
      async (world) => {
        const tools = (await watch(world, 'go')).entries.filter((entry) => entry.kind === 'tool');
        assert.deepEqual(
          tools.map(({ status }) => status),
          ['cancelled'],
        );
      },
    ));
});
