import assert from 'node:assert/strict';
import { AbortError } from '../../../src/base/abort';
import { AsyncQueue } from '../../../src/base/async';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/engine';
import type { EngineWorld } from '../../support/engineWorld';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { warnings } from '../../support/scriptWorld';
import { changeGraph, FLOW, graphOf, graphRuns, nodesOf, recordText, runOf, untilDone, withGraph } from './graphWorld';
import { Person } from './person';

/** Failures that users of other graph engines report and that must not occur here. */

const echoing = {
  when: () => true,
  step: ({ lastText }: { lastText: string }) => ({ say: lastText.toUpperCase() }),
};

/** All orders of three branches. */
const ORDERS = ['bcd', 'bdc', 'cbd', 'cdb', 'dbc', 'dcb'].map((letters) => letters.split(''));

describe('Branches that ask', () => {
  const ask = (id: string) =>
    `  ${id}: { type: input, question: "${id}?", state_updates: { ${id}: "{{input}}" }, next: e }\n`;
  const graph = graphOf(
    `  a: { type: llm, prompt: first, next: [b, c, d, w] }\n${ask('b')}${ask('c')}${ask('d')}  w: { type: llm, prompt: work, state_updates: { w: "{{output}}" }, next: e }\n  e: { type: end, output: "{{b}} {{c}} {{d}} {{w}}" }\n`,
  );

  for (const order of ORDERS)
    it(`are answered as ${order.join(', ')} in three processes while another one runs, each once`, async () => {
      const person = new Person();
      let isLast = false;
      const story = [
        {
          when: () => true,
          step: ({ lastText }: { lastText: string }) =>
            lastText === 'work' && !isLast ? { fail: 'hang' as const } : { say: lastText.toUpperCase() },
        },
      ];
      await withGraph(graph, { story, answer: person.answer }, async (first) => {
        let world: Pick<EngineWorld, 'run' | 'engine' | 'restart' | 'server'> = first;
        const done: string[] = [];
        for (const [index, id] of order.entries()) {
          isLast = index === order.length - 1;
          const handle = world.run(index === 0 ? 'go' : undefined, FLOW);
          await person.untilAsked(...order.slice(index).map((one) => `${one}?`));
          assert.deepEqual(
            person.waiting,
            order
              .slice(index)
              .map((one) => `${one}?`)
              .toSorted(),
          );
          const answered = untilDone(handle, id);
          await person.reply(`${id}?`, id.toUpperCase());
          if (isLast) {
            assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'B C D WORK' });
            break;
          }
          await answered;
          done.push(id);
          await world.engine.shutDown();
          world = await world.restart();
        }
        assert.deepEqual(
          person.asked.toSorted(),
          ['b', 'c', 'd', ...order.slice(1), ...order.slice(2)].map((id) => `${id}?`).toSorted(),
        );
        const begun = first.server.requests.filter(({ lastText }) => lastText === 'first');
        assert.equal(begun.length, 1);
      });
    });
});

describe('A map stopped while some of its items ask', () => {
  const graph = graphOf(
    '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 3, next: done }\n  each: { type: llm, prompt: "Do {{item}}", tools: [user__input] }\n  done: { type: end, output: "{{all}}" }\n',
    `initial_state: { list: [${Array.from({ length: 20 }, (_, index) => index).join(', ')}] }\n`,
  );
  const ASKING = [3, 7, 11, 15, 19];
  const question = (item: number) => `May I do ${item}?`;

  it('resumes with the same concurrency, in list order, without finished items', async () => {
    const person = new Person();
    const story = [
      {
        when: () => true,
        step: ({ messages, lastText }: { messages: readonly { text: string }[]; lastText: string }) => {
          const item = Number(/^Do (\d+)$/.exec(messages.find(({ text }) => /^Do \d+$/.test(text))?.text ?? '')?.[1]);
          const isAsking = ASKING.includes(item) && lastText === `Do ${item}`;
          return isAsking
            ? { call: [{ name: 'user__input', arguments: { question: question(item) } }] }
            : { say: `did ${item}` };
        },
      },
    ];
    const all = JSON.stringify(Array.from({ length: 20 }, (_, index) => `did ${index}`));
    await withGraph(graph, { story, answer: person.answer }, async (world) => {
      void world.run('go', FLOW);
      await person.untilAsked(question(3), question(7), question(11));
      assert.equal(world.server.requests.length, 12, 'the three who ask are all that may work');
      await world.engine.shutDown();
      const next = await world.restart();
      const going = next.play(undefined, FLOW);
      await person.untilAsked(question(3), question(7), question(11));
      assert.equal((await runOf(next)).view.nodes.at(-1)?.items, 0);
      await person.reply(question(11), 'yes');
      await person.reply(question(7), 'yes');
      await person.untilAsked(question(3), question(15), question(19));
      for (const item of [19, 3, 15]) await person.reply(question(item), 'yes');
      assert.deepEqual((await going).outcome, { kind: 'completed', answer: all });
    });
  });
});

