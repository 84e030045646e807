import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type ScriptWorld, warnings } from '../../support/scriptWorld';
import { FLOW, withGraph } from './graphWorld';

interface Original {
  readonly graph: string;
  readonly scripts?: Readonly<Record<string, string>>;
  /** Answers by the first word of the prompt; other prompts are repeated in brackets. */
  readonly says?: Readonly<Record<string, string>>;
  readonly answers?: readonly string[];
  readonly answer: string;
}

/** Written for the original, in every way that YAML allows. */
const ORIGINALS: Readonly<Record<string, Original>> = {
  'anchors and aliases': {
    graph: `
name: flow
start: one
x-shared:
  tools: &none []
  say: &say "Say {{initial_prompt}}"
nodes:
  one: { type: llm, prompt: *say, tools: *none, state_updates: &keep { said: "{{output}}" }, next: &to two }
  two: { type: llm, prompt: "Again {{said}}", tools: *none, state_updates: *keep, next: done }
  done: { type: end, output: "{{said}}" }
`,
    answer: '[Again [Say hello]]',
  },
  'merge keys': {
    graph: `
name: flow
start: one
x-ask: &ask { type: llm, prompt: "Say {{initial_prompt}}", tools: [], timeout: 50 }
nodes:
  one:
    <<: *ask
    state_updates: &keep { said: "{{output}}" }
    next: two
  two: { <<: *ask, prompt: "Again {{said}}", state_updates: { <<: *keep }, next: done }
  done: { type: end, output: "{{said}}" }
`,
    answer: '[Again [Say hello]]',
  },
  'the name that it gives to Anthropic’s models': {
    graph: `
name: flow
model: claude:claude-sonnet-4-6
start: one
nodes:
  one: { type: script, script: one.sh, next: done }
  two: { type: llm, model: claude:claude-haiku-4-5, prompt: p, next: done }
  done: { type: end, output: "{{said}}" }
`,
    scripts: { 'one.sh': `echo '{"said": "hello"}'` },
    answer: 'hello',
  },
  'the fields that it got later': {
    graph: `
name: flow
reasoning_effort: low
start: one
nodes:
  one: { type: llm, prompt: "{{initial_prompt}}", reasoning_effort: high, state_updates: { said: "{{output}}" }, next: done }
  two: { type: rag, documents: [a.md], graph_hops: 2, extractor_model: claude:claude-haiku-4-5, extractor_prompt: Extract, driver: duckdb, next: done }
  done: { type: end, output: "{{said}}" }
`,
    answer: '[hello]',
  },
  'quoted keys and ids of digits': {
    graph: `
"name": 'flow'
"start": '1'
'nodes':
  1: { "type": "script", 'script': "a.sh", "next": ["2"] }
  "2": { type: llm, prompt: 'It''s {{n}}', state_updates: { "said": '{{output}}' }, next: "3" }
  3: { type: end, output: "{{said}}\\t{{n}}" }
`,
    scripts: { 'a.sh': `echo '{"n": 5}'` },
    answer: "[It's 5]\t5",
  },
  'templates of several lines, folded and literal': {
    graph: `
name: flow   # a comment
start: one
nodes:
  # a comment between nodes
  one:
    type: llm
    prompt: |
      # not a comment
      First: {{initial_prompt}}

      Second: "{{list[0].name}}"
    instructions: >-
      Be
      short.
    state_updates:
      said: |-
        {{output}}
    next: done
  done:
    type: end
    output: >
      {{said}}
      over
initial_state:
  list:
  - name: heron
  -  name: crane
`,
    says: { '#': 'Well.' },
    answer: 'Well. over\n',
  },
  'tabs, flow style, and a document marker': {
    graph: `%YAML 1.2
---
{name: flow,	start: one, nodes: {
  one: {type: llm, prompt: "{{initial_prompt}}", state_updates: {said: "{{output}}"}, next: [done]},
  done: {type: end, output: "{{said}}"},
}}
...
`,
    answer: '[hello]',
  },
  'every field without a value': {
    graph: `
name: flow
description:
version: "1.0"
model: ~
temperature: null
top_p:
global_tools:
mcp_servers:
skills_enabled:
enabled_skills:
inject_skill_instructions:
skill_instructions:
conversation_starters:
variables:
settings: { timeout: null, max_loop_iterations: 9, log_state_snapshots: true, validate_before_run: true, max_concurrency: 4 }
initial_state:
reducers:
start: one
nodes:
  one:
    id: one
    type: llm
    description:
    prompt: "{{initial_prompt}}"
    instructions:
    tools:
    model:
    temperature:
    top_p:
    fallback:
    output_schema:
    timeout:
    skills_enabled:
    enabled_skills:
    state_updates: { said: "{{output}}" }
    next: done
  done: { id: done, type: end, output: "{{said}}", next: ~ }
`,
    answer: '[hello]',
  },
  'a loop by a script, with the counter that it prints': {
    graph: `
name: flow
start: one
settings: { max_loop_iterations: 3 }
initial_state: { round: 0, log: [] }
reducers: { log: append }
nodes:
  one: { type: llm, prompt: "Try {{round}}", state_updates: { log: "{{output}}" }, next: gate }
  gate: { type: script, script: gate.py, timeout: 20 }
  done: { type: end, output: "{{log}}" }
`,
    scripts: {
      'gate.py':
        'import json, os\nstate = json.loads(os.environ["GRAPH_STATE"])\nround = state["round"] + 1\nprint(json.dumps({"round": round, "_next": "one" if round < 3 else "done"}))\n',
    },
    answer: '["[Try 0]","[Try 1]","[Try 2]"]',
  },
  'branches that join, with reducers': {
    graph: `
name: flow
start: all
initial_state: { count: 1, seen: {} }
reducers: { count: sum, seen: merge, best: max, words: concat, items: extend }
nodes:
  all: { type: script, script: all.sh, next: [b, a] }
  a: { type: script, script: a.sh, state_updates: {}, next: done }
  b: { type: script, script: b.sh, state_updates: {}, next: done }
  done: { type: end, output: "{{count}} {{seen}} {{best}} {{words}} {{items}}" }
`,
    scripts: {
      'all.sh': `echo '{}'`,
      'a.sh': `echo '{"count": 2, "seen": {"a": 1}, "best": 3, "words": "x", "items": [1]}'`,
      'b.sh': `echo '{"count": 2, "seen": {"b": 2}, "best": 7, "words": "y", "items": [2]}'`,
    },
    answer: '5 {"a":1,"b":2} 7 x\ny [1,2]',
  },
  'a map with an output key': {
    graph: `
name: flow
start: plan
nodes:
  plan:
    type: llm
    prompt: "Plan {{initial_prompt}}"
    output_schema:
      type: object
      properties: { questions: { type: array, items: { type: string } } }
      required: [questions]
    next: each
  each: { type: map, over: "{{questions}}", as: question, branch: research, output_key: finding, collect_into: findings, max_concurrency: 2, next: done }
  research: { type: llm, prompt: "Find {{question}}", state_updates: { finding: "<{{output}}>" } }
  done: { type: end, output: "{{findings[1]}}" }
`,
    says: { Plan: '{"questions": ["one", "two"]}' },
    answer: '<[Find two]>',
  },
  'questions with defaults and free text': {
    graph: `
name: flow
start: ask
nodes:
  ask: { type: input, question: "Topic?", default: "{{initial_prompt}}", validation: "len(input) > 2", state_updates: { topic: "{{input}}" }, next: gate }
  gate:
    type: approval
    question: "Write about {{topic}}?"
    options: [yes, no, 3]
    routes: { yes: done, no: done, 3: done }
    on_other: done
    state_updates: { said: "{{choice}}" }
  done: { type: end, output: "{{topic}} {{said}}" }
`,
    answers: ['', 'make it shorter'],
    answer: 'hello make it shorter',
  },
  'a failure with a fallback': {
    graph: `
name: flow
start: one
nodes:
  one: { type: script, script: one.sh, next: done, fallback: two, state_updates: { lost: "yes" } }
  two: { type: llm, prompt: "{{unknown}}", next: done, fallback: three, state_updates: { why: "{{output}}" } }
  three: { type: end, output: "{{lost}}|{{why}}" }
  done: { type: end, output: wrong }
`,
    scripts: { 'one.sh': 'exit 3' },
    answer: '|The state has no value for {{unknown}}. Write it with an earlier node, or in initial_state.',
  },
  'the variables of scripts': {
    graph: `
name: flow
start: one
variables:
  - { name: project_dir, description: Where, default: "." }
nodes:
  one: { type: script, script: scripts/one.sh, next: done }
  done: { type: end, output: "{{said}}" }
`,
    scripts: {
      'scripts/one.sh': `source "$(dirname "$0")/../../.shared/utils.sh"
[ -d "$LLM_AGENT_DATA_DIR/scripts" ] && [ -d "$LLM_ROOT_DIR" ] && [ "$AUTO_CONFIRM" = true ] && shared "$LLM_AGENT_VAR_PROJECT_DIR"
`,
      '../.shared/utils.sh': `shared() { echo "{\\"said\\": \\"shared $1\\"}"; }\n`,
    },
    answer: 'shared .',
  },
};

