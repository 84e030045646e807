import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { AgentEvent } from '../../../src/engine';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import type { Step } from '../../support/modelServer/story';
import { FLOW, graphOf, graphRuns, nodesOf, READ, runOf, withGraph } from './graphWorld';
import { Person } from './person';
import { aMoment } from '../../support/aMoment';

const HELPER = { '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n' };
const NOTE = { 'note.txt': 'blue\n' };

/** Returns the sessions in which agents were started, in order. */
const spawnedIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'agent-spawned' ? [event.childSessionId] : []));

const textsOf = ({ messages }: ModelRequest) => messages.map(({ role, text }) => `${role}: ${text}`);

describe('An agent working on a node at shutdown', () => {
  const graph = graphOf(
    '  a: { type: agent, agent: helper, prompt: "Help {{initial_prompt}}", state_updates: { said: "{{output}}" }, next: b }\n  b: { type: llm, prompt: "Then {{said}}", next: done, state_updates: { then: "{{output}}" } }\n  done: { type: end, output: "{{said}} {{then}}" }\n',
  );

  it('resumes in its own session with its history', async () => {
    const story = [READ, { fail: 'hang' as const }, { say: 'It is blue.' }, { say: 'So be it.' }];
    await withGraph(graph, { story, files: { ...HELPER, ...NOTE } }, async (world) => {
      const handle = world.run('Ada', FLOW);
      const before: AgentEvent[] = [];
      handle.subscribe((event) => before.push(event));
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      const { outcome, events } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'It is blue. So be it.' });
      assert.deepEqual(spawnedIn(events), spawnedIn(before));
      const history = await readFile(join(world.sessionsFolder, world.sessionId, 'history.jsonl'), 'utf8');
      const [child = ''] = spawnedIn(before);
      assert.match(history, new RegExp(`"type":"graph-ran".*"node":"a".*"childSessionId":"${child}".*"node":"b"`));
      const [, cut, again] = world.server.requests;
      assert.ok(cut && again);
      assert.deepEqual(textsOf(again), textsOf(cut));
      assert.deepEqual(
        again.messages.flatMap(({ results }) => results.map(({ text }) => /blue/.test(text))),
        [true],
      );
    });
  });

  it('is not asked again when it answered before the graph recorded it', async () => {
    const story = [{ say: 'It is blue.' }, { fail: 'hang' as const }, { say: 'So be it.' }];
    await withGraph(graph, { story, files: HELPER }, async (world) => {
      void world.run('Ada', FLOW);
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      const { sessionId, view } = await runOf(world);
      const path = join(world.sessionsFolder, sessionId, 'graphs', `${view.id}.jsonl`);
      const record = await readFile(path, 'utf8');
      const cut = /^.*"agent-begun".*\n/m.exec(record);
      assert.ok(cut);
      await writeFile(path, record.slice(0, cut.index + cut[0].length));
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'It is blue. So be it.' });
      assert.deepEqual(
        world.server.requests.map(({ lastText }) => lastText),
        ['Help Ada', 'Then It is blue.', 'Then It is blue.'],
      );
    });
  });

  it('starts over when its session was deleted', async () => {
    const story = [{ fail: 'hang' as const }, { say: 'It is blue.' }, { say: 'So be it.' }];
    await withGraph(graph, { story, files: HELPER }, async (world) => {
      const handle = world.run('Ada', FLOW);
      const before: AgentEvent[] = [];
      handle.subscribe((event) => before.push(event));
      await world.server.untilRequests(1);
      await world.engine.shutDown();
      const next = await world.restart();
      const [child = ''] = spawnedIn(before);
      await next.engine.sessions.delete(child);
      const { outcome, events } = await next.play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'It is blue. So be it.' });
      assert.notEqual(spawnedIn(events)[0], child);
    });
  });

  it('also resumes for a map item, in the session of that item', async () => {
    const mapped = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: done }\n  each: { type: agent, agent: helper, prompt: "Help {{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three] }\n',
    );
    let hangs = true;
    const story = [
      {
        when: () => true,
        step: ({ messages, lastText }: ModelRequest) => {
          const asked = messages.find(({ role }) => role === 'user')?.text ?? '';
          if (asked === 'Help one') return { say: 'first' };
          if (asked === lastText) return READ;
          return hangs ? { fail: 'hang' as const } : { say: asked };
        },
      },
    ];
    await withGraph(mapped, { story, files: { ...HELPER, ...NOTE } }, async (world) => {
      const handle = world.run('go', FLOW);
      const before: AgentEvent[] = [];
      handle.subscribe((event) => before.push(event));
      await world.server.untilRequests(5);
      while (!before.some(({ type }) => type === 'node-progress')) await aMoment();
      await world.engine.shutDown();
      hangs = false;
      const { outcome, events } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["first","Help two","Help three"]' });
      const known = spawnedIn(before);
      const went = spawnedIn(events);
      assert.equal(went.length, 2);
      assert.ok(went.every((one) => known.includes(one)));
      assert.equal(world.server.requests.length, 7, 'nothing was asked again but what hung');
    });
  });
});

