import assert from 'node:assert/strict';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/engine';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import { asLead, LEAD, toldLast } from '../agents/team/leadWorld';
import { calls, callsThenSays, collectAll, spawn } from '../agents/team/teamStory';

const run = (command: string) => ({ name: 'execute_command', arguments: { command } });
const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'x\n' } });
const rulesOf = (world: EngineWorld) => join(world.configFolder, 'permissions.json');

/** Answers "always" with the first offer of this scope. */
function always(scope: string, asked: ApprovalRequest[] = []) {
  return (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request);
    const offer = request.offers.find((one) => one.scope === scope);
    return offer ? { kind: 'always', offer } : { kind: 'reject', by: 'person' };
  };
}

async function writeFileIn(path: string, contents: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}

describe('An “always” rule', () => {
  for (const scope of ['workspace', 'user']) {
    it(`for the ${scope} is stored in the user’s own folder and applies in another session`, () => {
      const asked: ApprovalRequest[] = [];
      return withWorld(
        {
          approvalMode: 'edits-and-commands',
          approve: always(scope, asked),
          story: [{ call: [run('echo one')] }, { say: 'Done.' }, { call: [run('echo one')] }, { say: 'Done again.' }],
        },
        async (world) => {
          await world.play('run it');
          const { workspace, model, approvalMode } = (await world.engine.sessions.open(world.sessionId)).metadata;
          const again = await world.restart();
          const other = await again.engine.sessions.create({ workspace, model, approvalMode, name: null });
          await again.play('run it again', { sessionId: other.id });
          assert.equal(asked.length, 1);
          assert.match(await readFile(rulesOf(world), 'utf8'), /"echo"\s+\],\s+"rest": "harmless"/);
          await assert.rejects(readFile(join(world.folder, '.cairn', 'permissions.json')));
        },
      );
    });
  }

  it('for the session, given to an agent that another one started, applies to both', () => {
    const asked: ApprovalRequest[] = [];
    const runs = { call: [run('echo one')] };
    return asLead(
      [callsThenSays('worker', runs, 'Done.'), calls(spawn('worker', 'Run it.')), collectAll, runs, { say: 'Done.' }],
      async (world) => {
        await world.play('go', LEAD);
        assert.match(toldLast(world), /\none$/);
        assert.equal(asked.length, 1);
      },
      {},
      { approvalMode: 'edits-and-commands', approve: always('session', asked) },
    );
  });

  for (const scope of ['session', 'workspace', 'user'])
    it(`for the ${scope} immediately covers the calls pending in the same answer`, () => {
      const asked: ApprovalRequest[] = [];
      return withWorld(
        {
          approvalMode: 'everything',
          files: { 'a.txt': 'one' },
          approve: always(scope, asked),
          story: [
            {
              call: [
                { name: 'fs_read', arguments: { path: 'a.txt' } },
                { name: 'fs_read', arguments: { path: 'a.txt' } },
                { name: 'fs_read', arguments: { path: './a.txt', limit: 1 } },
              ],
            },
            { say: 'Done.' },
          ],
        },
        async (world) => {
          const { events } = await world.play('read it three times');
          assert.equal(asked.length, 1);
          const results = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.status] : []));
          assert.deepEqual(results, ['ok', 'ok', 'ok']);
        },
      );
    });

  it('that cannot be saved is reported, and the call still runs', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: async (request) => {
          await writeFileIn(join(dirname(request.change?.path ?? ''), '..', 'config', 'permissions.json'), '{ oops');
          return always('user')(request);
        },
        story: [{ call: [write('a.txt')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { events, outcome } = await world.play('write');
        assert.equal(outcome.kind, 'completed');
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.match(notices.join('\n'), /could not be saved.*permissions\.json:1: not JSON/s);
        assert.equal(await readFile(rulesOf(world), 'utf8'), '{ oops');
      },
    ));
});

