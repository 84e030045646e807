import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/disposable';
import { type AgentEvent, type Engine, EngineError, type Provider } from '../../src/engine';
import type { PluginTool } from '../../src/engine/tools/plugin/pluginTool';
import { withWorld } from '../support/engineWorld';
import { call, resultsIn } from './agents/team/teamStory';

const weather: PluginTool = {
  name: 'acme_weather',
  description: 'Tells the weather of a town.',
  category: 'network',
  inputSchema: {
    type: 'object',
    properties: { town: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['C', 'F'] } },
    required: ['town'],
    additionalProperties: false,
  },
  title: ({ town }) => `Weather of ${String(town)}`,
  permission: () => ({ host: 'weather.example' }),
  run: ({ town }) => Promise.resolve(`Rain in ${String(town)}.`),
};

describe('A contributed tool', () => {
  it('is offered with its schema, asks for approval like built-in tools, and answers', () => {
    const asked: string[] = [];
    return withWorld(
      {
        story: [call('acme_weather', { town: 'Kiel' }), (request) => ({ say: resultsIn(request).join() })],
        approvalMode: 'everything',
        approve: ({ tool, title }) => {
          asked.push(`${tool}: ${title}`);
          return { kind: 'once' };
        },
      },
      async (world) => {
        world.engine.registerTool(weather);
        const { outcome } = await world.play('weather');
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Rain in Kiel.' });
        assert.deepEqual(asked, ['acme_weather: Weather of Kiel']);
        assert.match(JSON.stringify(world.server.requests[0]?.body), /"unit":\{"enum":\["C","F"\]\}/);
      },
    );
  });

  it('is subject to the user’s rules, by its name and its host', () =>
    withWorld(
      { story: [call('acme_weather', { town: 'Kiel' }), (request) => ({ say: resultsIn(request).join() })] },
      async (world) => {
        world.engine.registerTool(weather);
        const host = { kind: 'host', pattern: '*.example' } as const;
        await world.engine.permissions.add('user', world.folder, [{ tool: 'acme_*', argument: host, action: 'deny' }]);
        const { outcome } = await world.play('weather');
        assert.match(JSON.stringify(outcome), /Not allowed/);
        await world.engine.permissions.add('user', world.folder, [{ tool: 'acme_*', action: 'deny' }]);
        await world.play('again').catch(() => undefined);
        assert.ok(!world.server.requests.at(-1)?.tools.includes('acme_weather'));
      },
    ));

  it('is subject to the rules and lists of agents, skills and roles, by its name', () => {
    const head = (fields: string) => `---\ndescription: Helps\n${fields}\n---\nYou help.`;
    return withWorld(
      {
        story: [call('acme_weather', { town: 'Kiel' }), (request) => ({ say: resultsIn(request).join() })],
        files: {
          '.cairn/agents/denied.md': head('permission:\n  acme_weather: deny'),
          '.cairn/agents/off.md': head('tools:\n  acme_weather: false'),
          '.claude/agents/theirs.md': head('disallowedTools: acme_weather'),
          '.cairn/agents/lists.md': head('tools: [fs_read, acme_weather]'),
          '.cairn/roles/forecaster.md': head('enabled_tools: acme_weather'),
          '.cairn/agents/skilled.md': head('tools: [fs_read]\nskills: [towns]'),
          '.cairn/skills/towns/SKILL.md': head('enabled_tools: acme_weather'),
        },
      },
      async (world) => {
        world.engine.registerTool(weather);
        const offered = async (request: { agent?: string; role?: string }) => {
          await world.play('weather', request);
          return world.server.requests.at(-1)?.tools.includes('acme_weather');
        };
        const { outcome } = await world.play('weather', { agent: 'denied' });
        assert.match(JSON.stringify(outcome), /no tool .*acme_weather/);
        for (const agent of ['denied', 'off', 'theirs']) assert.equal(await offered({ agent }), false, agent);
        for (const agent of ['lists', 'skilled']) assert.equal(await offered({ agent }), true, agent);
        assert.equal(await offered({ role: 'forecaster' }), true);
        const warned = (await world.engine.agents.problems()).filter(({ message }) => /acme_weather/.test(message));
        assert.deepEqual([...new Set(warned.map(({ severity }) => severity))], ['warning']);
      },
    );
  });

  it('is never called with arguments that do not match its schema', () =>
    withWorld(
      {
        story: [
          call('acme_weather', { town: 7 }),
          call('acme_weather', { days: 1.5, unit: 'K', place: 'x' }),
          ({ messages }) => ({ say: messages.flatMap(({ results }) => results.map(({ text }) => text)).join('\n') }),
        ],
      },
      async (world) => {
        world.engine.registerTool(weather);
        const { outcome } = await world.play('weather');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /town: expected string, got number/);
        assert.match(outcome.answer, /town: is missing; place: is not known; days: expected integer, got number; unit/);
      },
    ));

  it('may throw, which is reported to the model, and long output is saved to a file', () =>
    withWorld(
      {
        story: [
          call('acme_bad'),
          call('acme_long'),
          ({ messages }) => ({ say: messages.flatMap(({ results }) => results.map(({ text }) => text)).join('\n') }),
        ],
      },
      async (world) => {
        const none = { description: '.', category: 'read', inputSchema: { type: 'object' } } as const;
        world.engine.registerTool({ ...none, name: 'acme_bad', run: () => Promise.reject(new Error('no net')) });
        world.engine.registerTool({ ...none, name: 'acme_long', run: () => Promise.resolve('x'.repeat(50_000)) });
        const { outcome } = await world.play('go');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /acme_bad crashed: no net/);
        assert.match(outcome.answer, /20000 characters left out[^]*The whole output is in \/.*outputs/);
      },
    ));

  it('does not keep a run from being cancelled, whatever it waits for', () =>
    withWorld({ story: [call('acme_weather', { town: 'Kiel' })] }, async (world) => {
      const touches = () => {
        world.engine.runOf(world.sessionId)?.cancel();
        return new Promise<never>(() => undefined);
      };
      world.engine.registerTool({ ...weather, touches });
      assert.deepEqual((await world.play('weather')).outcome, { kind: 'cancelled' });
    }));

  it('no longer answers once unregistered, even in a run that knows it', () => {
    let registered: Disposable | undefined;
    const takenBackMeanwhile = () => {
      registered?.dispose();
      return call('acme_weather', { town: 'Kiel' });
    };
    return withWorld({ story: [takenBackMeanwhile, (request) => ({ say: request.lastText })] }, async (world) => {
      registered = world.engine.registerTool(weather);
      const { outcome } = await world.play('weather');
      assert.match(JSON.stringify(outcome), /The tool acme_weather is no longer available/);
      assert.equal(world.engine.tools.get('acme_weather'), undefined);
    });
  });

  it('has a unique name', () =>
    withWorld({}, async ({ engine }) => {
      for (const [name, reason] of [
        ['fs_read', 'exists'],
        ['bash', 'exists'],
        ['a b', 'invalid-input'],
      ] as const) {
        assert.throws(
          () => engine.registerTool({ ...weather, name }),
          (error) => EngineError.is(error, reason),
        );
      }
    }));
});