describe('An agent that failed and is to be retried', () => {
  it('starts afresh, also when the program ends before that', async () => {
    const graph = graphOf(
      '  a: { type: agent, agent: helper, prompt: Help me, retry: { attempts: 2, delay: 77 }, next: done }\n  done: { type: end, output: over }\n',
    );
    const waits = new Deferred<void>();
    const sleep = (ms: number, signal: AbortSignal) => {
      if (ms === 77_000) waits.resolve();
      return untilAborted(new Deferred<void>().promise, signal);
    };
    const story = [READ, { fail: { status: 400 } }, { say: 'It is blue.' }];
    await withGraph(graph, { story, files: { ...HELPER, ...NOTE }, sleep }, async (world) => {
      void world.run('go', FLOW);
      await waits.promise;
      await world.engine.shutDown();
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
      const lengths = world.server.requests.map(({ messages }) => messages.length);
      assert.equal(lengths[2], lengths[0]);
    });
  });
});

describe('An item whose agent failed', () => {
  it('starts afresh, while those that still work resume in their sessions', async () => {
    const mapped = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 2, next: done }\n  each: { type: agent, agent: helper, prompt: "Help {{item}}", retry: { attempts: 2, delay: 0 } }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two] }\n',
    );
    let isFirst = true;
    const asked: string[] = [];
    const step = ({ messages, lastText }: ModelRequest): Step => {
      const task = messages.find(({ role }) => role === 'user')?.text ?? '';
      const isNew = task === lastText;
      asked.push(`${task}${isNew ? '' : ', further'}`);
      const times = asked.filter((one) => one === asked.at(-1)).length;
      // The first item waits for the second, fails, is retried, and then hangs like the second.
      const isToFail = task === 'Help one' && times === 1;
      if (isNew) return { ...READ, ...(isToFail && { hold: 'one' }) };
      if (!isFirst) return { say: task };
      return isToFail ? { fail: { status: 400 } } : { fail: 'hang' };
    };
    const story = [{ when: () => true, step }];
    await withGraph(mapped, { story, files: { ...HELPER, ...NOTE } }, async (world) => {
      const handle = world.run('go', FLOW);
      const before: AgentEvent[] = [];
      handle.subscribe((event) => before.push(event));
      await world.server.untilRequests(3);
      world.server.release('one');
      await world.server.untilRequests(6);
      await world.engine.shutDown();
      isFirst = false;
      asked.length = 0;
      const { outcome, events } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: '["Help one","Help two"]' });
      assert.deepEqual(asked.toSorted(), ['Help one, further', 'Help two, further']);
      assert.equal(spawnedIn(before).length, 3);
      assert.ok(spawnedIn(events).every((one) => spawnedIn(before).includes(one)));
    });
  });
});

