import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Deferred } from '../../../src/base/async';
import { visitDetail } from '../../../src/engine/graphs/record/graphRuns';
import { untilGone } from '../../support/isGone';
import { neverAnswered } from '../../support/neverAnswered';
import { processIn } from '../../support/processIn';
import type { ScriptWorld } from '../../support/scriptWorld';
import { changeGraph, graphRuns, nodesOf, runOf, withGraph } from './graphWorld';

/** A script next to the graph. */
const script = (name: string, text: string) => ({ [`.cairn/agents/flow/${name}`]: text });

const play = (world: ScriptWorld, input = 'Hello') => world.play(input, { agent: 'flow' });

const graphOf = (nodes: string, more = '') => `name: flow\nstart: a\n${more}nodes:\n${nodes}`;

describe('A graph as an agent', () => {
  it('answers with the output of its end node', async () => {
    const graph = graphOf(`
  a:
    type: llm
    prompt: Say hello to {{initial_prompt}}
    instructions: Be short.
    state_updates: { greeting: "{{output}}" }
    next: done
  done: { type: end, output: "It said: {{greeting}}" }
`);
    await withGraph(graph, { story: [{ say: 'Hello, Ada.' }] }, async (world) => {
      const { outcome, events } = await play(world, 'Ada');
      assert.deepEqual(outcome, { kind: 'completed', answer: 'It said: Hello, Ada.' });
      assert.deepEqual(
        world.server.requests[0]?.messages.map(({ role, text }) => [role, text]),
        [
          ['system', 'Be short.'],
          ['user', 'Say hello to Ada'],
        ],
      );
      assert.deepEqual(nodesOf(events), ['a', 'done']);
    });
  });

  it('passes the state to scripts, reads their output, and follows their routes', async () => {
    const graph = graphOf(
      `
  a: { type: script, script: a.sh, next: nowhere_near }
  b: { type: script, script: b.py, next: d }
  c: { type: script, script: c.ts, next: d }
  d: { type: end, output: "{{from_b}} {{from_c}} {{sum}}" }
  nowhere_near: { type: end, output: wrong }
`,
      'reducers: { sum: sum }\ninitial_state: { sum: 1 }\nvariables: [{ name: my-tone, description: How, default: kind }]\n',
    );
    const files = {
      ...script(
        'a.sh',
        '#!/bin/bash\necho "{\\"tone\\": \\"$LLM_AGENT_VAR_MY_TONE\\", \\"_next\\": [\\"b\\", \\"c\\"]}"\necho noise >&2\n',
      ),
      ...script(
        'b.py',
        'import json, os\nstate = json.loads(os.environ["GRAPH_STATE"])\nprint(json.dumps({"from_b": state["initial_prompt"] + "/" + state["tone"], "sum": 2}))\n',
      ),
      ...script(
        'c.ts',
        'const state: { sum: number } = JSON.parse(process.env["GRAPH_STATE"] ?? "");\nconsole.log(JSON.stringify({ from_c: typeof state.sum, sum: 1 }));\n',
      ),
    };
    await withGraph(graph, { files }, async (world) => {
      const { outcome } = await play(world);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Hello/kind number 4' });
      assert.equal(world.server.requests.length, 0);
    });
  });

  it('has a join wait for a script only if its text or its nodes lead there', async () => {
    const node = (id: string, file: string, next: string, more = '') =>
      `  ${id}: { type: script, script: ${file}, state_updates: {}, next: ${next}${more} }\n`;
    const nodes = `${node('a', 'plain.sh', '[b, s]')}${node('b', 'plain.sh', 'j')}${node('j', 'plain.sh', 'z', ', join: all')}${node('s', 'aside.sh', 't')}${node('t', 'aside.sh', 'z')}`;
    const graph = graphOf(`${nodes}  z: { type: end, join: all, output: over }\n`, 'version: "1.1"\n');
    const joinedIn = async (text: string) => {
      const files = { ...script('plain.sh', 'echo "{}"\n'), ...script('aside.sh', text) };
      let step = 0;
      await withGraph(graph, { files }, async (world) => {
        const { outcome, events } = await play(world);
        assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
        for (const event of events) if (event.type === 'node-finished' && event.node === 'j') ({ step } = event);
      });
      return step;
    };
    const open = `echo '{"_next": null}'\n`;
    assert.equal(await joinedIn('echo "{}"\n'), 2);
    assert.equal(await joinedIn(`# _next: t, z\n${open}`), 2);
    assert.equal(await joinedIn(`# _next: j, t\n${open}`), 3);
    assert.equal(await joinedIn(open), 3);
  });

  it('keeps every key that a script prints, even names of object properties', async () => {
    const graph = graphOf(`
  a: { type: script, script: a.sh, next: b }
  b: { type: end, output: "{{__proto__.a}} {{constructor.__proto__}} {{toString}}" }
`);
    const printed = '{"__proto__": {"a": 1}, "constructor": {"__proto__": 2}, "toString": 3}';
    const files = script('a.sh', `#!/bin/bash\necho '${printed}'\n`);
    await withGraph(graph, { files }, async (world) => {
      const { outcome } = await play(world);
      assert.deepEqual(outcome, { kind: 'completed', answer: '1 2 3' });
      const run = await runOf(world);
      const { record } = await graphRuns(world).read(run.sessionId, run.view.id);
      const { before } = await visitDetail(record, { node: 'b', step: 1 });
      assert.equal(JSON.stringify(before.get('__proto__')), '{"a":1}');
      assert.equal(JSON.stringify(before.get('constructor')), '{"__proto__":2}');
    });
  });

  it('writes each key of a node once, as its updates say, so that reducers count nothing twice', async () => {
    const graph = graphOf(
      `
  a: { type: script, script: a.sh, state_updates: { found: "{{found}}", sum: "{{sum}}" }, next: b }
  b: { type: llm, prompt: More, output_schema: { type: object, properties: { sum: { type: integer } } }, state_updates: { sum: "{{output.sum}}" }, next: c }
  c: { type: map, over: "{{found}}", as: one, branch: each, collect_into: found, state_updates: { found: "{{output}}" }, next: d }
  each: { type: llm, prompt: "{{one}}" }
  d: { type: end, output: "{{found}} {{sum}}" }
`,
      'version: "1.1"\nreducers: { found: extend, sum: sum }\ninitial_state: { found: [1], sum: 1 }\n',
    );
    const say = ({ lastText }: { lastText: string }) => ({ say: lastText.startsWith('More') ? '{"sum": 3}' : 'x' });
    const story = [{ when: () => true, step: say }];
    const files = script('a.sh', `echo '{"found": [2], "sum": 2}'\n`);
    await withGraph(graph, { files, story }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: '[1,2,"x","x"] 6' });
    });
  });

  it('passes any text to scripts, and rejects output of more than 1 MB', async () => {
    const graph = graphOf(
      '  a: { type: script, script: a.py, next: b }\n  b: { type: script, script: b.py, next: done }\n  done: { type: end }\n',
      'initial_state: { text: "a\\0b" }\n',
    );
    const files = {
      ...script(
        'a.py',
        'import json, os\nassert json.loads(os.environ["GRAPH_STATE"])["text"] == "a\\0b"\nprint("{}")\n',
      ),
      ...script('b.py', 'print(\'{"x": "\' + "x" * 1_100_000 + \'"}\')\n'),
    };
    await withGraph(graph, { files }, async (world) => {
      assert.match(
        JSON.stringify((await play(world)).outcome),
        /The node “b” failed: \S*b\.py printed more than 1 MB, the limit for a graph\. Write long output to a file/,
      );
    });
  });

  it('passes a long state in a file, to the program that the script names', async () => {
    const graph = graphOf(
      '  a: { type: script, script: a.sh, next: done }\n  done: { type: end, output: "{{count}} {{shell}}" }\n',
      `initial_state: { text: ${'x'.repeat(40_000)} }\n`,
    );
    const text =
      '#!/usr/bin/env python3\nimport json, os\nassert "GRAPH_STATE" not in os.environ\nstate = json.load(open(os.environ["GRAPH_STATE_FILE"]))\nprint(json.dumps({"count": len(state["text"]), "shell": "python"}))\n';
    const outer = { GRAPH_STATE: '{"text": "of another graph"}' };
    await withGraph(graph, { files: script('a.sh', text), env: outer }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: '40000 python' });
    });
  });

  it('asks before a workspace script runs for the first time, with its text, and runs no rejected one', async () => {
    const graph = graphOf(
      '  a: { type: script, script: a.sh, next: done, fallback: other }\n  done: { type: end }\n  other: { type: end, output: around }\n',
    );
    const files = script('a.sh', 'touch ran\necho "{}"\n');
    const approve = () => ({ kind: 'reject' as const, by: 'person' as const });
    await withGraph(graph, { files, approve, approvalMode: 'everything' }, async (world) => {
      const { outcome } = await play(world);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'around' });
      assert.equal(world.asked.length, 1);
      assert.match(JSON.stringify(world.asked[0]), /touch ran/);
      await assert.rejects(world.read('ran'));
    });
  });

  it('runs no script outside the workspace, by whatever path or link', async () => {
    const own = { 'outside.sh': 'touch ran\necho "{}"\n' };
    for (const way of ['path', 'climb', 'link', 'folder']) {
      const graph = graphOf(
        '  a: { type: script, script: SCRIPT, next: done }\n  done: { type: end }\n',
        'settings: { validate_before_run: false }\n',
      );
      await withGraph(graph, { own }, async (world) => {
        const [folder, outside] = [join(world.folder, '.cairn/agents/flow'), join(world.own.path, 'outside.sh')];
        await symlink(outside, join(folder, 'link.sh'));
        await symlink(world.own.path, join(folder, 'folder'));
        const script = { path: outside, climb: relative(folder, outside), link: 'link.sh' }[way] ?? 'folder/outside.sh';
        await changeGraph(world, graph.replace('SCRIPT', script));
        const { outcome } = await play(world);
        assert.match(JSON.stringify(outcome), /is a link that leads out of the workspace/, way);
        await assert.rejects(world.read('ran'), way);
        assert.equal(world.asked.length, 0, way);
      });
    }
  });

  it('stops a timed-out script with its child processes, even if they ignore SIGTERM, and takes the fallback (D-8)', async () => {
    const graph = graphOf(
      '  a: { type: script, script: a.sh, timeout: 77, next: done, fallback: other }\n  done: { type: end }\n  other: { type: end, output: around }\n',
    );
    const files = script('a.sh', "trap '' TERM\n(while :; do sleep 1; done) &\necho $! > child\nwait\n");
    const timeIsUp = new Deferred<void>();
    const sleep = (ms: number, signal: AbortSignal) =>
      // Less than all of it is left once the script is allowed.
      ms > 70_000 && ms <= 77_000 ? Promise.race([timeIsUp.promise, neverAnswered(signal)]) : neverAnswered(signal);
    await withGraph(graph, { files, sleep }, async (world) => {
      const played = play(world);
      const child = await processIn(() => world.read('child'));
      timeIsUp.resolve();
      assert.deepEqual((await played).outcome, { kind: 'completed', answer: 'around' });
      await untilGone(child);
    });
  });

  it('fails with the node and the reason when there is no fallback', async () => {
    const graph = graphOf('  a: { type: script, script: a.sh, next: done }\n  done: { type: end }\n');
    await withGraph(graph, { files: script('a.sh', 'echo "not json"\n') }, async (world) => {
      const { outcome } = await play(world);
      assert.deepEqual(outcome, {
        kind: 'failed',
        reason: 'graph',
        message:
          'The graph “flow” failed. The node “a” failed: It printed "not json" instead of one JSON object. Print nothing else to standard output.',
      });
    });
  });

  it('gives a node only the tools it names, and checks their calls', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: "Read it", tools: [fs_read], state_updates: { said: "{{output}}" }, next: done }\n  done: { type: end, output: "{{said}}" }\n',
    );
    const story = [{ call: [{ name: 'fs_read', arguments: { path: 'note.txt' } }] }, { say: 'It says blue.' }];
    await withGraph(graph, { story, files: { 'note.txt': 'blue\n' } }, async (world) => {
      const { outcome, events } = await play(world);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'It says blue.' });
      assert.deepEqual(world.server.requests[0]?.tools, ['fs_read']);
      assert.match(world.server.requests[1]?.lastText ?? '', /blue/);
      assert.ok(events.some(({ type, agentPath }) => type === 'tool-finished' && agentPath.join() === 'flow,flow/a'));
    });
  });

  it('starts other agents, and reports a missing one', async () => {
    const graph = graphOf(
      '  a: { type: agent, agent: helper, prompt: "Help {{initial_prompt}}", state_updates: { said: "{{output}}" }, next: b }\n  b: { type: agent, agent: helpr, prompt: x, next: done }\n  done: { type: end }\n',
      'settings: { validate_before_run: false }\n',
    );
    const files = { '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n' };
    await withGraph(graph, { story: [{ say: 'Done.' }], files }, async (world) => {
      const { outcome, events } = await play(world);
      assert.equal(outcome.kind, 'failed');
      assert.match(JSON.stringify(outcome), /The node “b” failed: There is no agent “helpr”\. Did you mean “helper”\?/);
      assert.deepEqual(nodesOf(events), ['a', 'b']);
      assert.match(world.server.requests[0]?.messages[0]?.text ?? '', /You help/);
    });
  });

  it('maps over a list in order, with limited concurrency and the output of each branch (D-1)', async () => {
    const graph = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 2, next: done }\n  each: { type: llm, prompt: "Name {{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three, four], output: stale }\n',
    );
    let working = 0;
    let most = 0;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) => {
          most = Math.max(most, ++working);
          setTimeout(() => working--, 5);
          return { say: `<${lastText}>`, pauseMs: 5 };
        },
      },
    ];
    await withGraph(graph, { story }, async (world) => {
      const { outcome } = await play(world);
      assert.deepEqual(outcome, {
        kind: 'completed',
        answer: '["<Name one>","<Name two>","<Name three>","<Name four>"]',
      });
      assert.ok(most <= 2, `${most} at once`);
    });
  });
});

