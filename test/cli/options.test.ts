import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { processTable } from '../../src/node/processes/endWithUs';
import { until } from '../editor/until';
import { inShell } from './inShell';

const model = ['-m', 'openai:test-model'];
const write = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'written\n' } };
const NOT_COVERED = 'which does not cover protected files and paths outside the folder.';
const eventSchema = z.looseObject({
  type: z.string(),
  seq: z.int(),
  time: z.number(),
  runId: z.string(),
  sessionId: z.string(),
  agentPath: z.array(z.string()),
});

describe('The options of cairn', function () {
  this.timeout(60_000);

  it('-f attaches a web page as Markdown', async () => {
    const pages = createServer((_, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<article><h2>Title</h2><p>Some <b>bold</b> text.</p></article>');
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    const address = pages.address();
    assert.ok(typeof address === 'object' && address);
    try {
      await inShell([{ say: 'Read.' }], async ({ cairn, server }) => {
        const { status, err } = await cairn([...model, '-f', `http://127.0.0.1:${address.port}/`, 'Sum up']);
        assert.equal(status, 0, err);
        assert.match(server.requests[0]?.lastText ?? '', /<attached source="http:[^]*Some \*\*bold\*\* text\./);
      });
    } finally {
      pages.closeAllConnections();
      pages.close();
    }
  });

  const idle: [string[], RegExp][] = [
    [['--list', 'agents', 'fix this'], /--list takes no prompt, and runs no agent\. Leave “fix this” or --list out/],
    [['--info', 'fix this'], /--info takes no prompt/],
    [['--list', 'agents', '-s', 'work'], /--session has no effect with --list/],
    [['--list', 'agents', '-f', 'a.txt'], /--file has no effect with --list/],
    [['--list', 'agents', '--max-turns', '5'], /--max-turns has no effect with --list/],
    [['--list', 'agents', '--info'], /--list and --info do not go together/],
    [['--list', 'agents', '--output', 'stream-json'], /--list takes --output text, json/],
    [['--list', 'agents', '--output', 'csv'], /--output csv is for --usage/],
    [['--info', '--output', 'stream-json'], /--info takes --output text, json/],
    [['--validate', '.', '--output', 'json'], /--output has no effect with --validate/],
    [['--usage', '-a', 'coder'], /--agent has no effect with --usage/],
    [['-a', 'coder', '--dry-run', '-s', 'work', 'go'], /--session has no effect with --dry-run/],
    [['mcp', 'serve', '--output', 'json'], /cairn mcp serve takes no --output/],
    [['mcp', 'serve', '--list', 'agents'], /cairn mcp serve takes no --list/],
    [['mcp', 'serve', 'go'], /cairn mcp serve takes no prompt/],
    [['mcp', 'list', '--sse'], /--sse is for cairn mcp add/],
    [['mcp', 'list', 'birds'], /cairn mcp list takes no name/],
    [['runs', 'list', '1234'], /cairn runs list does not take “1234”/],
    [['runs', 'show', '1234', '--all'], /cairn runs show takes no --all/],
    [['runs', 'resume', '1234', '-a', 'coder'], /cairn runs resume goes on with the agent of the run/],
    [['runs', 'resume', '1234', '-f', 'a.txt'], /takes no --file and no --skill/],
    [['runs', 'resume', '1234', '--from', 'first'], /cairn runs resume takes neither --from nor --set/],
    [['tools', 'list', '--here'], /--here is for cairn tools new/],
    [['import', '--secrets'], /--secrets is for an import, with --from/],
  ];
  for (const [args, why] of idle) {
    it(`are rejected when they would have no effect: cairn ${args.join(' ')}`, () =>
      inShell([], async ({ cairn }) => {
        const { status, out, err } = await cairn(args);
        assert.equal(status, 2, err);
        assert.match(err, why);
        assert.equal(out, '');
      }));
  }

  const wrong: [args: string[], why: RegExp][] = [
    [['tools', 'list', '--nope'], /^cairn: .*--nope.* See cairn tools --help\.$/m],
    [['mcp', 'add', '--env'], /--env takes a value\. See cairn mcp --help\.$/m],
    [['mcp', 'add', '--env', ''], /--env has an empty value/],
    [['vault', 'add'], /cairn vault add takes the name of a secret: /],
    [['vault', 'delete', 'a{b}'], /cairn vault delete takes the name of a secret: /],
  ];
  for (const [args, why] of wrong) {
    it(`are rejected when they are wrong or lack something: cairn ${args.join(' ')}`, () =>
      inShell([], async ({ cairn }) => {
        const { status, out, err } = await cairn(args);
        assert.deepEqual([status, out], [2, '']);
        assert.match(err, why);
      }));
  }

  const empty: [args: string[], note: RegExp][] = [
    [['--list', 'commands'], /^cairn: there are no commands yet\. Create one as \.cairn\/commands\/NAME\.md\.$/m],
    [['--list', 'sessions'], /^cairn: there are no sessions in this folder yet\.$/m],
    [['runs', 'list'], /^cairn: there are no runs of graph agents in this folder yet\. See --all/m],
    [['mcp', 'list'], /^cairn: there are no MCP servers yet\. Add one with cairn mcp add\.$/m],
    [['tools', 'list'], /^cairn: there are no script tools yet\. Create one with cairn tools new NAME\.$/m],
  ];
  for (const [args, note] of empty) {
    it(`${args.join(' ')} says so next to an empty list, and leaves standard output empty`, () =>
      inShell([], async ({ cairn }) => {
        const { status, out, err } = await cairn(args);
        assert.deepEqual([status, out], [0, '']);
        assert.match(err, note);
      }));
  }

  it('--output json prints lists and --info as JSON', () =>
    inShell([{ say: 'Read.' }], async ({ cairn, folder }) => {
      const listed = async (what: string) => {
        const { status, out, err } = await cairn(['--list', what, '--output', 'json']);
        assert.equal(status, 0, err);
        return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(out));
      };
      const named = async (what: string, name: string) => (await listed(what)).find((one) => one['name'] === name);
      assert.equal((await cairn([...model, '-s', 'tides', 'About\ttides'])).status, 0);
      const explore = await named('agents', 'explore');
      assert.deepEqual([explore?.['source'], explore?.['replaces']], ['builtin', null]);
      const [session] = await listed('sessions');
      assert.deepEqual([session?.['name'], session?.['title']], ['tides', 'About\ttides']);
      assert.equal((await named('tools', 'fs_edit'))?.['category'], 'write');
      assert.equal((await listed('models')).find(({ id }) => id === 'demo:tour')?.['scripted'], true);
      for (const what of ['roles', 'skills', 'commands']) await listed(what);
      const info = await cairn(['--info', '--output', 'json', '-m', 'openai:test-model']);
      assert.equal(info.status, 0, info.err);
      const told = z
        .looseObject({ folder: z.string(), tools: z.number(), settings: z.array(z.looseObject({ name: z.string() })) })
        .parse(JSON.parse(info.out));
      assert.equal(told.folder, folder);
      const said = told.settings.find(({ name }) => name === 'model');
      assert.deepEqual([said?.['value'], said?.['from']], ['openai:test-model', '--model']);
    }));

  it('--effort sets how long the model thinks, for this run only', () =>
    inShell([{ say: 'One.' }, { say: 'Two.' }], async ({ cairn, server }) => {
      for (const args of [
        ['--effort', 'high', '-s', 'work', 'go'],
        ['-s', 'work', 'more'],
      ]) {
        const { status, err } = await cairn(['-m', 'openai:gpt-5', ...args]);
        assert.equal(status, 0, err);
      }
      const [first, second] = server.requests.map(({ body }) => JSON.stringify(body));
      assert.match(first ?? '', /"reasoning_effort":"high"/);
      assert.doesNotMatch(second ?? '', /reasoning_effort/);
    }));

  it('--mode ask changes nothing whatever is approved, and the session remembers the mode', () =>
    inShell(
      [{ call: [write] }, { say: 'No.' }, { call: [write] }, { say: 'No.' }],
      async ({ cairn, server, folder }) => {
        for (const args of [
          ['--mode', 'ask', '--approve', 'all', '-s', 'work', 'go'],
          ['--approve', 'all', '-s', 'work', 'more'],
        ]) {
          const { status, err } = await cairn([...model, ...args]);
          assert.equal(status, 4, err);
        }
        for (const { tools } of server.requests) assert.ok(tools.includes('fs_read') && !tools.includes('fs_write'));
        await assert.rejects(readFile(join(folder, 'a.txt')));
        const wrong = await cairn([...model, '--mode', 'edit', 'go']);
        assert.equal(wrong.status, 2);
        assert.match(wrong.err, /--mode takes ask, plan, agent, not "edit"/);
      },
    ));

  it('--mode ask runs no script of a graph, not even one of the user', () =>
    inShell([], async ({ cairn, folder }) => {
      const agent = join(folder, 'config', 'agents', 'makes');
      await mkdir(agent, { recursive: true });
      const nodes = 'make: { type: script, script: make.sh, next: done }\n  done: { type: end, output: made }';
      await writeFile(join(agent, 'graph.yaml'), `name: makes\nversion: "1.0"\nstart: make\nnodes:\n  ${nodes}\n`);
      await writeFile(join(agent, 'make.sh'), '#!/usr/bin/env bash\ntouch made.txt\necho {}\n', { mode: 0o755 });
      const asked = await cairn([...model, '--mode', 'ask', '--approve', 'all', '-a', 'makes', 'go']);
      assert.equal(asked.status, 1, asked.err);
      assert.match(asked.err, /Only the user can switch to Agent mode/);
      await assert.rejects(readFile(join(folder, 'made.txt')));
      const done = await cairn([...model, '--approve', 'all', '-a', 'makes', 'go']);
      assert.equal(done.status, 0, done.err);
      await readFile(join(folder, 'made.txt'));
    }));

  it('-f rejects what is missing or does not respond, with its location, and exits with 2', () =>
    inShell([], async ({ cairn, server }) => {
      for (const [file, message] of [
        ['missing', /No file missing/],
        ['.', /-f \.: that is a folder\. Name the files/],
        ['http://127.0.0.1:9/', /127\.0\.0\.1:9.*nothing is listening/],
      ] as const) {
        const { status, err } = await cairn([...model, '-f', file, 'x']);
        assert.match(err, message);
        assert.equal(status, 2, file);
      }
      assert.equal(server.requests.length, 0);
    }));

  it('-C and --config-dir set the workspace and the folder of Cairn', () =>
    inShell([{ call: [write] }, { say: 'Written.' }], async ({ cairn, folder }) => {
      await mkdir(join(folder, 'project'));
      const args = [...model, '-C', 'project', '--config-dir', 'own', '--approve', 'all', 'write'];
      assert.equal((await cairn(args)).status, 0);
      assert.equal(await readFile(join(folder, 'project', 'a.txt'), 'utf8'), 'written\n');
      assert.match((await cairn(['-C', 'project', '--config-dir', 'own', '--list', 'sessions'])).out, /\twrite\n/);
      assert.equal((await cairn(['-C', 'project', '--list', 'sessions'])).out, '');
    }));

  it('--max-time ends the run and its command, and exits with 3', () =>
    inShell([{ call: [{ name: 'execute_command', arguments: { command: 'sleep 600' } }] }], async ({ cairn }) => {
      const { status, err } = await cairn([...model, '--approve', 'all', '--max-time', '0.5', 'wait']);
      assert.match(err, /limit of time/);
      assert.equal(status, 3);
    }));

  it('--output stream-json prints every event in full, numbered without gaps, including rejections', () =>
    inShell(
      [{ think: 'Hm.', say: 'I write.', call: [write], usage: { input: 5, output: 7 } }, { say: 'Refused.' }],
      async ({ cairn }) => {
        const { status, out } = await cairn([...model, '--output', 'stream-json', 'write']);
        const events = out
          .trimEnd()
          .split('\n')
          .map((line) => eventSchema.parse(JSON.parse(line)));
        assert.deepEqual(
          events.map(({ seq }) => seq),
          events.map((_, index) => (events[0]?.seq ?? 0) + index),
        );
        assert.equal(new Set(events.map(({ runId }) => runId)).size, 1);
        const types = new Set(events.map(({ type }) => type));
        for (const type of [
          ...['run-started', 'message-taken', 'text-delta', 'reply-finished', 'tool-prepared'],
          ...['approval-requested', 'approval-answered', 'tool-finished', 'usage-reported', 'state-changed'],
          'run-finished',
        ])
          assert.ok(types.has(type), `${type} is missing in ${[...types].join(', ')}`);
        assert.equal(status, 4);
      },
    ));

  it('--output json reports the usage and cost of a run, or that the cost is unknown', () =>
    inShell(
      [
        { say: 'Yes.', usage: { input: 100_000, output: 0 } },
        { say: 'Yes.', usage: { input: 100_000, output: 0 } },
      ],
      async ({ cairn }) => {
        const told = async (id: string): Promise<unknown> =>
          JSON.parse((await cairn(['-m', id, '--output', 'json', 'go'])).out);
        const schema = z.looseObject({ usage: z.object({ inputTokens: z.number() }), costUsd: z.number().nullable() });
        const { usage, costUsd } = schema.parse(await told('openai:gpt-5.4'));
        assert.deepEqual([usage.inputTokens, costUsd], [100_000, 0.25]);
        assert.equal(schema.parse(await told('openai:nobody-knows')).costUsd, null);
      },
    ));

  it('--output json includes the outcome even when the run failed', () =>
    inShell([], async ({ cairn }) => {
      const { status, out } = await cairn([...model, '--output', 'json', 'hi'], { env: { OPENAI_API_KEY: 'wrong' } });
      const { outcome } = z
        .looseObject({ outcome: z.object({ kind: z.string(), reason: z.string(), message: z.string() }) })
        .parse(JSON.parse(out));
      assert.deepEqual([outcome.kind, outcome.reason, status], ['failed', 'auth', 1]);
    }));

  it('--validate reports problems in agents, skills and roles with their location, and exits with 2', () =>
    inShell([], async ({ cairn, folder }) => {
      const put = async (file: string, text: string) => {
        await mkdir(join(folder, dirname(file)), { recursive: true });
        await writeFile(join(folder, file), text);
      };
      await put('set/agents/good.md', '---\ndescription: Good\n---\nYou are good.');
      await put('set/skills/git/SKILL.md', '---\ndescription: Git\n---\nCommit often.');
      const good = await cairn(['--validate', 'set']);
      assert.deepEqual([good.status, good.out], [0, '2 files, 0 errors, 0 warnings\n']);
      await put('set/agents/bad.md', '---\nmode: boss\n---\nYou.');
      await put('set/roles/code.md', '---\ntemperture: 1\n---\nCode.');
      const bad = await cairn(['--validate', 'set']);
      assert.equal(bad.status, 2);
      assert.match(bad.out, /bad\.md:2:7: error: “mode”/);
      assert.match(bad.out, /code\.md:2:1: error: Unknown key “temperture”\. Did you mean “temperature”\?/);
      assert.match(bad.out, /4 files, 2 errors, 0 warnings\n$/);
      assert.equal((await cairn(['--validate', 'set/agents/good.md'])).status, 0);
      const nothing = await cairn(['--validate', 'nowhere']);
      assert.equal(nothing.status, 2);
      assert.match(nothing.out, /nowhere.*does not exist/);
    }));

  it('-a selects the agent, which the session keeps, and --list agents lists them', () =>
    inShell([{ say: 'I looked.' }, { say: 'Again.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, '.cairn/agents'), { recursive: true });
      await writeFile(join(folder, '.cairn/agents/looker.md'), '---\ndescription: Looks\n---\nYou only look.');
      assert.equal((await cairn(['--trust', ...model, '-a', 'looker', '-s', 'kept', 'look'])).status, 0);
      assert.equal((await cairn(['--trust', ...model, '-s', 'kept', 'again'])).status, 0);
      const prompts = server.requests.map(({ body }) => JSON.stringify(body).includes('You only look.'));
      assert.deepEqual(prompts, [true, true]);
      const { out } = await cairn(['--trust', '--list', 'agents']);
      assert.match(out, /^coder\tall\tbuiltin\t.+$/m);
      assert.match(out, /^looker\tall\tworkspace\tLooks$/m);
      const unknown = await cairn(['--trust', ...model, '-a', 'loker', 'look']);
      assert.equal(unknown.status, 2);
      assert.match(unknown.err, /no agent “loker”\. Did you mean “looker”\?/);
    }));
});

describe('The cairn command without a terminal', function () {
  this.timeout(60_000);

  it('prints what it would have asked, rejects it and continues', () =>
    inShell(
      [
        { call: [{ name: 'user__input', arguments: { question: 'Which colour?' } }] },
        { call: [write] },
        (request) => ({ say: request.lastText }),
      ],
      async ({ cairn }) => {
        const { status, err, out } = await cairn(['--trust', ...model, 'write']);
        assert.match(err, /would have asked: .*a\.txt.*--approve none/);
        assert.match(err, /would have asked: Which colour\?/);
        assert.match(out, /--approve none/);
        assert.equal(status, 4);
      },
    ));

  const inFolder = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'x' } };
  const secret = { name: 'fs_write', arguments: { path: '.env', contents: 'x' } };
  const elsewhere = { name: 'fs_write', arguments: { path: '../beside.txt', contents: 'x' } };
  const command = { name: 'execute_command', arguments: { command: 'touch a.txt' } };
  for (const [approve, what, call, reason] of [
    ['none', 'an edit', inFolder, 'Cairn runs with --approve none, the default without a terminal.'],
    ['edits', 'a command', command, 'Cairn runs with --approve edits, which covers edits inside the folder only.'],
    [
      'edits',
      'a protected file',
      secret,
      'Cairn runs with --approve edits, which covers edits inside the folder only.',
    ],
    ['all', 'a protected file', secret, `Cairn runs with --approve all, ${NOT_COVERED}`],
    ['all', 'a path outside the folder', elsewhere, `Cairn runs with --approve all, ${NOT_COVERED}`],
    ['ask', 'an edit', inFolder, 'There is no terminal to ask for approval.'],
  ] as const) {
    it(`tells the user and the model why --approve ${approve} does not allow ${what}`, () =>
      inShell([{ call: [call] }, (request) => ({ say: request.lastText })], async ({ cairn, folder }) => {
        await mkdir(join(folder, 'project'));
        const { status, err, out } = await cairn([...model, '-C', 'project', '--approve', approve, 'go']);
        assert.ok(err.includes(reason), err);
        assert.ok(out.includes(reason), out);
        assert.equal(status, 4);
        for (const path of ['a.txt', '.env', '../beside.txt'])
          await assert.rejects(readFile(join(folder, 'project', path)));
      }));
  }

  it('stops what its command started when it is interrupted', function () {
    if (process.platform === 'win32') this.skip();
    const command = 'sleep 600 & echo $! > child; wait';
    return inShell([{ call: [{ name: 'execute_command', arguments: { command } }] }], async ({ cairn, folder }) => {
      const childOf = async () => Number(await readFile(join(folder, 'child'), 'utf8').catch(() => ''));
      let pressed = false;
      const running = cairn(['--trust', ...model, '--approve', 'all', '--output', 'stream-json', 'wait'], {
        onOutput: (text, kill) => {
          if (pressed || !text.includes('"tool-started"')) return;
          pressed = true;
          const press = async () => {
            await until('the child', async () => (await childOf()) !== 0);
            kill('SIGINT');
          };
          void press();
        },
      });
      assert.equal((await running).status, 130);
      const pid = await childOf();
      assert.ok(pid > 0);
      assert.equal(
        (await processTable()).some((row) => row.pid === pid),
        false,
      );
    });
  });
});
