import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { type ScriptWorld, withScripts } from '../../support/scriptWorld';

type Options = Parameters<typeof withScripts>[0];

interface Project {
  files: Readonly<Record<string, string>>;
  /** The file with the mistake, the faulty code in it, and the correct code. */
  path: string;
  wrong: string;
  right: string;
}

const JAVASCRIPT: Project = {
  files: {
    'package.json': '{ "name": "sum", "private": true, "scripts": { "test": "node --test" } }',
    'sum.js': 'exports.sum = (a, b) => a - b;\n',
    'sum.test.js':
      "const assert = require('node:assert');\nconst { test } = require('node:test');\ntest('adds', () => assert.equal(require('./sum').sum(1, 2), 3));\n",
  },
  path: 'sum.js',
  wrong: 'a - b',
  right: 'a + b',
};

const PYTHON: Project = {
  files: {
    'total.py': 'def total(numbers):\n    return max(numbers)\n',
    'test_total.py':
      'import unittest\nfrom total import total\n\nclass Totals(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(total([1, 2]), 3)\n',
  },
  path: 'total.py',
  wrong: 'max(numbers)',
  right: 'sum(numbers)',
};

const C: Project = {
  files: {
    Makefile: 'all: check_it\ncheck_it: it.c\n\tcc -o check_it it.c\ntest: all\n\t./check_it\n',
    'it.c':
      '#include <assert.h>\nint twice(int n) { return n + 1; }\nint main(void) { assert(twice(4) == 8); return 0; }\n',
  },
  path: 'it.c',
  wrong: 'n + 1',
  right: 'n * 2',
};

const PLAN = {
  plan_summary: 'Make it add.',
  files_to_modify: ['it'],
  files_to_create: [],
  complexity_score: 2,
  risks: [],
};
const CLEAN = { review_clean: true, review_notes: '' };

/** Matches the requests of a node by the prompt of that node. */
const atNode =
  (pattern: RegExp) =>
  ({ messages }: ModelRequest): boolean =>
    pattern.test(messages[0]?.text ?? '');
const PLANS = atNode(/You plan a change/);
const CHANGES = atNode(/You change code/);
const REVIEWS = atNode(/You review a change/);

const edit = (path: string, from: string, to: string) => ({
  call: [
    { name: 'fs_read', arguments: { path } },
    { name: 'fs_edit', arguments: { path, old_text: from, new_text: to } },
  ],
});

function withProject(
  project: Project,
  story: Options['story'],
  more: Options,
  use: (world: ScriptWorld) => Promise<void>,
) {
  return withScripts({ files: project.files, ...more, ...(story && { story }) }, use);
}

const play = (world: ScriptWorld) => world.play('Fix the test', { agent: 'careful-coder' });

const ranOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'node-finished' ? [event.node] : []));

const answerOf = ({ outcome }: Awaited<ReturnType<typeof play>>) =>
  outcome.kind === 'completed' ? outcome.answer.trim() : JSON.stringify(outcome);