describe('Rule files', () => {
  it('take effect from the next call after a change', () =>
    withWorld(
      {
        approvalMode: 'nothing',
        approve: () => ({ kind: 'reject', by: 'person' }),
        story: [{ call: [write('a.txt')] }, { say: 'One.' }, { call: [write('b.txt')] }, (r) => ({ say: r.lastText })],
      },
      async (world) => {
        await writeFileIn(rulesOf(world), '{ "rules": [] }');
        assert.equal((await world.play('write')).outcome.kind, 'completed');
        const rules = [{ tool: 'category:write', argument: { kind: 'path', pattern: 'b*' }, action: 'deny' }];
        await writeFile(rulesOf(world), JSON.stringify({ rules }));
        await utimes(rulesOf(world), new Date(), new Date(Date.now() + 5000));
        const { outcome } = await world.play('write');
        assert.ok(outcome.kind === 'rejected');
        assert.match(outcome.answer, /user rule “deny category:write: b\*”/);
      },
    ));

  const broken = [
    ['{\n  "rules": [\n    { "tool": "x" \n  ]\n}', /permissions\.json:4: not JSON/],
    ['{\n  "rules": [\n    { "tool": "x", "action": "maybe" }\n  ]\n}', /permissions\.json:3: rules\.0\.action/],
    ['{\n\t"rules": [],\n\t"rulez": []\n}', /permissions\.json:1: Unrecognized key: "rulez"\. Correct/],
    ['{"rules": 1}', /permissions\.json:1: rules: /],
    ['', /permissions\.json:1: not JSON/],
    [
      '{"rules": [\n{"tool": "x", "action": "deny", "argument": {"kind": "regex", "pattern": "("}}]}',
      /permissions\.json:2: .*regular expression/,
    ],
  ] as const;
  for (const [text, names] of broken) {
    it(`that are invalid are reported with path and line, and everything asks: ${JSON.stringify(text)}`, () => {
      const reasons: string[] = [];
      return withWorld(
        {
          approvalMode: 'nothing',
          files: { 'a.txt': 'x' },
          approve: ({ reason, offers, tool }) => {
            reasons.push(reason);
            assert.deepEqual(offers, [], 'no rule would help');
            return tool === 'fetch_url' ? { kind: 'reject', by: 'person' } : { kind: 'once' };
          },
          story: [
            {
              call: [
                { name: 'fs_read', arguments: { path: 'a.txt' } },
                ...[write('b.txt'), run('echo one')],
                { name: 'fetch_url', arguments: { url: 'http://example.com/' } },
              ],
            },
            { say: 'Done.' },
          ],
        },
        async (world) => {
          await writeFileIn(rulesOf(world), text);
          const { events } = await world.play('read');
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
          assert.match(notices.join('\n'), names);
          assert.equal(reasons.length, 4, 'what reads, what writes, what runs and what goes to the network');
          for (const reason of reasons) assert.match(reason, names);
        },
      );
    });
  }

  it('in a repository can make Cairn ask or refuse, but never allow', () => {
    const asked: string[] = [];
    const rules = [
      { tool: '*', action: 'allow', priority: 100 },
      { tool: 'category:write', argument: { kind: 'path', pattern: 'locked/*' }, action: 'deny' },
      { tool: 'execute_command', argument: { kind: 'command', words: ['echo'] }, action: 'ask' },
    ];
    return withWorld(
      {
        approvalMode: 'commands',
        files: { '.cairn/permissions.json': JSON.stringify({ rules }, undefined, 1) },
        approve: ({ title, reason }) => {
          asked.push(`${title}: ${reason}`);
          return { kind: 'once' };
        },
        story: [{ call: [run('true'), run('echo x'), write('locked/a'), write('b')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { events } = await world.play('go');
        assert.equal(asked.length, 2);
        assert.match(asked[1] ?? '', /workspace rule “ask execute_command: echo”/);
        const results = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.status] : []));
        assert.deepEqual(results, ['ok', 'ok', 'rejected', 'ok']);
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.match(notices.join('\n'), /permissions\.json:3: a repository cannot allow anything/);
      },
    );
  });

  it('in a repository may not use regular expressions', () => {
    const reasons: string[] = [];
    const rules = [
      { tool: 'fs_read', action: 'ask' },
      { tool: 'fs_write', argument: { kind: 'regex', pattern: '(a+)+$' }, action: 'ask' },
    ];
    return withWorld(
      {
        approvalMode: 'nothing',
        files: { '.cairn/permissions.json': JSON.stringify({ rules }, undefined, 1) },
        approve: ({ reason }) => {
          reasons.push(reason);
          return { kind: 'once' };
        },
        story: [{ call: [write('a.txt')] }, { say: 'Done.' }],
      },
      async (world) => {
        await world.play('write');
        assert.match(reasons.join(), /permissions\.json:7: a repository may not use regular expressions/);
      },
    );
  });

  it('are treated as absent where `.cairn` or the user’s own folder is not a folder', () =>
    withWorld(
      {
        approvalMode: 'nothing',
        files: { '.cairn': 'a file', '../config': 'a file' },
        approve: () => assert.fail('Nothing is asked for.'),
        story: [{ call: [write('a.txt'), write('b.txt')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { events } = await world.play('write');
        assert.equal(await world.read('b.txt'), 'x\n');
        const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
        assert.deepEqual(
          notices.filter((text) => text.includes('permissions.json')),
          [],
        );
      },
    ));

  it('hide a tool that is denied outright from the model', () =>
    withWorld({ story: [{ say: 'Hello.' }] }, async (world) => {
      const rules = [
        { tool: 'category:execute', action: 'deny' },
        { tool: 'fs_write', argument: { kind: 'path', pattern: 'a' }, action: 'deny' },
      ];
      await writeFileIn(rulesOf(world), JSON.stringify({ rules }));
      await world.play('hello');
      const offered = world.server.requests.at(-1)?.tools ?? [];
      assert.ok(!offered.includes('execute_command'));
      assert.ok(offered.includes('fs_write'), 'only some of its calls are denied');
    }));
});

const auditLine = z.object({
  time: z.iso.datetime(),
  session: z.string(),
  run: z.string(),
  agent: z.literal('coder'),
  tool: z.string(),
  what: z.string(),
  verdict: z.string(),
  scope: z.string().nullable(),
  rule: z.string().nullable(),
  by: z.string(),
  answer: z.string(),
  added: z.object({ scope: z.string(), rules: z.array(z.string()) }).optional(),
});

describe('The audit log', () => {
  it('records every decision on one line with its rule and who answered, and no secrets', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'x' },
        approve: (request) =>
          request.title.includes('rm ') ? { kind: 'reject', by: 'person' } : always('session')(request),
        story: [
          { call: [{ name: 'fs_read', arguments: { path: 'a.txt' } }] },
          { call: [run('echo --token=abcdefgh12345 sk-0123456789abcdef'), run('rm a.txt')] },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        await world.play('go');
        const text = await readFile(join(world.configFolder, 'audit.jsonl'), 'utf8');
        assert.doesNotMatch(text, /abcdefgh12345|0123456789abcdef/);
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) => auditLine.parse(JSON.parse(line)));
        assert.deepEqual(
          lines.map(({ tool, verdict, scope, by, answer }) => [tool, verdict, scope, by, answer]),
          [
            ['fs_read', 'allow', 'global', 'rule', 'allow'],
            ['execute_command', 'ask', 'global', 'person', 'always'],
            ['execute_command', 'ask', 'global', 'person', 'reject'],
          ],
        );
        assert.equal(lines[1]?.added?.scope, 'session');
        assert.equal(lines[2]?.what, 'Run rm a.txt');
      },
    ));

  for (const [who, approvalMode] of [
    ['a rule', 'nothing'],
    ['the user', 'everything'],
  ] as const)
    it(`records what ${who} decided before the call runs`, () =>
      withWorld(
        { approvalMode, story: [{ call: [{ name: 'acme_log', arguments: {} }] }, { say: '.' }] },
        async (world) => {
          const read = async () => ({ text: await readFile(join(world.configFolder, 'audit.jsonl'), 'utf8') });
          const tool = { name: 'acme_log', description: 'Reads', category: 'network' as const };
          world.engine.registerTool({ ...tool, inputSchema: { type: 'object' }, run: read });
          const { events } = await world.play('go');
          const texts = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.text] : []));
          assert.match(texts.join(), /"tool":"acme_log"/);
        },
      ));

  it('does not block anything when it cannot be written', () =>
    withWorld({ files: { 'a.txt': 'x' }, story: [{ call: [write('b.txt')] }, { say: 'Done.' }] }, async (world) => {
      await mkdir(join(world.configFolder, 'audit.jsonl'), { recursive: true });
      assert.equal((await world.play('go')).outcome.kind, 'completed');
      assert.match(world.warnings.join('\n'), /audit log could not be written/);
    }));
});