describe('A nested graph', () => {
  const child = (ask = '') =>
    `name: child\nversion: "1.1"\nstart: x\nnodes:\n  x: { type: llm, prompt: "X {{initial_prompt}}", state_updates: { x: "{{output}}" }, next: y }\n  y: { type: llm, prompt: "Y {{x}}", state_updates: { y: "{{output}}" }, next: ${ask === '' ? 'z' : 'q'} }\n${ask}  z: { type: end, output: "{{y}}" }\n`;
  const graph = (more = '') =>
    graphOf(
      `  a: { type: agent, agent: child, prompt: "it"${more}, state_updates: { said: "{{output}}" }, next: done }\n  done: { type: end, output: "Said: {{said}}" }\n`,
    );
  const files = (ask?: string) => ({ '.cairn/agents/child/graph.yaml': child(ask) });

  /** Fails the first `times` requests of the node Y. */
  const failing = (times: number) => {
    let left = times;
    return {
      when: () => true,
      step: ({ lastText }: { lastText: string }) =>
        lastText.startsWith('Y') && left-- > 0 ? { fail: { status: 400 } } : { say: `<${lastText}>` },
    };
  };

  it('resumes where it failed once the whole run is resumed', async () => {
    await withGraph(graph(), { story: [failing(1)], files: files() }, async (world) => {
      assert.match(JSON.stringify((await world.play('go', FLOW)).outcome), /The node “a” failed/);
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Said: <Y <X it>>' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['X it', 'Y <X it>', 'Y <X it>']);
    });
  });

  it('is retried from the node that failed, not from its start', async () => {
    const retried = graph(', retry: { attempts: 3, delay: 0 }');
    await withGraph(retried, { story: [failing(2)], files: files() }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Said: <Y <X it>>' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['X it', 'Y <X it>', 'Y <X it>', 'Y <X it>']);
    });
  });

  it('is retried from an inner node, and its parent takes the new answer', async () => {
    await withGraph(graph(), { story: [failing(1)], files: files() }, async (world) => {
      await world.play('go', FLOW);
      const inner = await runOf(world, 'child');
      await graphRuns(world).retry(inner.view.id, { at: 'y', changes: { x: 'edited' } });
      const next = await world.restart();
      const again = await next.play(undefined, { agent: 'child', sessionId: inner.sessionId });
      assert.deepEqual(again.outcome, { kind: 'completed', answer: '<Y edited>' });
      assert.deepEqual(nodesOf(again.events), ['y', 'z']);
      const { outcome } = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Said: <Y edited>' });
      const asked = world.server.requests.map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['X it', 'Y <X it>', 'Y edited']);
    });
  });

  describe('whose answer does not fit the schema of its node', () => {
    const fitting = ', output_schema: { type: object, required: [k], properties: { k: { type: integer } } }';
    const ask = '  q: { type: input, question: "Sure?", state_updates: { y: "{{input}}" }, next: z }\n';
    const done = { kind: 'completed', answer: 'Said: {"k":1}' };

    it('starts afresh when it is retried, and asks again', async () => {
      const replies = ['Quite', '{"k":1}', 'too many'];
      const answer = () => ({ kind: 'answered' as const, texts: [replies.shift() ?? ''] });
      const options = { story: [failing(0)], files: files(ask), answer };
      await withGraph(graph(`${fitting}, retry: { attempts: 2, delay: 0 }`), options, async (world) => {
        assert.deepEqual((await world.play('go', FLOW)).outcome, done);
        assert.deepEqual(replies, ['too many']);
      });
    });

    it('starts afresh when the failed run is resumed, as any agent does', async () => {
      const person = new Person();
      const options = { story: [failing(0)], files: files(ask), answer: person.answer };
      await withGraph(graph(fitting), options, async (world) => {
        const going = world.play('go', FLOW);
        await person.reply('Sure?', 'Quite');
        assert.match(JSON.stringify((await going).outcome), /does not fit the output_schema/);
        const again = (await world.restart()).play(undefined, FLOW);
        await person.reply('Sure?', '{"k":1}');
        assert.deepEqual((await again).outcome, done);
      });
      const plain = graph(fitting).replace('agent: child', 'agent: helper');
      let answer = 'blue';
      const story = [{ when: () => true, step: () => ({ say: answer }) }];
      await withGraph(plain, { story, files: HELPER }, async (world) => {
        assert.equal((await world.play('go', FLOW)).outcome.kind, 'failed');
        answer = '{"k":1}';
        assert.deepEqual((await (await world.restart()).play(undefined, FLOW)).outcome, done);
      });
    });
  });

  it('repeats only its pending question after a shutdown', async () => {
    const person = new Person();
    const ask = '  q: { type: input, question: "Sure?", state_updates: { y: "{{input}}" }, next: z }\n';
    const options = { story: [failing(0)], files: files(ask), answer: person.answer };
    await withGraph(graph(), options, async (world) => {
      void world.run('go', FLOW);
      await person.untilAsked('Sure?');
      await world.engine.shutDown();
      const going = (await world.restart()).play(undefined, FLOW);
      await person.reply('Sure?', 'Quite');
      assert.deepEqual((await going).outcome, { kind: 'completed', answer: 'Said: Quite' });
      assert.equal(world.server.requests.length, 2);
    });
  });

  it('keeps its answer when the program ends before its session records it', async () => {
    await withGraph(graph(), { story: [failing(0)], files: files() }, async (world) => {
      await world.play('go', FLOW);
      const { sessionId } = await runOf(world);
      const path = join(world.sessionsFolder, sessionId, 'history.jsonl');
      const history = await readFile(path, 'utf8');
      const asked = /^.*"role":"user".*\n/m.exec(history);
      assert.ok(asked);
      await writeFile(path, history.slice(0, asked.index + asked[0].length));
      const next = await world.restart();
      assert.deepEqual((await next.play(undefined, FLOW)).outcome, { kind: 'completed', answer: 'Said: <Y <X it>>' });
      assert.equal(world.server.requests.length, 2);
      const more = await (await next.restart()).play('once more', FLOW);
      assert.equal(more.outcome.kind, 'completed');
      assert.equal(world.server.requests.length, 4);
    });
  });
});

describe('A graph that starts itself', () => {
  it('ends at the maximum depth of agents, and says so', async () => {
    const graph = graphOf(
      '  a: { type: agent, agent: flow, prompt: "{{initial_prompt}}, again", next: done }\n  done: { type: end }\n',
      'settings: { validate_before_run: false }\n',
    );
    await withGraph(graph, {}, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /“a” failed: Agents may go 3 deep, and this graph is there\./);
      const { runs } = await graphRuns(world).list();
      assert.deepEqual(
        runs.map(({ view }) => [view.state, view.prompt.split(', ').length]).toSorted(),
        [1, 2, 3, 4].map((depth) => ['failed', depth]),
      );
    });
  });
});

describe('A retried map', () => {
  it('runs only its unfinished items', async () => {
    const graph = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 1, retry: { attempts: 2, delay: 0 }, next: done }\n  each: { type: llm, prompt: "{{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three] }\n',
    );
    const story = [{ say: '1' }, { fail: { status: 400 } }, { say: '2' }, { say: '3' }];
    await withGraph(graph, { story }, async (world) => {
      assert.deepEqual((await world.play('go', FLOW)).outcome, { kind: 'completed', answer: '["1","2","3"]' });
      assert.deepEqual(
        world.server.requests.map(({ lastText }) => lastText),
        ['one', 'two', 'two', 'three'],
      );
    });
  });
});