describe('A failed map', () => {
  it('reruns only the items that failed or never started', async () => {
    const graph = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 1, next: done }\n  each: { type: llm, prompt: "{{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three, four] }\n',
    );
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) =>
          isBroken && lastText === 'three' ? { fail: { status: 400 } } : { say: lastText.toUpperCase() },
      },
    ];
    await withGraph(graph, { story }, async (world) => {
      assert.match(JSON.stringify((await world.play('go', FLOW)).outcome), /Item 3 of 4/);
      isBroken = false;
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["ONE","TWO","THREE","FOUR"]' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['one', 'two', 'three', 'three', 'four']);
    });
  });
});

describe('An approval pending at shutdown', () => {
  const graph = graphOf(
    `  a: { type: approval, question: "Go on?", options: [Yes, No], routes: { Yes: b, No: c }, on_other: c, state_updates: { choice: "{{choice}}" } }
  b: { type: llm, prompt: left, next: done }
  c: { type: llm, prompt: right, next: done }
  done: { type: end, output: "{{choice}}" }
`,
  );

  it('is asked again, and its answer takes one route', async () => {
    const person = new Person();
    await withGraph(graph, { story: [echoing], answer: person.answer }, async (world) => {
      void world.run('go', FLOW);
      await person.untilAsked('Go on?');
      await world.engine.shutDown();
      const next = await world.restart();
      const going = next.play(undefined, FLOW);
      await person.reply('Go on?', 'Yes');
      const { outcome, events } = await going;
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Yes' });
      assert.deepEqual(nodesOf(events), ['a', 'b', 'done']);
      assert.deepEqual(
        world.server.requests.map(({ lastText }) => lastText),
        ['left'],
      );
      assert.deepEqual(person.asked, ['Go on?', 'Go on?']);
    });
  });
});

describe('A question in a nested graph', () => {
  const child =
    'name: child\nstart: ask\nnodes:\n  ask: { type: input, question: "Which colour?", state_updates: { colour: "{{input}}" }, next: end }\n  end: { type: end, output: "It is {{colour}}." }\n';
  const graph = graphOf(
    '  a: { type: agent, agent: child, prompt: "Find the colour", state_updates: { said: "{{output}}" }, next: done }\n  done: { type: end, output: "{{said}}" }\n',
  );

  it("reaches the user, is answered to the child, and the parent gets the child's result", async () => {
    const person = new Person();
    const files = { '.cairn/agents/child/graph.yaml': child };
    await withGraph(graph, { files, answer: person.answer }, async (world) => {
      const going = world.play('go', FLOW);
      await person.reply('Which colour?', 'blue');
      assert.deepEqual((await going).outcome, { kind: 'completed', answer: 'It is blue.' });
      assert.deepEqual((await runOf(world, 'child')).view.answer, 'It is blue.');
      assert.deepEqual(person.asked, ['Which colour?']);
    });
  });
});