/** Checks that each registration is rejected with a matching message and that everything else stays usable. */
function refused(cases: readonly (readonly [(engine: Engine) => unknown, RegExp])[]): () => Promise<void> {
  return () =>
    withWorld({ story: [{ say: 'Fine.' }] }, async (world) => {
      for (const [register, why] of cases) {
        assert.throws(
          () => register(world.engine),
          (error) => EngineError.is(error, 'invalid-input') && why.test(error.message),
          why.source,
        );
      }
      assert.deepEqual((await world.play('go')).outcome, { kind: 'completed', answer: 'Fine.' });
    });
}

/** Registers a value without type checks, as JavaScript would. */
const untyped = (register: string, value: unknown) => (engine: Engine) => {
  const method: unknown = Reflect.get(engine, register);
  assert.ok(typeof method === 'function');
  const registered: unknown = Reflect.apply(method, engine, [value]);
  return registered;
};

describe('Validation of contributions', () => {
  const circular: Record<string, unknown> = { type: 'object' };
  circular['default'] = circular;
  const bound = { name: 'acme_weather', description: '.', category: 'read', bind: () => null, input: {} };
  const own = { name: 'own', description: '.' };

  it(
    'rejects a tool, naming the field',
    refused([
      [untyped('registerTool', undefined), /tool without a name.*expected object, got undefined/],
      [untyped('registerTool', {}), /tool without a name.*“name”: expected string.*“run”: expected a function/],
      [
        untyped('registerTool', { ...weather, inputSchema: undefined }),
        /“acme_weather”.*“inputSchema”: expected object, got undefined/,
      ],
      [untyped('registerTool', { ...weather, category: 'look' }), /“category”: expected one of "read"/],
      [
        untyped('registerTool', { ...weather, inputSchema: { type: 'string' } }),
        /“inputSchema.type”: expected "object"/,
      ],
      [
        untyped('registerTool', { ...weather, inputSchema: circular }),
        /“acme_weather”.*cannot be described to a model/,
      ],
      [untyped('registerTool', bound), /“acme_weather”.*cannot be described/],
      [untyped('registerTool', { ...weather, timeout: 5 }), /“acme_weather”.*“timeout” \(did you mean “timeoutMs”\?\)/],
      [untyped('registerTool', { ...weather, timeoutMs: '5' }), /“timeoutMs”: expected a number above 0/],
      [untyped('registerTool', { ...weather, owner: 'us' }), /unknown field “owner”\. Fix/],
      [untyped('registerTool', { ...bound, concurent: true }), /“concurent” \(did you mean “concurrent”\?\)/],
    ]),
  );

  it(
    'rejects an agent, a skill and a provider',
    refused([
      [untyped('registerAgent', { name: 'own' }), /agent “own”.*“description”: expected string/],
      [untyped('registerAgent', { name: 'own', description: '.', tools: 'fs_read' }), /“tools”: expected array/],
      [untyped('registerAgent', { name: 'own', description: '.', spawning: { on: true } }), /“spawning.agents”/],
      [untyped('registerAgent', { name: 'own', description: '.', loop: {} }), /“loop”: expected a function/],
      [untyped('registerAgent', { name: 'own', description: '.', promt: '.' }), /“promt” \(did you mean “prompt”\?\)/],
      [
        untyped('registerAgent', { ...own, limits: { turn: 5 } }),
        /“limits”: unknown field “turn” \(did you mean “turns”\?\)/,
      ],
      [untyped('registerAgent', { ...own, limits: { turns: Number.NaN } }), /“limits.turns”: expected a number/],
      [
        untyped('registerAgent', { ...own, rules: [{ tool: '*', action: 'allow', argumnt: {} }] }),
        /“rules.0”.*“argument”/,
      ],
      [
        untyped('registerSkill', { name: 'own', description: '.', body: '.', tool: [] }),
        /“tool” \(did you mean “tools”\?\)/,
      ],
      [untyped('registerSkill', { name: 'tides', description: '.' }), /skill “tides”.*“body”: expected string/],
      [
        untyped('registerProvider', { id: 'acme', label: 'Acme', needsKey: false }),
        /provider “acme”.*“client”: expected/,
      ],
      [untyped('registerProvider', undefined), /provider without a name/],
    ]),
  );

  it('accepts additional fields of an object with a class, such as its own state', () =>
    withWorld({ story: [{ say: 'Ahoy.' }] }, async (world) => {
      class Sailor {
        readonly name = 'sailor';
        readonly description = '.';
        readonly prompt = 'You sail.';
        readonly knots = 7;
      }
      const { engine } = world;
      assert.throws(() => untyped('registerAgent', Object.assign(new Sailor(), { prompt: 7 }))(engine), /“prompt”/);
      untyped('registerAgent', new Sailor())(engine);
      const { outcome } = await world.play('hello', { agent: 'sailor' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Ahoy.' });
    }));

  it('treats undefined fields as absent', () =>
    withWorld({ story: [{ say: 'Ahoy.' }] }, async (world) => {
      const sailor = { name: 'sailor', description: '.', prompt: 'You sail.', tools: undefined, limits: undefined };
      untyped('registerAgent', sailor)(world.engine);
      const { outcome } = await world.play('hello', { agent: 'sailor' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Ahoy.' });
      assert.ok(world.server.requests[0]?.tools.includes('fs_read'));
    }));

  it('accepts an instance of a class and finds its methods', () =>
    withWorld({ story: [call('acme_self'), (request) => ({ say: resultsIn(request).join() })] }, async (world) => {
      class Self {
        readonly name = 'acme_self';
        readonly description = 'Tells its name.';
        readonly category = 'read';
        readonly inputSchema = { type: 'object' };
        run(): Promise<string> {
          return Promise.resolve(`I am ${this.name}.`);
        }
      }
      world.engine.registerTool(new Self());
      assert.deepEqual((await world.play('who')).outcome, { kind: 'completed', answer: 'I am acme_self.' });
    }));
});

describe('A contributed provider', () => {
  const provider = (over: Partial<Provider> = {}): Provider => ({
    id: 'acme',
    label: 'Acme',
    needsKey: false,
    isReady: () => Promise.resolve(true),
    client: () => ({
      async *stream({ messages }) {
        yield { type: 'text-delta', text: `${messages.length} heard.` };
        yield { type: 'finished', reason: 'stop' };
      },
    }),
    ...over,
  });

  it('answers under its name and is known until it is unregistered', () =>
    withWorld({}, async (world) => {
      const registered = world.engine.registerProvider(provider());
      const { outcome } = await world.play('hello', { model: 'acme:any' });
      assert.deepEqual(outcome, { kind: 'completed', answer: '1 heard.' });
      registered.dispose();
      const after = await world.play('hello', { model: 'acme:any' });
      assert.match(JSON.stringify(after.outcome), /unknown provider, .*acme/);
    }));

  it('is skipped when it throws outside a request', () =>
    withWorld({ story: [{ say: 'Fine.' }] }, async (world) => {
      const broken = () => {
        throw new Error('no licence');
      };
      world.engine.registerProvider(provider({ isReady: broken, listModels: broken, describe: broken }));
      assert.ok((await world.engine.models()).every(({ model }) => !model.id.startsWith('acme:')));
      const { outcome } = await world.play('hello', { model: 'acme:any' });
      assert.deepEqual(outcome, { kind: 'completed', answer: '1 heard.' });
    }));

  it('that throws or ends too early fails the run', () =>
    withWorld({}, async (world) => {
      const broken = {
        client: () => {
          throw new Error('no licence');
        },
      };
      world.engine.registerProvider(provider(broken));
      const early = { id: 'early', client: () => ({ async *stream() {} }) };
      world.engine.registerProvider(provider(early));
      const { outcome } = await world.play('hello', { model: 'acme:any' });
      assert.match(JSON.stringify(outcome), /Acme failed: no licence/);
      const second = await world.play('hello', { model: 'early:any' });
      assert.ok(second.outcome.kind === 'failed' && second.outcome.reason === 'cut-stream');
    }));
});

describe('Other contributions', () => {
  it('include a skill, which the model loads like one in a file', () =>
    withWorld({ story: [call('skill__load', { name: 'tides' }), { say: 'Loaded.' }] }, async (world) => {
      const registered = world.engine.registerSkill({ name: 'tides', description: 'Tides', body: 'Count the hours.' });
      await world.play('tides');
      const bodies = world.server.requests.map(({ body }) => JSON.stringify(body));
      assert.ok(bodies[0]?.includes('tides: Tides') && bodies[1]?.includes('Count the hours.'));
      registered.dispose();
      assert.equal(await world.engine.skills.find('tides'), undefined);
    }));

  it('include an agent with a prompt', () =>
    withWorld({ story: [{ say: 'Ahoy.' }] }, async (world) => {
      world.engine.registerAgent({ name: 'sailor', description: 'Sails', prompt: 'You sail.', tools: ['fs_read'] });
      const { outcome } = await world.play('hello', { agent: 'sailor' });
      assert.equal(outcome.kind, 'completed');
      assert.deepEqual(world.server.requests[0]?.tools, ['fs_read']);
    }));

  it('include a listener for every run, also those of agents started by another', () =>
    withWorld(
      {
        files: { '.cairn/agents/boss.md': '---\nmode: primary\npermission:\n  task: allow\n---\nYou are boss.' },
        story: [
          call('task', { description: 'x', prompt: 'x', subagent_type: 'explore' }),
          { say: 'Found.' },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        const heard: AgentEvent[] = [];
        const listening = world.engine.onEvent((event) => {
          heard.push(event);
          throw new Error('a bad listener');
        });
        const { outcome } = await world.play('go', { agent: 'boss' });
        listening.dispose();
        assert.equal(outcome.kind, 'completed');
        const ends = heard.filter(({ type }) => type === 'run-finished').map(({ agentPath }) => agentPath.join('/'));
        assert.deepEqual(ends, ['boss/explore', 'boss']);
      },
    ));
});
