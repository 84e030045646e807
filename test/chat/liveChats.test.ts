import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import type { LiveChat } from '../../src/chat/liveChat';
import { until } from '../editor/until';
import { chatsOf } from '../support/chatsOf';
import { collectGarbage } from '../support/collectGarbage';
import { withWorld } from '../support/engineWorld';
import type { Story, WhenStep } from '../support/modelServer/story';

describe('The chats of a window', () => {
  it('keep the model just chosen when an older lookup finishes later', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ model: null });
      const answered = new Deferred<void>();
      const modelFor = world.engine.modelFor.bind(world.engine);
      world.engine.modelFor = async (request) => {
        const id = await modelFor(request);
        await answered.promise;
        return id;
      };
      const before = chats.tellModel(chat);
      await chat.session.configure({ model: 'openai:gpt-5' });
      await chats.tellModel(chat);
      answered.resolve();
      await before;
      assert.equal(chat.state.model.id, 'openai:gpt-5');
      chats.dispose();
    }));

  it('keep the default model that they were used with when the default changes, during a run and afterwards', () => {
    const settings = { model: 'openai:first' };
    const titles: WhenStep = { when: ({ lastText }) => lastText.startsWith('<conversation>'), step: { say: 'Named' } };
    const story: Story = [titles, { hold: 'half', say: 'One moment. ' }, { say: 'Still here.' }, { say: 'New.' }];
    return withWorld({ settings, story }, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ model: null });
      await chats.tellModel(chat);
      const run = chat.run({ text: 'go' });
      await until('the request', () => Promise.resolve(world.server.requests.length === 1));
      settings.model = 'openai:second';
      await chats.defaultModelChanged();
      assert.equal(chat.state.model.id, 'openai:first');
      world.server.release('half');
      await run.outcome;
      await chats.defaultModelChanged();
      assert.equal(chat.state.model.id, 'openai:first');
      await chat.run({ text: 'on' }).outcome;
      const fresh = await chats.openNew();
      await chats.defaultModelChanged();
      assert.equal(fresh.state.model.id, 'openai:second');
      await fresh.run({ text: 'new' }).outcome;
      const branch = await chats.open((await world.engine.sessions.branch(chat.session.id, { after: run.id })).id);
      assert.equal(branch.state.model.id, 'openai:first');
      const answered = ({ session }: LiveChat) =>
        session.messages.flatMap((message) => (message.role === 'assistant' ? [message.model] : []));
      assert.deepEqual(answered(chat), ['openai:first', 'openai:first']);
      assert.deepEqual(answered(fresh), ['openai:second']);
      chats.dispose();
    });
  });

  it('never show Full auto in a folder that is not trusted, whoever asked for it, until it is', () => {
    const story: Story = [{ say: 'Read only.' }];
    const set = { approvalMode: 'nothing', isTrusted: false };
    return withWorld({ story, approvalMode: 'nothing' }, async (world) => {
      const chats = chatsOf(world, set);
      const restored = await chats.open(world.sessionId);
      const fresh = await chats.openNew();
      const asked = await chats.openFor({ approvalMode: 'nothing' });
      const all = [restored, fresh, asked];
      const shown = () => all.map(({ state }) => state.approvalMode);
      assert.deepEqual(
        shown(),
        all.map(() => 'edits-and-commands'),
      );
      set.isTrusted = true;
      await chats.welcomeChanged();
      assert.deepEqual(
        shown(),
        all.map(() => 'nothing'),
      );
      chats.dispose();
    });
  });

  it('of the tour take the first real model', () => {
    const settings = { model: 'demo:tour' };
    return withWorld({ settings, story: [{ say: 'Real.' }] }, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ model: null });
      await chats.tellModel(chat);
      await chat.run({ text: 'hello' }).outcome;
      settings.model = 'openai:real';
      await chats.defaultModelChanged();
      assert.equal(chat.state.model.id, 'openai:real');
      chats.dispose();
    });
  });

  it('show starters until the conversation begins', () =>
    withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ agent: 'demo' });
      await chats.setupChanged();
      assert.ok(chat.state.setup.starters.length > 0);
      await chat.run({ text: 'hi' }).outcome;
      await chats.setupChanged();
      assert.deepEqual(chat.state.setup.starters, []);
      chats.dispose();
    }));

  it('show a run that somebody else starts in their session, while it works and each call once', () =>
    withWorld(
      {
        approvalMode: 'nothing',
        story: [
          { call: [{ name: 'execute_command', arguments: { command: 'echo hello' } }] },
          { say: 'First half, second half.', chunk: 12, hold: 'half' },
        ],
      },
      async (world) => {
        const chats = chatsOf(world);
        const chat = await chats.open(world.sessionId);
        const { outcome } = world.run('go');
        const said = () => chat.state.entries.flatMap((entry) => (entry.kind === 'text' ? [entry.text] : []));
        await until('the answer to begin', () => said().join() === 'First half, ');
        assert.equal(chat.state.run?.state, 'answering');
        world.server.release('half');
        await outcome;
        assert.deepEqual([said(), chat.state.run], [['First half, second half.'], null]);
        const live = chat.state.entries.map(({ kind }) => kind);
        assert.deepEqual(live, ['user', 'tool', 'text', 'turn']);
        const output = chat.state.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.output] : []));
        assert.deepEqual(output, ['hello\n']);
        const turns = (all: LiveChat) => all.state.entries.filter(({ kind }) => kind === 'turn');
        const again = await chatsOf(await world.restart()).open(world.sessionId);
        assert.deepEqual(turns(again), turns(chat), 'what undoes a turn needs to know its run');
        chats.dispose();
      },
    ));

  it('show the agent that another window chooses', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(await world.restart());
      const chat = await chats.open(world.sessionId);
      const following = chat.followOthers();
      await until('the first look', () => chat.state.setup.agent !== '');
      await (await world.engine.sessions.open(world.sessionId)).configure({ agent: 'demo' });
      await until('its starters', () => chat.state.setup.agent === 'demo' && chat.state.setup.starters.length > 0);
      following.dispose();
      chats.dispose();
    }));

  it('have one session for each name', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const first = await chats.openNamed('nightly');
      assert.equal(first.session.metadata.name, 'nightly');
      assert.equal(await chats.openNamed('nightly'), first);
      assert.notEqual(await chats.openNamed('weekly'), first);
      chats.dispose();
    }));

  it('all show what has changed about the workspace', () =>
    withWorld({}, async (world) => {
      const set = { workspaceName: 'before' };
      const chats = chatsOf(world, set);
      const all = [await chats.open(world.sessionId), await chats.openNamed('other')];
      set.workspaceName = 'after';
      await chats.welcomeChanged();
      assert.deepEqual(
        all.map(({ state }) => state.welcome.workspaceName),
        ['after', 'after'],
      );
      chats.dispose();
    }));

  it('show which of their own files are left to review', () =>
    withWorld({}, async (world) => {
      const file = { runId: 'r', path: 'a.ts', added: 1, removed: 0 };
      const left: Record<string, (typeof file)[]> = {};
      const chats = chatsOf(world, {}, undefined, (sessionId) => left[sessionId] ?? []);
      const chat = await chats.open(world.sessionId);
      left[world.sessionId] = [file];
      await chats.reviewChanged();
      assert.deepEqual(chat.state.toReview, [file]);
      chats.dispose();
    }));

  it('create one session when two panels ask at once and none exists', () =>
    withWorld({}, async (world) => {
      await world.engine.sessions.delete(world.sessionId);
      const chats = chatsOf(world);
      const [one, other] = await Promise.all([chats.openBest(undefined), chats.openBest('gone')]);
      assert.equal(one.session.id, other.session.id);
      assert.equal((await world.engine.sessions.list()).length, 1);
      chats.dispose();
    }));

  it('list which of them wait for the user, including for a subagent', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const lead = await world.engine.sessions.open(world.sessionId);
      const { workspace, model, approvalMode } = lead.metadata;
      const parent = { sessionId: lead.id, callId: 'c' };
      const child = await world.engine.sessions.create({ workspace, model, approvalMode, name: null, parent });
      const chat = await chats.open(child.id);
      await world.engine.sessions.rename(lead.id, 'Fix it');
      await world.engine.sessions.rename(child.id, 'Look');
      const waits = async () =>
        (await chats.list()).map(({ title, waiting, children }) => [
          title,
          waiting,
          children.map((one) => one.waiting),
        ]);
      assert.deepEqual(await waits(), [['Fix it', false, [false]]]);
      chat.publish([
        {
          type: 'question-added',
          question: { questionId: 'q', entryId: 'e', agent: 'coder', question: 'Which?', kind: 'input', options: [] },
        },
      ]);
      await until('it to wait', () => chat.told.questions.length === 1);
      assert.deepEqual(await waits(), [['Fix it', true, [true]]]);
      chats.dispose();
    }));

  it('list the state of each session, the number of files it changed, and favorites', () => {
    const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'a' } });
    return withWorld(
      {
        approvalMode: 'nothing',
        story: [
          { call: [write('a.txt'), write('b.txt')] },
          { call: [write('a.txt')] },
          { hold: 'half', say: 'One moment. ' },
        ],
      },
      async (world) => {
        const chats = chatsOf(world);
        const chat = await chats.open(world.sessionId);
        const listed = async () => (await chats.list())[0];
        const run = chat.run({ text: 'go' });
        await until('the answer to begin', () => chat.told.entries.some(({ kind }) => kind === 'text'));
        assert.deepEqual([(await listed())?.activity, (await listed())?.running], [chat.told.run?.activity, true]);
        world.server.release('half');
        await run.outcome;
        await until('the end to be told', () => chat.told.run === null);
        const ended = await listed();
        assert.deepEqual([ended?.activity, ended?.files, ended?.running], [null, 2, false]);
        const { modifiedAt } = chat.session.metadata;
        await chat.session.configure({ isFavorite: true, modifiedAt });
        chats.dispose();
        const again = await world.restart();
        const kept = (await again.engine.sessions.list()).find(({ id }) => id === world.sessionId);
        assert.deepEqual([kept?.isFavorite, kept?.modifiedAt, kept?.spent.files], [true, modifiedAt, 2]);
      },
    );
  });

  it('have the conversation starters of the agent chosen last', () =>
    withWorld({}, async (world) => {
      const chats = chatsOf(world);
      const chat = await chats.open(world.sessionId);
      await chat.session.configure({ agent: 'demo' });
      const answered = new Deferred<void>();
      const startersOf = world.engine.starters.bind(world.engine);
      world.engine.starters = async (agent) => {
        const starters = await startersOf(agent);
        if (agent === 'demo') await answered.promise;
        return starters;
      };
      const before = chats.tellSetup(chat);
      await chat.session.configure({ agent: 'coder' });
      await chats.tellSetup(chat);
      answered.resolve();
      await before;
      assert.equal(chat.state.setup.agent, 'coder');
      assert.deepEqual(chat.state.setup.starters, await world.engine.starters('coder'));
      chats.dispose();
    }));

  it('start with the current approval mode, even when an empty session has another', () =>
    withWorld({}, async (world) => {
      const set = { approvalMode: 'edits-and-commands' };
      const chats = chatsOf(world, set);
      const before = await chats.openNew();
      assert.equal(await chats.openNew(), before, 'the empty one serves as long as nothing has changed');
      set.approvalMode = 'everything';
      assert.equal((await chats.openNew()).state.approvalMode, 'everything');
      chats.dispose();
    }));

  it('are released from memory when their sessions are deleted', () =>
    withWorld({ story: [{ when: () => true, step: { say: 'Yes.' } }] }, async (world) => {
      const chats = chatsOf(world);
      const { workspace, model, approvalMode } = (await world.engine.sessions.open(world.sessionId)).metadata;
      const shown = async () => {
        const { id } = await world.engine.sessions.create({ workspace, model, approvalMode, name: null });
        const chat = await chats.open(id);
        await chat.run({ text: 'Hello' }).outcome;
        for (const gone of await world.engine.deleteSession(id)) await chats.forget(gone);
        return new WeakRef(chat);
      };
      const all = [await shown(), await shown(), await shown()];
      await collectGarbage();
      // The last chat may still be referenced, so it is not checked.
      assert.deepEqual(
        all.slice(0, -1).map((one) => one.deref() === undefined),
        [true, true],
      );
      chats.dispose();
    }));
});
