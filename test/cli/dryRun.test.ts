import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { inShell } from './inShell';

const GRAPH = `
name: flow
version: "1.1"
start: plan
settings: { budget: { tokens: 50000, cost: 1.5 } }
initial_state: { list: [x, y] }
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", tools: [fs_read], max_iterations: 5, next: gate }
  gate: { type: approval, question: "Do it?", options: [Yes, No], routes: { Yes: name, No: left }, on_other: left }
  name: { type: input, question: "Name?", validation: "len(input) >= 3", state_updates: { name: "{{input}}" }, next: judge }
  judge: { type: llm, prompt: Judge, output_schema: { type: object, required: [score], properties: { score: { type: integer, minimum: 1 } } }, next: each }
  each: { type: map, over: "{{list}}", as: item, branch: item, collect_into: all, next: check }
  item: { type: agent, agent: explore, prompt: "Item {{item}}" }
  check: { type: script, script: check.sh }
  done: { type: end, output: "{{name}} {{score}} {{all}}" }
  left: { type: end, output: "Nothing done" }
`;
const SCRIPT = '# _next: done, left\ntouch ran\necho "{}"\n';

describe('A dry run on the command line', function () {
  this.timeout(60_000);

  const withGraph = (graph: string, use: Parameters<typeof inShell>[1]) =>
    inShell([], async (shell) => {
      const folder = join(shell.folder, '.cairn/agents/flow');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'graph.yaml'), graph);
      await writeFile(join(folder, 'check.sh'), SCRIPT);
      await use(shell);
    });
  const DRY = ['-a', 'flow', '--dry-run', '--trust', '-m', 'openai:test-model'];

  it('prints in order what would be asked, started and run, with the maximum cost, and runs nothing', () =>
    withGraph(GRAPH, async ({ cairn, folder, server }) => {
      const { status, out, err } = await cairn([...DRY, 'the tower']);
      assert.equal(status, 0, err);
      assert.deepEqual(out.split('\n'), [
        'Dry run of flow: no model was asked and nothing was run.',
        '',
        '0\tplan\tllm\task openai:test-model with fs_read, 5 requests at most\ttaken: (answer of plan)\t→ gate',
        '1\tgate\tapproval\task you: Do it? [Yes, No]\ttaken: Yes\t→ name',
        '2\tname\tinput\task you: Name?\ttaken: ...\t→ judge',
        '3\tjudge\tllm\task openai:test-model, 3 requests at most\ttaken: {"score":1}\t→ each',
        '4\teach\tmap\tstart the agent explore (2 times)\ttaken: ["(answer of item)","(answer of item)"]\t→ check',
        '5\tcheck\tscript\trun the script check.sh\ttaken: {}\t→ done',
        '6\tdone\tend\t-\ttaken: ... 1 ["(answer of item)","(answer of item)"]\tends',
        '',
        'Answer: ... 1 ["(answer of item)","(answer of item)"]',
        'At most on this path: 8 model requests, and what 2 agents may ask within limits of their own.',
        'Tokens: no maximum is known, because the context size of openai:test-model is not.',
        'Cost: no maximum is known, because the prices of openai:test-model are not.',
        'Budget: 50000 tokens, $1.5.',
        '',
      ]);
      assert.equal(server.requests.length, 0);
      assert.ok(!(await readdir(folder)).includes('ran'));
      assert.equal((await cairn(['runs', 'list'])).out, '');
    }));

  it('takes answers from a file, one for each visit to a node', () =>
    withGraph(
      GRAPH.replace('No: left }', 'No: plan }').replace('settings: {', 'settings: { max_loop_iterations: 5,'),
      async ({ cairn, folder }) => {
        const answers =
          'plan: [First, Second]\ngate: [No, Yes]\nname: Ada\njudge: { score: 9 }\ncheck: { _next: left }\ndone: 1\n';
        await writeFile(join(folder, 'answers.yaml'), answers);
        const dry = [...DRY, '--answers', 'answers.yaml', 'go'];
        const { status, out, err } = await cairn(dry);
        assert.equal(status, 0, err);
        const said = out.split('\n').flatMap((line) => /\t(?:given|taken): .*/.exec(line) ?? []);
        assert.deepEqual(said, [
          '\tgiven: First\t→ gate',
          '\tgiven: No\t→ plan',
          '\tgiven: Second\t→ gate',
          '\tgiven: Yes\t→ name',
          '\tgiven: Ada\t→ judge',
          '\tgiven: {"score":9}\t→ each',
          '\ttaken: ["(answer of item)","(answer of item)"]\t→ check',
          '\tgiven: {}\t→ left',
          '\ttaken: Nothing done\tends',
        ]);
        assert.match(out, /^Unused answers: done\.$/m);
        const json = await cairn([...dry, '--output', 'json']);
        assert.match(json.out, /"answer": "Nothing done",\n {2}"mostRequests": 13,/);
        assert.match(out, /^Loops: with other answers, these may run more often: plan \(up to 5 times\)\.$/m);
      },
    ));

  it('says how many tokens and how much money that is at most, by what the list of models says', () => {
    const graph = `
name: flow
version: "1.1"
start: plan
nodes:
  plan: { type: llm, prompt: Plan, tools: [fs_read], max_iterations: 5, next: judge }
  judge: { type: llm, prompt: Judge, model: MODEL, enabled_skills: [words], max_iterations: 3, max_visits: 4, next: check }
  check: { type: script, script: check.sh }
  done: { type: end }
  left: { type: end }
`;
    return withGraph(graph.replace('MODEL', 'claude:claude-haiku-4-5'), async ({ cairn, folder }) => {
      const path = join(folder, '.cairn/agents/flow/graph.yaml');
      await mkdir(join(folder, '.cairn/skills/words'), { recursive: true });
      await writeFile(
        join(folder, '.cairn/skills/words/SKILL.md'),
        '---\nname: words\ndescription: Words\n---\nWords.\n',
      );
      const dry = ['-a', 'flow', '--dry-run', '--trust', '-m', 'openai:gpt-5', '--max-cost', '2'];
      const { out, err, status } = await cairn([...dry, 'go']);
      assert.equal(status, 0, err);
      // 400,000 and 128,000 tokens at $1.25 and $10 per million; 200,000 and 64,000 at $1.25 (written to the cache) and $5.
      assert.match(
        out,
        /^At most on this path: 8 model requests\.\nTokens: at most 3,432,000, if every request fills the context of its model\.\nCost: at most \$10\.61\.\nBudget: \$2\.$/m,
      );
      const json: unknown = JSON.parse((await cairn([...dry, '--output', 'json', 'go'])).out);
      const { nodes, ...rest } = z.looseObject({ nodes: z.array(z.unknown()) }).parse(json);
      assert.deepEqual(
        [nodes.length, rest],
        [
          4,
          {
            answer: '',
            mostRequests: 8,
            mostTokens: 3_432_000,
            mostCostUsd: 10.61,
            unknownSizes: [],
            unknownPrices: [],
            agents: 0,
            mayRepeat: [],
            unused: [],
          },
        ],
      );
      await writeFile(path, graph.replace('MODEL', 'openai:gpt-5.4-mini'));
      const partly = await cairn([...dry, 'go']);
      assert.match(
        partly.out,
        /^Tokens: no maximum is known, because the context size of openai:gpt-5\.4-mini is not\.\nCost: no maximum is known, because the prices of openai:gpt-5\.4-mini are not\.$/m,
      );
      await writeFile(path, graph.replace('MODEL', 'openai:gpt-5'));
      await writeFile(join(folder, '.cairn/agents/flow/check.sh'), '# _next: done, plan\necho "{}"\n');
      const looping = await cairn([...dry, 'go']);
      assert.match(looping.out, /^Loops: .*: plan \(up to 100 times\), judge \(up to 4 times\)\.$/m);
    });
  });

  it('waits for branches only where a run would, by what the scripts say about their routes', () => {
    const joined = `
name: flow
version: "1.1"
start: plan
nodes:
  plan: { type: llm, prompt: Plan, next: [quick, slow] }
  quick: { type: llm, prompt: Quick, next: join }
  slow: { type: llm, prompt: Slow, next: check }
  check: { type: script, script: check.sh }
  join: { type: llm, prompt: Join, join: all, next: done }
  done: { type: end }
  left: { type: end }
`;
    return withGraph(joined, async ({ cairn, folder }) => {
      const stepOf = async (script: string) => {
        await writeFile(join(folder, '.cairn/agents/flow/check.sh'), script);
        return /^(\d+)\tjoin\t/m.exec((await cairn([...DRY, 'go'])).out)?.[1];
      };
      assert.equal(await stepOf('# _next: left\necho "{}"\n'), '2');
      assert.equal(await stepOf('# _next: left, join\necho "{}"\n'), '3');
    });
  });

  it('counts every attempt of a node, and waits for none', () => {
    const retried = (each: string, retry = '') => `
name: flow
version: "1.1"
start: judge
initial_state: { list: [x, y] }
nodes:
  judge: { type: llm, prompt: Judge, output_schema: { type: object, required: [score], properties: { score: { type: integer } } }, retry: { attempts: 3, delay: 3600 }, next: each }
  each: { type: map, over: "{{list}}", as: item, branch: item, collect_into: all${retry}, next: check }
  item: { ${each} }
  check: { type: script, script: check.sh, retry: { attempts: 4 } }
  done: { type: end }
  left: { type: end }
`;
    const asks = 'type: llm, prompt: "{{item}}", max_attempts: 2, retry: { attempts: 5 }';
    return withGraph(retried(asks, ', retry: { attempts: 10 }'), async ({ cairn, folder }) => {
      const most = /^At most on this path: (.*)\.$/m;
      const { out } = await cairn([...DRY, 'go']);
      assert.match(out, /\task openai:test-model, 9 requests at most\t/);
      assert.match(out, /\trun the script check\.sh, up to 4 attempts\t/);
      // Three attempts of three requests, and two items in ten attempts of the map, each in five of two requests.
      assert.equal(most.exec(out)?.[1], '209 model requests');
      const path = join(folder, '.cairn/agents/flow/graph.yaml');
      await writeFile(path, retried('type: agent, agent: explore, prompt: "{{item}}", retry: { attempts: 2 }'));
      const agents = await cairn([...DRY, 'go']);
      assert.match(agents.out, /\tstart the agent explore, up to 2 attempts \(2 times\)\t/);
      assert.match(most.exec(agents.out)?.[1] ?? '', /^9 model requests, and what 4 agents may ask/);
      await writeFile(join(folder, 'answers.yaml'), 'judge: { score: high }');
      const wrong = await cairn([...DRY, '--answers', 'answers.yaml', 'go']);
      assert.match(wrong.out, /It would fail: .* Write one for “judge”\./);
    });
  });

  it('fails with the reason when an answer is invalid', () =>
    withGraph(GRAPH, async ({ cairn, folder }) => {
      for (const [answers, why] of [
        ['name: Al', /It would fail: The node “name” failed: The answer for “name” does not fit\. .*at least 3/],
        [
          'judge: { score: 0 }',
          /It would fail: The node “judge” failed: Its answer does not fit its output_schema: .*“score”/,
        ],
        ['check: 1', /It would fail: The node “check” failed: A script prints keys and values/],
        ['check: { _next: nowhere }', /It would fail: .*no node “nowhere”/],
      ] as const) {
        await writeFile(join(folder, 'answers.yaml'), answers);
        const { status, out } = await cairn([...DRY, '--answers', 'answers.yaml', 'go']);
        assert.equal(status, 1, answers);
        assert.match(out, why);
      }
    }));

  it('is rejected for a graph with errors, an agent without a graph, and malformed answers', () =>
    withGraph(GRAPH.replace('next: gate }', 'next: gaet }'), async ({ cairn, folder }) => {
      const wrong = await cairn([...DRY, 'go']);
      assert.equal(wrong.status, 2);
      assert.match(wrong.err, /graph\.yaml:8:\d+: error: “next” names the node “gaet”/);
      assert.match((await cairn(['-a', 'explore', '--dry-run', 'go'])).err, /explore is not a graph/);
      assert.match((await cairn(['--dry-run', 'go'])).err, /--dry-run needs a graph agent/);
      assert.match((await cairn(['-a', 'flow', '--answers', 'x', 'go'])).err, /--answers is for --dry-run/);
      await writeFile(join(folder, '.cairn/agents/flow/graph.yaml'), GRAPH);
      for (const [text, why] of [
        ['- a', /must map nodes to answers/],
        ['nobody: 1', /has an answer for “nobody”/],
        ['a: [', /answers\.yaml:1:\d/],
      ] as const) {
        await writeFile(join(folder, 'answers.yaml'), text);
        const { status, err } = await cairn([...DRY, '--answers', 'answers.yaml', 'go']);
        assert.equal(status, 2, err);
        assert.match(err, why);
      }
      const none = await cairn([...DRY, '--answers', 'none.yaml', 'go']);
      assert.deepEqual([none.status, /none\.yaml cannot be read/.test(none.err)], [2, true]);
    }));
});
