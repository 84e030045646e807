import assert from 'node:assert/strict';
import { type AgentInternals, type AgentLoop, type ModelAsk, textOf } from '../../../src/engine';
import { userMessage } from '../../../src/engine/messages/message';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';

const SCHEMA = { type: 'object', properties: { bird: { type: 'string' } }, required: ['bird'] };
const FILES = { 'a.txt': 'heron' };

/** Runs `use` in a world with an agent `own` that runs this loop. */
function withLoop(loop: AgentLoop, options: WorldOptions, use: (world: EngineWorld) => Promise<void>): Promise<void> {
  return withWorld(options, (world) => {
    world.engine.registerAgent({ name: 'own', description: 'A program', prompt: 'You are own.', loop });
    return use(world);
  });
}

const bodies = ({ server }: EngineWorld) => server.requests.map(({ body }) => JSON.stringify(body));

/** Returns the error that a loop receives for this request. */
async function refusalOf(run: AgentInternals, ask: ModelAsk): Promise<string> {
  return run.askModel(ask).then(
    () => 'nothing was refused',
    (error: unknown) => String(error),
  );
}

describe('An agent program that sends its own model requests', () => {
  for (const [dialect, model, settings, forced, shaped] of [
    ['Responses', 'openai:gpt-4.1', { openai: { api: 'responses' } }, /"tool_choice":"required"/, /"text":\{"format"/],
    ['Chat Completions', 'openai:gpt-4.1', { openai: { api: 'chat' } }, /"tool_choice":"required"/, /response_format/],
    ['Messages', 'anthropic:test-model', {}, /"tool_choice":\{"type":"any"\}/, /"output_config":\{"format"/],
  ] as const) {
    it(`controls prompt, messages, tools, sampling and output schema over ${dialect}`, () =>
      withLoop(
        async (run) => {
          const { calls } = await run.askModel({
            system: 'You look.',
            messages: [userMessage('Which files?', 0, false)],
            tools: ['fs_ls'],
            toolChoice: 'required',
            temperature: 0.25,
            maxOutputTokens: 99,
          });
          await run.runCalls(calls);
          const { output } = await run.askModel({ tools: [], outputSchema: SCHEMA });
          return JSON.stringify(output);
        },
        {
          files: FILES,
          settings,
          story: [{ call: [{ name: 'fs_ls', arguments: {} }] }, { say: '{"bird":"heron"}' }],
        },
        async (world) => {
          const { outcome } = await world.play('go', { agent: 'own', model });
          assert.deepEqual(outcome, { kind: 'completed', answer: '{"bird":"heron"}' });
          const [first = '', second = ''] = bodies(world);
          assert.match(first, /You look\./);
          assert.match(first, /Which files\?/);
          assert.doesNotMatch(first, /You are own|fs_read/);
          assert.match(first, forced);
          assert.match(first, /"temperature":0\.25/);
          assert.match(first, /tokens":99/);
          assert.match(second, /You are own/);
          assert.match(second, /a\.txt/);
          assert.match(second, shaped);
          assert.doesNotMatch(second, /Which files|"tools"|temperature/);
          const { messages } = await (await world.restart()).engine.sessions.open(world.sessionId);
          assert.doesNotMatch(JSON.stringify(messages), /Which files/);
          assert.equal(messages.filter(({ role }) => role === 'assistant').length, 2);
        },
      ));
  }

  it('can make a thinking model call one tool', () =>
    withLoop(
      async (run) => {
        const { calls } = await run.askModel({ toolChoice: { tool: 'fs_ls' }, thinking: 'low' });
        return calls.map(({ name }) => name).join();
      },
      { story: [{ call: [{ name: 'fs_ls', arguments: {} }] }] },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'own', model: 'anthropic:claude-sonnet-5-5' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'fs_ls' });
        assert.match(bodies(world).join(), /"tool_choice":\{"type":"tool","name":"fs_ls"\}/);
        assert.match(bodies(world).join(), /"effort":"low"/);
      },
    ));

  it('takes other calls beside the one that it asked for, but not instead of it', () =>
    withLoop(
      async (run) => {
        const { calls } = await run.askModel({ toolChoice: { tool: 'fs_ls' } });
        const names = calls.map(({ name }) => name).join();
        assert.match(await refusalOf(run, { toolChoice: { tool: 'fs_ls' } }), /did not call fs_ls although/);
        return names;
      },
      {
        files: FILES,
        story: [
          {
            call: [
              { name: 'fs_read', arguments: { path: 'a.txt' } },
              { name: 'fs_ls', arguments: {} },
            ],
          },
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
        ],
      },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'own' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'fs_read,fs_ls' });
      },
    ));

  it('can use another model once, which is named and billed as such', () =>
    withLoop(
      async (run) => {
        const { message } = await run.askModel({ model: 'anthropic:claude-haiku-5-5' });
        return `${message.model}, then ${(await run.askModel()).message.model}`;
      },
      { story: [{ say: 'One.' }, { say: 'Two.' }] },
      async (world) => {
        const { outcome, events } = await world.play('go', { agent: 'own', model: 'openai:test-model' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'anthropic:claude-haiku-5-5, then openai:test-model' });
        const costs = events.flatMap((event) => (event.type === 'usage-reported' ? [event.costUsd] : []));
        assert.deepEqual(
          costs.map((cost) => cost === null),
          [false, true],
        );
      },
    ));

  it('gets a one-sentence error for an impossible request, before any model is asked', () => {
    const thinks = 'anthropic:claude-sonnet-5-5';
    const asks: [ModelAsk, RegExp][] = [
      [{ tools: ['fly'] }, /The agent has no tool fly\. Its tools are: .*fs_ls/],
      [{ model: 'nowhere:m' }, /nowhere/],
      [{ model: thinks, temperature: 1 }, /does not accept a temperature/],
      [{ model: 'openai:gpt-4.1', thinking: 'high' }, /does not take the thinking effort “high”/],
      [{ model: thinks, maxOutputTokens: 10_000_000 }, /writes at most \d+ tokens/],
      [{ tools: [], toolChoice: 'required' }, /there are no tools/],
      [{ model: 'anthropic:claude-opus-5-5', toolChoice: 'required' }, /cannot be told to call a tool/],
      [{ model: 'anthropic:claude-mythos-5-2', toolChoice: { tool: 'fs_ls' } }, /cannot be told to call a tool/],
      [{ tools: ['fs_ls'], toolChoice: { tool: 'fs_read' } }, /names fs_read, which is not among the tools/],
      [{ temperature: 3 }, /temperature/],
      [{ outputSchema: { type: 'string' } }, /outputSchema/],
    ];
    return withLoop(
      async (run) => {
        for (const [ask, said] of asks) assert.match(await refusalOf(run, ask), said);
        return 'All were refused.';
      },
      { files: FILES },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'own' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'All were refused.' });
        assert.equal(world.server.requests.length, 0);
      },
    );
  });

  it('gets an error when the model does not comply, and can ask again', () =>
    withLoop(
      async (run) => {
        assert.match(await refusalOf(run, { toolChoice: 'required' }), /did not call a tool/);
        assert.match(await refusalOf(run, { outputSchema: SCHEMA }), /did not answer with JSON/);
        assert.match(await refusalOf(run, { outputSchema: SCHEMA }), /does not match the schema \(.*bird/);
        const { output } = await run.askModel({ outputSchema: SCHEMA });
        return JSON.stringify(output);
      },
      { story: [{ say: 'No.' }, { say: 'A heron.' }, { say: '{}' }, { say: '```json\n{"bird":"stork"}\n```' }] },
      async (world) => {
        const { outcome } = await world.play('go', { agent: 'own' });
        assert.deepEqual(outcome, { kind: 'completed', answer: '{"bird":"stork"}' });
      },
    ));

  it('can check what would happen to a call without making it', () =>
    withLoop(
      async (run) => {
        const read = await run.checkPermission('fs_read', { path: 'a.txt' });
        const write = await run.checkPermission('fs_write', { path: 'b.txt', contents: 'x' });
        await assert.rejects(run.checkPermission('fly', {}), /There is no tool "fly"/);
        await assert.rejects(run.checkPermission('fs_read', {}), /The arguments of fs_read do not fit/);
        return `${read.action}, ${write.action}`;
      },
      { files: FILES, approvalMode: 'edits-and-commands' },
      async (world) => {
        const { outcome, events } = await world.play('go', { agent: 'own' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'allow, ask' });
        assert.equal(events.filter(({ type }) => type === 'approval-requested' || type === 'tool-started').length, 0);
        await assert.rejects(world.read('b.txt'));
      },
    ));
});