describe('A run retried from an earlier node', () => {
  const graph = graphOf(
    `  a: { type: input, question: "Name?", state_updates: { name: "{{input}}" }, next: b }
  b: { type: llm, prompt: "Greet {{name}}", state_updates: { greeting: "{{output}}" }, next: c }
  c: { type: approval, question: "Send {{greeting}}?", options: [Yes, No], routes: { Yes: done, No: no }, on_other: no }
  done: { type: end, output: "{{greeting}}" }
  no: { type: end, output: "Not sent" }
`,
  );

  it('repeats the questions after that node, and none before it', async () => {
    const person = new Person();
    await withGraph(graph, { story: [echoing], answer: person.answer }, async (world) => {
      const going = world.play('go', FLOW);
      await person.reply('Name?', 'Ada');
      await person.reply('Send GREET ADA?', 'No');
      assert.deepEqual((await going).outcome, { kind: 'completed', answer: 'Not sent' });
      const earlier = await runOf(world);
      const kept = await recordText(world, earlier);
      await graphRuns(world).retry(earlier.view.id, { at: 'b', changes: { name: 'Bert' } });
      const again = (await world.restart()).play(undefined, FLOW);
      await person.reply('Send GREET BERT?', 'Yes');
      assert.deepEqual((await again).outcome, { kind: 'completed', answer: 'GREET BERT' });
      assert.deepEqual(person.asked, ['Name?', 'Send GREET ADA?', 'Send GREET BERT?']);
      assert.equal(await recordText(world, earlier), kept);
    });
  });

  it('keeps edited state when it is retried from there once more', async () => {
    const person = new Person();
    await withGraph(graph, { story: [echoing], answer: person.answer }, async (world) => {
      const going = world.play('go', FLOW);
      await person.reply('Name?', 'Ada');
      await person.reply('Send GREET ADA?', 'No');
      await going;
      await graphRuns(world).retry((await runOf(world)).view.id, { at: 'b', changes: { name: 'Bert' } });
      const second = await world.restart();
      const again = second.play(undefined, FLOW);
      await person.reply('Send GREET BERT?', 'No');
      await again;
      await graphRuns(second).retry((await runOf(second)).view.id, { at: 'b' });
      const last = (await second.restart()).play(undefined, FLOW);
      await person.reply('Send GREET BERT?', 'Yes');
      assert.deepEqual((await last).outcome, { kind: 'completed', answer: 'GREET BERT' });
    });
  });

  it('uses its original graph, reports later changes, and leaves the record unchanged', async () => {
    const person = new Person();
    await withGraph(graph, { story: [echoing], answer: person.answer }, async (world) => {
      const going = world.play('go', FLOW);
      await person.reply('Name?', 'Ada');
      await person.reply('Send GREET ADA?', 'No');
      await going;
      const earlier = await runOf(world);
      const kept = await recordText(world, earlier);
      const changed = graph
        .replace('Greet', 'Curse')
        .replace('  no:', '  other: { type: end }\n  no:')
        .replace('start: a', 'model: openai:other\nstart: a')
        .replace(/ {2}done: .*\n/, '')
        .replace('Yes: done', 'Yes: other');
      await changeGraph(world, changed);
      await graphRuns(world).retry(earlier.view.id, { at: 'b' });
      const again = (await world.restart()).play(undefined, FLOW);
      await person.reply('Send GREET ADA?', 'Yes');
      const { outcome, events } = await again;
      assert.deepEqual(outcome, { kind: 'completed', answer: 'GREET ADA' });
      assert.match(
        warnings(events).join('\n'),
        /The graph has changed since this run started; .* Changed nodes: “b” and “c”\. Added nodes: “other”\. Removed nodes: “done”\. Changed beside the nodes: “model”\.$/m,
      );
      assert.equal(await recordText(world, earlier), kept);
      assert.ok((await recordText(world, await runOf(world))).includes(JSON.stringify(graph).slice(1, -1)));
    });
  });
});