describe('A graph with many parallel nodes', () => {
  it('runs without a warning from Node', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const graph = graphOf(
      `  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: [${ids.join(', ')}] }\n  each: { type: llm, prompt: "{{item}}" }\n${ids.map((id) => `  ${id}: { type: llm, prompt: ${id}, next: end }\n`).join('')}  end: { type: end, output: done }\n`,
      `initial_state: { list: [${ids.join(', ')}] }\nsettings: { max_concurrency: 20 }\n`,
    );
    const warned: string[] = [];
    const onWarning = ({ message }: Error) => warned.push(message);
    process.on('warning', onWarning);
    try {
      await withGraph(graph, { story: [{ when: () => true, step: { say: 'well' } }] }, async (world) => {
        assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: 'done' });
        await new Promise(setImmediate);
      });
    } finally {
      process.off('warning', onWarning);
    }
    assert.deepEqual(warned, []);
  });
});

describe('An invalid graph', () => {
  const graph = graphOf('  a: { type: llm, prompt: "Say it", next: b }\n  c: { type: end }\n');

  it('is not started, costs nothing, and reports where it is wrong', async () => {
    await withGraph(graph, { story: [{ say: 'It.' }] }, async (world) => {
      const { outcome } = await play(world);
      assert.ok(outcome.kind === 'failed');
      assert.equal(outcome.reason, 'configuration');
      assert.match(outcome.message, /^The graph “flow” was not started.*graph\.yaml:4:43: .*“b”/);
      assert.equal(world.server.requests.length, 0);
    });
  });

  it('is not started if it and the graphs of other agents start each other without end', async () => {
    const starting = (agent: string) =>
      graphOf(`  a: { type: agent, agent: ${agent}, prompt: p, next: b }\n  b: { type: end }\n`, 'version: "1.1"\n');
    const files = { '.cairn/agents/other/graph.yaml': starting('flow') };
    await withGraph(starting('other'), { files }, async (world) => {
      const { outcome, events } = await play(world);
      assert.match(
        JSON.stringify(outcome),
        /was not started.*starts this graph’s own agent again: flow → other → flow/,
      );
      assert.ok(!events.some(({ type }) => type === 'agent-spawned'));
    });
  });

  it('is started when its file disables validation', async () => {
    const unchecked = graph.replace('nodes:', 'settings: { validate_before_run: false }\nnodes:');
    await withGraph(unchecked, { story: [{ say: 'It.' }] }, async (world) => {
      assert.match(JSON.stringify((await play(world)).outcome), /“a” failed: There is no node “b” to continue with/);
      assert.equal(world.server.requests.length, 1);
    });
  });
});

