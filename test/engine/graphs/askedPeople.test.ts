import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { Question, QuestionAnswer } from '../../../src/engine';
import { movableClock } from '../../support/movableClock';
import { until } from '../../editor/until';
import { neverAnswered } from '../../support/neverAnswered';
import type { ScriptWorld } from '../../support/scriptWorld';
import { runOf, untilDone, withGraph } from './graphWorld';

const play = (world: ScriptWorld, input = 'Hello') => world.play(input, { agent: 'flow' });

const graphOf = (nodes: string, more = '') => `name: flow\nstart: a\n${more}nodes:\n${nodes}`;

describe('A question in a graph', () => {
  const graph = graphOf(
    `
  a: { type: input, question: "Your name?", default: "{{initial_prompt}}", validation: "len(input) >= 3", state_updates: { name: "{{input}}" }, next: b }
  b:
    type: approval
    question: Is {{name}} right?
    options: [Yes, No]
    routes: { Yes: done, No: a }
    on_other: other
    state_updates: { choice: "{{choice}}" }
  done: { type: end, output: "{{name}}" }
  other: { type: end, output: "Other: {{choice}}" }
`,
    'version: "1.1"\nsettings: { max_loop_iterations: 10 }\n',
  );

  const answering = (...texts: string[]) => {
    const asked: string[] = [];
    const answer = ({ question }: Question): QuestionAnswer => {
      asked.push(question);
      const text = texts.shift();
      return text === undefined ? { kind: 'nobody' } : { kind: 'answered', texts: [text] };
    };
    return { asked, answer };
  };

  it('is repeated until the answer is valid (D-10), and can loop', async () => {
    const { asked, answer } = answering('Al', 'Ada', 'No', '', 'Yes');
    await withGraph(graph, { answer }, async (world) => {
      assert.deepEqual((await play(world, 'Bert')).outcome, { kind: 'completed', answer: 'Bert' });
      assert.deepEqual(asked, [
        'Your name? [default: Bert]',
        'The answer must have at least 3 characters; it has 2.\n\nYour name? [default: Bert]',
        'Is Ada right?',
        'Your name? [default: Bert]',
        'Is Bert right?',
      ]);
    });
  });

  it('fails after 50 wrong answers, which only a program gives', async () => {
    let asked = 0;
    const answer = () =>
      ++asked > 60 ? ({ kind: 'nobody' } as const) : ({ kind: 'answered', texts: ['Al'] } as const);
    await withGraph(graph, { answer }, async (world) => {
      const { outcome } = await play(world);
      assert.equal(asked, 50);
      assert.deepEqual(outcome, {
        kind: 'failed',
        reason: 'graph',
        message:
          'The graph “flow” failed. The node “a” failed: It asked 50 times, and no answer passed its check “len(input) >= 3”. The answer must have at least 3 characters; it has 2. Correct what answers it, or its validation.',
      });
    });
  });

  it('may be answered with free text', async () => {
    const { answer } = answering('Ada', 'Maybe');
    await withGraph(graph, { answer }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'Other: Maybe' });
    });
  });

  it('accepts an option that YAML ends with a line break', async () => {
    const block = graphOf(
      '  a:\n    type: approval\n    question: Well?\n    options:\n      - |\n        Yes\n    routes: { "Yes\\n": done }\n    on_other: other\n  done: { type: end, output: yes }\n  other: { type: end, output: other }\n',
    );
    await withGraph(block, { answer: answering('Yes\n').answer }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'yes' });
    });
  });

  it('reports when its default is invalid too', async () => {
    const { answer } = answering();
    await withGraph(graph, { answer }, async (world) => {
      assert.match(
        JSON.stringify((await play(world, 'Al')).outcome),
        /Nobody was available to answer “a”, and its default fails its check: The answer must have at least 3 characters; it has 2\. .* or correct the default\./,
      );
    });
  });

  it('uses its default without a user, or ends the run as rejected', async () => {
    const { answer } = answering();
    await withGraph(graph, { answer }, async (world) => {
      const { outcome } = await play(world, 'Bert');
      assert.equal(outcome.kind, 'rejected');
      assert.match(JSON.stringify(outcome), /Nobody was available to answer “b”/);
      assert.equal((await runOf(world)).view.state, 'rejected');
    });
  });

  it('takes no slot from the nodes that work, and neither does a map from its branches', async () => {
    const crowded = graphOf(
      `
  a: { type: llm, prompt: a, next: [b, c, d] }
  b: { type: input, question: "Well?", next: done }
  c: { type: llm, prompt: c, next: done }
  d: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: done }
  each: { type: llm, prompt: "{{item}}" }
  done: { type: end, output: "{{all}}" }
`,
      'version: "1.1"\nsettings: { max_concurrency: 1 }\ninitial_state: { list: [x, y] }\n',
    );
    const others = new Deferred<void>();
    const answer = async (_: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
      await untilAborted(others.promise, signal);
      return { kind: 'answered', texts: ['Fine'] };
    };
    const story = [{ when: () => true, step: { say: 'o' } }];
    await withGraph(crowded, { answer, story }, async (world) => {
      const handle = world.run('go', { agent: 'flow' });
      await Promise.all([untilDone(handle, 'c'), untilDone(handle, 'd')]);
      others.resolve();
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: '["o","o"]' });
    });
  });

  it('is withdrawn when its node times out, also in the branch of a map', async () => {
    const nodes = (first: string) =>
      graphOf(`${first}  done: { type: end }\n`, 'version: "1.1"\ninitial_state: { list: [x] }\n');
    const graphs = {
      'an input': nodes('  a: { type: input, question: "Well?", timeout: 77, next: done }\n'),
      'an approval': nodes(
        '  a: { type: approval, question: "Well?", options: [Yes], routes: { Yes: done }, on_other: done, timeout: 77 }\n',
      ),
      'a map': nodes(
        '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, timeout: 77, next: done }\n  each: { type: llm, prompt: one, tools: [user__input] }\n',
      ),
    };
    for (const [what, timed] of Object.entries(graphs)) {
      const late = new Deferred<void>();
      const sleep = (ms: number, signal: AbortSignal) =>
        untilAborted(ms === 77_000 ? late.promise : new Deferred<void>().promise, signal);
      let withdrawn = 0;
      const answer = async (_: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
        late.resolve();
        await untilAborted(new Deferred<void>().promise, signal).finally(() => withdrawn++);
        return { kind: 'nobody' };
      };
      const story = [{ call: [{ name: 'user__input', arguments: { question: 'Well?' } }] }];
      await withGraph(timed, { answer, sleep, story }, async (world) => {
        const { outcome } = await play(world);
        assert.match(JSON.stringify(outcome), /The node “a” failed: It did not finish within 77 seconds\./, what);
        assert.equal(withdrawn, 1, what);
      });
    }
  });
});