/** Two nodes: the answer of the first determines the prompt of the second. */
const sorted: AgentLoop = async (run) => {
  const { text } = await run.receive();
  const nodes: Record<string, () => Promise<string>> = {
    sort: async () => {
      const { output } = await run.askModel({
        system: 'Sort what is asked.',
        tools: [],
        outputSchema: { type: 'object', properties: { kind: { enum: ['bird', 'fish'] } }, required: ['kind'] },
      });
      return `answer-${JSON.stringify(output).includes('fish') ? 'fish' : 'bird'}`;
    },
    'answer-bird': async () => answer('You know birds.'),
    'answer-fish': async () => answer('You know fish.'),
  };
  const answer = async (system: string): Promise<string> => {
    for (;;) {
      const { calls, text: said } = await run.askModel({ system, tools: ['fs_read'] });
      if (calls.length === 0) return `end: ${said}`;
      await run.runCalls(calls);
    }
  };
  let next = 'sort';
  while (!next.startsWith('end: ')) next = (await nodes[next]?.()) ?? `end: no node ${next} for ${text}`;
  return next.slice('end: '.length);
};

describe('A loop of two nodes', () => {
  for (const kind of ['bird', 'fish']) {
    it(`continues to the ${kind} node when the first one says so`, () =>
      withLoop(
        sorted,
        {
          files: FILES,
          story: [
            { say: JSON.stringify({ kind }) },
            { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
            ({ lastText }) => ({ say: `It is a ${/heron/.exec(lastText)?.[0] ?? 'riddle'}.` }),
          ],
        },
        async (world) => {
          const { outcome } = await world.play('What is in a.txt?', { agent: 'own' });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'It is a heron.' });
          const [first, ...others] = bodies(world);
          assert.match(first ?? '', /Sort what is asked/);
          for (const other of others) assert.match(other, new RegExp(`You know ${kind === 'bird' ? 'birds' : 'fish'}`));
          const session = await world.engine.sessions.open(world.sessionId);
          assert.match(session.messages.map((one) => (one.role === 'tool' ? '' : textOf(one))).join(), /It is a heron/);
        },
      ));
  }
});