describe('The times of a run', () => {
  it('are stored with each node, so that no later process changes them', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, next: b }\n  b: { type: input, question: "Well?", next: done }\n  done: { type: end }\n',
    );
    const person = new Person();
    let now = 1_000_000;
    const story = [
      {
        when: () => true,
        step: () => {
          now += 5000;
          return { say: 'ONE' };
        },
      },
    ];
    await withGraph(graph, { story, answer: person.answer, now: () => now }, async (world) => {
      void world.run('go', FLOW);
      await person.untilAsked('Well?');
      await world.engine.shutDown();
      now += 3_600_000;
      const next = await world.restart();
      const going = next.play(undefined, FLOW);
      await person.untilAsked('Well?');
      now += 20_000;
      await person.reply('Well?', 'Fine');
      await going;
      const { view } = await runOf(next);
      const times = view.nodes.map(({ node, state, durationMs, askedMs }) => [node, state, durationMs, askedMs]);
      assert.deepEqual(times, [
        ['a', 'done', 5000, 0],
        ['b', 'stopped', null, 0],
        ['b', 'done', 20_000, 20_000],
        ['done', 'done', 0, 0],
      ]);
    });
  });

  it('count agent questions as waiting, once for overlapping map items, until a stop', async () => {
    const graph = graphOf(
      '  a: { type: map, over: "{{items}}", as: item, branch: one, collect_into: told, next: b }\n  one: { type: llm, prompt: "Ask about {{item}}", tools: [user__ask] }\n  b: { type: agent, agent: helper, prompt: "Help", next: done }\n  done: { type: end }\n',
      'initial_state: { items: [x, y] }\n',
    );
    const person = new Person();
    let now = 1_000_000;
    const asks = (question: string) => ({ call: [{ name: 'user__ask', arguments: { question } }] });
    const story = [
      { when: ({ lastText }: ModelRequest) => lastText === 'Ask about x', step: asks('About x?') },
      { when: ({ lastText }: ModelRequest) => lastText === 'Ask about y', step: asks('About y?') },
      { when: ({ lastText }: ModelRequest) => /Help$/.test(lastText), step: asks('How?') },
      { when: () => true, step: { say: 'Fine.' } },
    ];
    const files = { '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n' };
    await withGraph(graph, { story, files, answer: person.answer, now: () => now }, async (world) => {
      const going = world.run('go', FLOW);
      await person.untilAsked('About x?', 'About y?');
      now += 10_000;
      await person.reply('About x?', 'One');
      now += 5_000;
      await person.reply('About y?', 'Two');
      await person.untilAsked('How?');
      const { view: asking } = await runOf(world);
      assert.deepEqual(
        asking.nodes.map(({ node, askedMs, asks: times }) => [node, askedMs, times.map(({ to }) => to === null)]),
        [
          ['a', 15_000, [false]],
          ['b', 0, [true]],
        ],
      );
      now += 7_000;
      going.cancel();
      await going.outcome;
      const { view } = await runOf(world);
      assert.deepEqual(
        view.nodes.map(({ node, asks: times }) => [node, times.map(({ from, to }) => (to ?? 0) - from)]),
        [
          ['a', [15_000]],
          ['b', [7_000]],
        ],
      );
    });
  });

  it("count approvals of a node's own script or command as waiting, even when it is stopped", async () => {
    const graph = graphOf(
      '  a: { type: script, script: a.sh, next: b }\n  b: { type: command, command: "touch made", next: c }\n  c: { type: command, command: "touch more", next: done }\n  done: { type: end }\n',
      'global_tools: [execute_command]\n',
    );
    const files = { '.cairn/agents/flow/a.sh': 'echo "{}"\n' };
    let now = 1_000_000;
    const approvals = new AsyncQueue<(answer: ApprovalAnswer) => void>();
    const approve = (_: ApprovalRequest, signal: AbortSignal) =>
      new Promise<ApprovalAnswer>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new AbortError()), { once: true });
        approvals.push(resolve);
      });
    await withGraph(graph, { files, approve, approvalMode: 'everything', now: () => now }, async (world) => {
      const going = world.run('go', FLOW);
      const asked = approvals[Symbol.asyncIterator]();
      for (const seconds of [10, 5]) {
        const { value: answer } = await asked.next();
        now += seconds * 1000;
        answer?.({ kind: 'once' });
      }
      await asked.next();
      now += 7000;
      going.cancel();
      await going.outcome;
      const { view } = await runOf(world);
      assert.deepEqual(
        view.nodes.map(({ node, askedMs, asks: times }) => [
          node,
          askedMs,
          times.map(({ from, to }) => (to ?? 0) - from),
        ]),
        [
          ['a', 10_000, [10_000]],
          ['b', 5_000, [5_000]],
          ['c', 7_000, [7_000]],
        ],
      );
    });
  });
});