describe('The timeout of a node', () => {
  const asking = {
    'a script': '  a: { type: script, script: a.sh, timeout: 77, next: done }\n',
    'a command': '  a: { type: command, command: "touch made", timeout: 77, next: done }\n',
    'a model': '  a: { type: llm, prompt: one, tools: [execute_command], timeout: 77, next: done }\n',
    'an agent': '  a: { type: agent, agent: helper, prompt: one, timeout: 77, next: done }\n',
  };
  const files = {
    '.cairn/agents/flow/a.sh': 'touch made\necho "{}"\n',
    '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n',
  };
  const call = { name: 'execute_command', arguments: { command: 'touch made' } };
  const story = [{ call: [call] }, { say: 'Well.' }];

  for (const [what, node] of Object.entries(asking))
    it(`does not run out while ${what} waits for approval, and counts the time before and after`, async () => {
      const graph = graphOf(
        `${node}  done: { type: end, output: over }\n`,
        'version: "1.1"\nglobal_tools: [execute_command]\n',
      );
      const timers: { ms: number; signal: AbortSignal }[] = [];
      const sleep = (ms: number, signal: AbortSignal) => {
        if (ms > 70_000 && ms <= 77_000) timers.push({ ms, signal });
        return neverAnswered(signal);
      };
      let running: number | undefined;
      const approve = () => {
        running = timers.filter(({ signal }) => !signal.aborted).length;
        return { kind: 'once' as const };
      };
      await withGraph(graph, { files, story, sleep, approve, approvalMode: 'everything' }, async (world) => {
        const { outcome } = await play(world);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
        assert.equal(running, 0, 'no time runs while it asks');
        const [first, second, ...others] = timers.map(({ ms }) => ms);
        assert.equal(first, 77_000);
        assert.ok(second !== undefined && second <= 77_000, 'the rest of the time runs after it');
        assert.deepEqual(others, []);
        assert.equal(await world.read('made'), '');
      });
    });
});

