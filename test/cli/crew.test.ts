import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, calls, idsIn, isOf, resultsIn, says, spawn } from '../engine/agents/team/teamStory';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { Step, Story } from '../support/modelServer/story';
import { inShell } from './inShell';

const headless = ['-m', 'openai:test-model', '--approve', 'all'];

/** Creates a repository with two files that have changed since its only commit. */
function changedRepository(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  writeFileSync(join(folder, 'date.js'), 'export const parse = (text) => new Date(text);\n');
  writeFileSync(join(folder, 'use.js'), "import { parse } from './date.js';\nparse('x');\n");
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(folder, 'date.js'), 'export const parse = (text, zone) => new Date(text + zone);\n');
  writeFileSync(join(folder, 'use.js'), "import { parse } from './date.js';\nparse('y');\n");
}

/** The tool results so far. */
const heard = ({ messages }: ModelRequest) => messages.flatMap(({ results }) => results.map(({ text }) => text));
/** Picks an agent's next step by the number of times its model has been called. */
const inOrder =
  (...steps: ((request: ModelRequest) => Step)[]) =>
  (request: ModelRequest) => {
    const { messages } = request;
    const turns = messages.filter(
      ({ role }, at) => role === 'assistant' && messages[at - 1]?.role !== 'assistant',
    ).length;
    return steps[turns]?.(request) ?? { say: 'There is no more.' };
  };
const collectEach = (request: ModelRequest) =>
  calls(...idsIn(request).map((id) => ['agent__collect', { id }] as const));

describe('The crew on the command line', function () {
  this.timeout(60_000);

  const diffOf = (request: ModelRequest, file: string) =>
    new RegExp(`diff --git a/${file}[^]*?(?=diff --git|$)`).exec(heard(request).join('\n'))?.[0] ?? '';
  const reviewers: Story = [
    says(
      'code-reviewer',
      inOrder(
        () => call('execute_command', { command: 'git diff --stat && git diff' }),
        (request) =>
          calls(
            spawn('file-reviewer', `date.js\n${diffOf(request, 'date.js')}`),
            spawn('file-reviewer', `use.js\n${diffOf(request, 'use.js')}`),
          ),
        (request) => {
          const [date = '', use = ''] = idsIn(request);
          const message = `date.js: ${date}, use.js: ${use}`;
          return calls(
            ['agent__send_message', { id: date, message }],
            ['agent__send_message', { id: use, message }],
            ['agent__collect', { id: date }],
            ['agent__collect', { id: use }],
          );
        },
        (request) => ({
          say: `## Findings\n${
            resultsIn(request)
              .join('\n')
              .match(/\*\*\w+\*\*[^\\]*/g)
              ?.join('\n') ?? ''
          }`,
        }),
      ),
    ),
    says('file-reviewer', (request) => reviewer(request)),
  ];

  let release: (name: string) => void = () => undefined;

  /** The reviewer of date.js warns the reviewer of use.js once it knows about it; the latter checks its inbox only after that. */
  function reviewer(request: ModelRequest): Step {
    const results = heard(request).join('\n');
    const looks = (hold: string) => ({ ...call('agent__check_inbox'), hold });
    if (request.messages[1]?.text.startsWith('date.js') === true) {
      if (results === '') return looks('introduced');
      if (/Sent to/.test(results)) {
        release('warned');
        return { say: '**critical** date.js:1 zone may be undefined.\nREVIEW_COMPLETE' };
      }
      const mate = /use\.js: (agent_[\w-]+)/.exec(results)?.[1];
      if (mate === undefined) return call('agent__check_inbox');
      return call('agent__send_message', { id: mate, message: 'date.js:1 parse takes a zone now.' });
    }
    if (results === '') return looks('warned');
    const why = /takes a zone now/.test(results) ? 'as the reviewer of date.js warned' : 'which nobody warned of';
    return { say: `**warning** use.js:2 gives no zone, ${why}.\nREVIEW_COMPLETE` };
  }

  it('code-reviewer has each changed file reviewed by a separate agent and writes one report', () =>
    inShell(reviewers, async ({ cairn, folder, server }) => {
      changedRepository(folder);
      release = (name) => server.release(name);
      const { status, out, err } = await cairn([...headless, '-a', 'code-reviewer', 'Review what I have changed.'], {
        onError: (text) => {
          if (text.split('› To file-reviewer: date.js: ').length > 2) server.release('introduced');
        },
      });
      assert.equal(status, 0, err);
      assert.match(
        out,
        /## Findings\n\*\*critical\*\* date\.js:1[^]*\*\*warning\*\* use\.js:2 gives no zone, as the reviewer of date\.js warned/,
      );
      const briefs = server.requests
        .filter((one) => isOf(one, 'file-reviewer'))
        .map(({ messages }) => messages[1]?.text);
      assert.deepEqual([...new Set(briefs)].map((brief) => brief?.split('\n', 1)[0]).sort(), ['date.js', 'use.js']);
      assert.match(briefs[0] ?? '', /\n\+/, 'with the diff');
      assert.match(err, /› file-reviewer started: date\.js/);
    }));

  it('sisyphus runs two explorers and the oracle in parallel, has the code written, and ends with evidence', () =>
    inShell(
      [
        says('explore', ({ lastText }) => ({ say: `Evidence of ${lastText}`, hold: 'looked' })),
        says('oracle', { say: 'The strict way.', hold: 'looked' }),
        says(
          'coder',
          inOrder(
            () => call('fs_write', { path: 'strict.txt', contents: 'strict\n' }),
            () => ({ say: 'Written.' }),
          ),
        ),
        says(
          'sisyphus',
          inOrder(
            () => calls(spawn('explore', 'callers'), spawn('explore', 'tests'), spawn('oracle', 'Strict or lenient?')),
            collectEach,
            (request) => calls(spawn('coder', `${resultsIn(request).join('\n')}\nMake it strict.`)),
            (request) => call('agent__collect', { id: idsIn(request).at(-1) }),
            () => call('execute_command', { command: 'cat strict.txt' }),
            (request) => ({ say: `Proven: ${resultsIn(request)[0] ?? ''}` }),
          ),
        ),
      ],
      async ({ cairn, server }) => {
        const run = cairn([...headless, '-a', 'sisyphus', 'Make the parser strict.']);
        // Two requests by sisyphus and one by each of the three agents that it started; those three are still unanswered.
        await server.untilRequests(5);
        server.release('looked');
        const { status, out, err } = await run;
        assert.equal(status, 0, err);
        assert.match(out, /^Proven: [^]*strict/);
        const brief = server.requests.find((one) => isOf(one, 'coder'))?.messages[1]?.text ?? '';
        assert.match(brief, /Evidence of callers[^]*Evidence of tests[^]*The strict way\.[^]*Make it strict\./);
      },
    ));

  it('lists the agents of the crew', () =>
    inShell([], async ({ cairn }) => {
      const { out } = await cairn(['--list', 'agents']);
      const names = out.split('\n').map((line) => line.split('\t', 1)[0]);
      for (const name of [
        'sisyphus',
        'explore',
        'librarian',
        'oracle',
        'coder',
        'careful-coder',
        'code-reviewer',
        'file-reviewer',
        'report-writer',
        'demo',
        'sql',
      ])
        assert.ok(names.includes(name), name);
    }));
});