async function problemsOf({ engine, folder }: ScriptWorld, graph: string) {
  const place = engine.content.placeOf(join(folder, '.cairn/agents/flow/graph.yaml'));
  assert.ok(place);
  return engine.content.check(place, graph);
}

describe('A graph written for the original', () => {
  for (const [what, { graph, scripts = {}, says = {}, answers = [], answer }] of Object.entries(ORIGINALS))
    it(`runs unchanged: ${what}`, async () => {
      const files = Object.fromEntries(
        Object.entries(scripts).map(([name, text]) => [`.cairn/agents/flow/${name}`, text]),
      );
      const left = answers.values();
      const story = [
        {
          when: () => true,
          step: ({ lastText }: { lastText: string }) => ({
            say: says[lastText.split(' ', 1)[0] ?? ''] ?? `[${lastText}]`,
          }),
        },
      ];
      const reply = () => Promise.resolve({ kind: 'answered' as const, texts: [left.next().value ?? ''] });
      await withGraph(graph, { files, story, answer: reply }, async (world) => {
        const { outcome, events } = await world.play('hello', FLOW);
        assert.deepEqual(outcome, { kind: 'completed', answer });
        assert.deepEqual(warnings(events), []);
        assert.deepEqual(
          (await problemsOf(world, graph)).filter(
            ({ severity, message }) => severity === 'error' || /^Unknown/.test(message),
          ),
          [],
        );
      });
    });

  it('runs with a warning where it has keys that the original ignores, even those of version 1.1', async () => {
    const graph = `
name: flow
start: one
settings: { budget: { tokens: 1 }, speed: high }
nodes:
  one: { type: llm, prompt: "{{initial_prompt}}", max_visits: 1, retry: 3, colour: red, state_updates: { said: "{{output}}" }, next: gate }
  gate: { type: approval, question: "Sure?", options: [yes, no], routes: { yes: done, no: other }, on_other: done, default: no, timeout: 1 }
  other: { type: end, output: other }
  done: { type: end, output: "{{said}}" }
`;
    const answer = () => Promise.resolve({ kind: 'answered' as const, texts: ['yes'] });
    const story = [{ when: () => true, step: { say: 'Hello' } }];
    await withGraph(graph, { story, answer }, async (world) => {
      const { outcome } = await world.play('hello', FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Hello' });
      const found = await problemsOf(world, graph);
      const early = found.flatMap(
        ({ message }) => /^“(.*)” needs format version 1\.1 and has/.exec(message)?.[1] ?? [],
      );
      assert.deepEqual(early, ['settings.budget', 'max_visits', 'retry', 'default', 'timeout']);
      assert.ok(
        found.every(({ severity }) => severity !== 'error'),
        JSON.stringify(found),
      );
    });
  });
});