describe('The timeout of a graph', () => {
  const clock = movableClock();
  beforeEach(() => clock.begin());
  afterEach(() => clock.end());
  const LUNCH_MS = 3_600_000;

  /** Answers after lunch. */
  const late = (texts: readonly string[]) => (): QuestionAnswer => {
    clock.forward(LUNCH_MS);
    return { kind: 'answered', texts: [...texts] };
  };
  const timed = (nodes: string) =>
    graphOf(
      `${nodes}  done: { type: end, output: over }\n`,
      'version: "1.1"\nsettings: { timeout: 1000 }\nglobal_tools: [execute_command]\ninitial_state: { list: [x, y] }\n',
    );
  const asks = { call: [{ name: 'user__input', arguments: { question: 'Well?' } }] };

  for (const [what, nodes, story] of [
    ['an input', '  a: { type: input, question: "Well?", next: done }\n', []],
    [
      'an approval beside another question',
      '  a: { type: approval, question: "Well?", options: [Yes], routes: { Yes: b }, on_other: b }\n  b: { type: llm, prompt: b, next: [c, d] }\n  c: { type: llm, prompt: c, tools: [user__input], next: done }\n  d: { type: llm, prompt: d, tools: [user__input], next: done }\n',
      [{ say: 'b' }, asks, asks, { say: 'o' }, { say: 'o' }],
    ],
    [
      'items of a map',
      '  a: { type: map, over: "{{list}}", as: item, branch: b, collect_into: all, next: done }\n  b: { type: llm, prompt: "{{item}}", tools: [user__input] }\n',
      [asks, asks, { say: 'o' }, { say: 'o' }],
    ],
    [
      'the agent of an agent',
      '  a: { type: agent, agent: helper, prompt: p, next: done }\n',
      [
        { call: [{ name: 'agent__spawn', arguments: { agent: 'asker', prompt: 'q' } }] },
        asks,
        { say: 'o' },
        { say: 'o' },
      ],
    ],
  ] as const)
    it(`does not run out while ${what} waits for an answer`, async () => {
      const files = {
        '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n',
        '.cairn/agents/asker.md': '---\nmode: primary\ndescription: Asks\n---\nYou ask.\n',
      };
      await withGraph(
        timed(nodes),
        { answer: late(['Yes']), sleep: clock.sleep, story: [...story], files },
        async (world) => {
          assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'over' });
          assert.ok(clock.moved >= LUNCH_MS);
        },
      );
    });

  it('does not run out while a command waits for approval', async () => {
    const approve = () => {
      clock.forward(LUNCH_MS);
      return { kind: 'once' as const };
    };
    const graph = timed('  a: { type: command, command: "touch made", next: done }\n');
    await withGraph(graph, { approve, approvalMode: 'everything', sleep: clock.sleep }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'over' });
      assert.equal(clock.moved, LUNCH_MS);
    });
  });

  const work = '  a: { type: input, question: "Well?", next: b }\n  b: { type: llm, prompt: b, next: done }\n';

  it('counts the time before and after a question', async () => {
    const hangs = { answer: late(['Yes']), sleep: clock.sleep, story: [{ fail: 'hang' as const }] };
    await withGraph(timed(work), hangs, async (world) => {
      const handle = world.run('go', { agent: 'flow' });
      await world.server.untilRequests(1);
      let isOver = false;
      void handle.outcome.then(() => (isOver = true));
      clock.forward(900_000);
      await nextTurn();
      assert.equal(isOver, false);
      clock.forward(100_000);
      assert.deepEqual(await handle.outcome, { kind: 'limit-reached', limit: 'time' });
      assert.match((await runOf(world)).view.message ?? '', /^It did not finish within 1000 seconds\./);
    });
  });

  it('does not count questions before a stop either', async () => {
    let asked = 0;
    const answer = async (_: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
      clock.forward(LUNCH_MS);
      return ++asked === 1 ? neverAnswered(signal) : { kind: 'answered', texts: ['Yes'] };
    };
    await withGraph(timed(work), { answer, sleep: clock.sleep, story: [{ say: 'b' }] }, async (world) => {
      void world.run('go', { agent: 'flow' });
      await until('the question is asked', () => asked === 1);
      await world.engine.shutDown();
      const next = await world.restart();
      assert.deepEqual((await next.play(undefined, { agent: 'flow' })).outcome, { kind: 'completed', answer: 'over' });
      assert.equal(asked, 2);
    });
  });
});

describe('A command of a graph', () => {
  const graph = graphOf(
    '  a: { type: llm, prompt: Name it, state_updates: { name: "{{output}}" }, next: b }\n  b: { type: command, command: "echo {{name}}", state_updates: { said: "{{output}}" }, next: done, fallback: other }\n  done: { type: end, output: "{{said}}" }\n  other: { type: end, output: around }\n',
    'version: "1.1"\nglobal_tools: [execute_command]\n',
  );
  const approve = () => ({ kind: 'reject' as const, by: 'person' as const });

  it('needs approval for what a value of the state adds to it, whatever a rule allows', async () => {
    const rules = [
      { tool: 'execute_command', action: 'allow', argument: { kind: 'command', words: ['echo'] } },
    ] as const;
    const options = { approve, approvalMode: 'edits-and-commands' as const, rules };
    const added = ['x; touch made', 'x $(touch made)', 'x `touch made`', 'x\ntouch made', 'x > made', 'x & touch made'];
    for (const name of added) {
      await withGraph(graph, { story: [{ say: name }], ...options }, async (world) => {
        assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'around' }, name);
        assert.equal(world.asked.length, 1, name);
        await assert.rejects(world.read('made'), name);
      });
    }
    await withGraph(graph, { story: [{ say: 'x' }], ...options }, async (world) => {
      assert.match(JSON.stringify((await play(world)).outcome), /"completed","answer":"Exit code 0\.\\n\\nx/);
      assert.equal(world.asked.length, 0);
    });
  });
});