describe('The structured output of a node', () => {
  const graph = graphOf(`
  a:
    type: llm
    prompt: Judge
    output_schema: { type: object, required: [score], properties: { score: { type: integer, minimum: 1 }, why: { type: string } } }
    state_updates: { copy: "{{output.score}}" }
    next: done
  done: { type: end, output: "{{score}} {{copy}} {{why}}" }
`);

  it('is written key by key with its types, and requested from the provider', async () => {
    await withGraph(graph, { story: [{ say: '```json\n{"score": 3, "why": "good"}\n```' }] }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: '3 3 good' });
      assert.match(JSON.stringify(world.server.requests[0]?.body), /json_schema/);
    });
  });

  it('is repaired with the validation errors (D-5, D-6)', async () => {
    const story = [
      { say: 'I would say {"score": "high"}' },
      { say: '{"score": 0}' },
      { say: '{"score": 2, "why": "so"}' },
    ];
    await withGraph(graph, { story }, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: '2 2 so' });
      assert.match(world.server.requests[1]?.lastText ?? '', /I would say .*What does not fit yet: It is not JSON\./s);
      assert.match(world.server.requests[2]?.lastText ?? '', /“score”: .*0/s);
    });
  });

  it('fails when it never becomes valid', async () => {
    const story = [{ when: () => true, step: { say: 'no' } }];
    await withGraph(graph, { story }, async (world) => {
      assert.match(
        JSON.stringify((await play(world)).outcome),
        /The answer does not fit the output_schema: It is not JSON/,
      );
      assert.equal(world.server.requests.length, 3);
    });
  });
});