describe('careful-coder', function () {
  this.timeout(60_000);

  for (const [name, project, ran] of [
    ['JavaScript', JAVASCRIPT, /No command for the build is known.*\n“npm run test” ran and passed\./],
    ['Python', PYTHON, /No command for the build is known.*\n“python3 -m unittest discover” ran and passed\./],
    ['C', C, /“make all” ran and passed\.\n“make test” ran and passed\./],
  ] as const)
    it(`fixes a failing test in ${name} after an unsuccessful first attempt`, () => {
      const { path, wrong, right } = project;
      let tries = 0;
      const changing = ({ messages }: ModelRequest) => {
        const isAnswered = messages.at(-1)?.role === 'tool';
        if (isAnswered) return { say: 'Changed it.' };
        tries++;
        return tries === 1 ? { say: 'I looked at it.' } : edit(path, wrong, right);
      };
      const story = [
        { when: PLANS, step: { say: JSON.stringify(PLAN) } },
        { when: CHANGES, step: changing },
        { when: REVIEWS, step: { say: JSON.stringify(CLEAN) } },
      ];
      return withProject(project, story, {}, async (world) => {
        const played = await play(world);
        const answer = answerOf(played);
        assert.match(answer, ran);
        assert.match(answer, /The review found nothing to change\.\n\nCODER_COMPLETE$/);
        assert.match(await world.read(path), new RegExp(right.replaceAll(/[*+()]/g, '\\$&')));
        assert.equal(ranOf(played.events).filter((node) => node === 'implement').length, 2);
        const again = world.server.requests.filter(CHANGES)[1];
        assert.match(again?.lastText ?? '', /The tests “.*” failed:/);
      });
    });

  it('does not claim that tests passed when there are none', () => {
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { say: 'Done.' } },
      { when: REVIEWS, step: { say: JSON.stringify(CLEAN) } },
    ];
    return withProject({ ...JAVASCRIPT, files: { 'a.txt': 'x' } }, story, {}, async (world) => {
      const answer = answerOf(await play(world));
      assert.match(answer, /No command for the tests is known, so none was run\./);
      assert.doesNotMatch(answer, /passed/);
    });
  });

  it("asks about a complex plan, which is rejected or revised with the user's feedback", () => {
    const complex = { ...PLAN, complexity_score: 8, risks: ['Others rely on it'] };
    const story = [
      {
        when: PLANS,
        step: ({ lastText }: ModelRequest) => ({
          say: JSON.stringify({ ...complex, plan_summary: lastText.includes('by hand') ? 'By hand.' : 'At once.' }),
        }),
      },
    ];
    const answers = ['Do it by hand', 'No'];
    const asked: string[] = [];
    const answer = ({ question }: { question: string }) => {
      asked.push(question);
      return { kind: 'answered' as const, texts: [answers.shift() ?? ''] };
    };
    return withProject(JAVASCRIPT, story, { answer }, async (world) => {
      const said = answerOf(await play(world));
      assert.match(said, /^The plan was rejected, and nothing was changed\.\n\nBy hand\.\n\nCODER_REJECTED$/);
      assert.match(asked[0] ?? '', /^At once\..*Risks: \["Others rely on it"\]/s);
      assert.equal(await world.read('sum.js'), JAVASCRIPT.files['sum.js']);
    });
  });

  it('gives up after three attempts, and reports what failed', () => {
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { say: 'I tried.' } },
    ];
    return withProject(JAVASCRIPT, story, {}, async (world) => {
      const played = await play(world);
      assert.match(
        answerOf(played),
        /^After 3 attempts it still fails:\n\nThe tests “npm run test” failed:.*CODER_FAILED$/s,
      );
      assert.equal(ranOf(played.events).filter((node) => node === 'implement').length, 3);
    });
  });

  it('returns to the change with the review findings (D-22)', () => {
    let reviews = 0;
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { say: 'Done.' } },
      {
        when: REVIEWS,
        step: () => ({
          say: JSON.stringify(++reviews === 1 ? { review_clean: false, review_notes: 'sum.js:1 has no name' } : CLEAN),
        }),
      },
    ];
    return withProject({ ...JAVASCRIPT, files: { 'a.txt': 'x' } }, story, {}, async (world) => {
      assert.match(answerOf(await play(world)), /CODER_COMPLETE$/);
      assert.equal(reviews, 2);
      assert.match(
        world.server.requests.filter(CHANGES)[1]?.lastText ?? '',
        /A review of the change found:\s+sum\.js:1/,
      );
    });
  });

  it('asks before running project tests, and treats a rejection as neither a pass nor a failure', () => {
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { say: 'I tried.' } },
      { when: REVIEWS, step: { say: JSON.stringify(CLEAN) } },
    ];
    const approve = () => ({ kind: 'reject' as const, by: 'person' as const });
    return withProject(JAVASCRIPT, story, { approve, approvalMode: 'edits-and-commands' }, async (world) => {
      const answer = answerOf(await play(world));
      assert.match(answer, /\n“npm run test” was not run: .*\n/);
      assert.doesNotMatch(answer, /passed/);
      assert.deepEqual(
        world.asked.map(({ title }) => title),
        ['Run npm run test'],
      );
    });
  });

  for (const [name, files] of [
    ['JavaScript', { 'package.json': JAVASCRIPT.files['package.json'] ?? '', 'sum.js': '' }],
    ['Python', { 'total.py': 'x = 1\n' }],
  ] as const)
    it(`reports that a ${name} project has no tests`, () => {
      const story = [
        { when: PLANS, step: { say: JSON.stringify(PLAN) } },
        { when: CHANGES, step: { say: 'Done.' } },
        { when: REVIEWS, step: { say: JSON.stringify(CLEAN) } },
      ];
      return withProject({ ...JAVASCRIPT, files }, story, {}, async (world) => {
        const answer = answerOf(await play(world));
        assert.match(answer, /ran and found no tests\.\n/);
        assert.doesNotMatch(answer, /passed/);
        assert.match(answer, /CODER_COMPLETE$/);
      });
    });

  it('treats failing tests as failing even when another project has none', () => {
    const none = "console.log('# tests 0')";
    const files = {
      ...JAVASCRIPT.files,
      'package.json': `{ "name": "sum", "scripts": { "test": "node -e \\"${none}\\" && node --test" } }`,
    };
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { say: 'I tried.' } },
    ];
    return withProject({ ...JAVASCRIPT, files }, story, {}, async (world) => {
      assert.match(answerOf(await play(world)), /The tests “npm run test” failed:.*CODER_FAILED$/s);
    });
  });

  it('builds before testing, and passes the build output to the next change', () => {
    let tries = 0;
    const broken = { ...C.files, 'it.c': (C.files['it.c'] ?? '').replace('int twice', 'in twice') };
    const changing = ({ messages }: ModelRequest) => {
      if (messages.at(-1)?.role === 'tool') return { say: 'Changed it.' };
      tries++;
      return tries === 1 ? edit('it.c', 'n + 1', 'n * 2') : edit('it.c', 'in twice', 'int twice');
    };
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: changing },
      { when: REVIEWS, step: { say: JSON.stringify(CLEAN) } },
    ];
    return withProject({ ...C, files: broken }, story, {}, async (world) => {
      const played = await play(world);
      assert.match(answerOf(played), /“make all” ran and passed\.\n“make test” ran and passed\./);
      assert.equal(ranOf(played.events).filter((node) => node === 'verify_tests').length, 1);
      const asked = world.server.requests.filter(CHANGES).map(({ lastText }) => lastText);
      assert.ok(asked.some((text) => /The build “make all” failed:.*it\.c:2/s.test(text)));
    });
  });

  it('reports that nothing was changed when the model fails', () => {
    const story = [
      { when: PLANS, step: { say: JSON.stringify(PLAN) } },
      { when: CHANGES, step: { fail: { status: 400 } } },
    ];
    return withProject(JAVASCRIPT, story, {}, async (world) => {
      assert.match(answerOf(await play(world)), /^The change could not be made: .+CODER_FAILED$/s);
    });
  });
});
