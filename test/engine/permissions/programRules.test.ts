import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EngineRules, ProgramRule } from '../../../src/engine/library';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { call, resultsIn } from '../agents/team/teamStory';

/** The outcome of one call: what the user was asked, and what the model received. */
interface Became {
  asked: string[];
  told: string;
}

async function becomes(
  rules: readonly ProgramRule[],
  [tool, input]: readonly [string, object],
  options: WorldOptions = {},
  first: (world: EngineWorld) => Promise<void> = () => Promise.resolve(),
): Promise<Became> {
  const asked: string[] = [];
  let told = '';
  await withWorld(
    {
      approvalMode: 'edits-and-commands',
      ...options,
      rules,
      approve: ({ reason }) => {
        asked.push(reason);
        return { kind: 'once' };
      },
      story: [call(tool, input), { say: 'Done.' }],
    },
    async (world) => {
      await first(world);
      await world.play('go');
      told = resultsIn(world.server.requests.at(-1) ?? assert.fail('no request')).join();
    },
  );
  return { asked, told };
}

const write = (path: string) => ['fs_write', { path, contents: 'x\n' }] as const;
const runs = (command: string) => ['execute_command', { command }] as const;
const allowAll = { tool: '*', action: 'allow' } as const;

/** Writes these rules to the user's own file. */
function own(rules: readonly object[]) {
  return async ({ configFolder }: EngineWorld) => {
    await mkdir(configFolder, { recursive: true });
    await writeFile(join(configFolder, 'permissions.json'), JSON.stringify({ rules }));
  };
}

function untyped(rules: EngineRules, added: readonly unknown[]): void {
  const add: unknown = Reflect.get(rules, 'add');
  if (typeof add !== 'function') throw new TypeError('no method');
  Reflect.apply(add, rules, added);
}

/** Adds rules as a program without types would. */
function adding(rules: readonly unknown[]) {
  return ({ engine }: EngineWorld): Promise<void> => {
    untyped(engine.rules, rules);
    return Promise.resolve();
  };
}

describe('Program rules', () => {
  it('allow what would otherwise be asked about, without being written to a file', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: () => assert.fail('was asked'),
        rules: [{ tool: 'fs_write', action: 'allow' }],
        story: [call(...write('a.txt')), { say: 'Done.' }],
      },
      async (world) => {
        await world.play('go');
        assert.equal(await world.read('a.txt'), 'x\n');
        await assert.rejects(readFile(join(world.configFolder, 'permissions.json')));
        assert.match(await readFile(join(world.configFolder, 'audit.jsonl'), 'utf8'), /"scope":"program"/);
      },
    ));

  it('deny before the user’s rules allow, and are reported by their id', async () => {
    const rules = [
      { id: 'no-notes', tool: 'fs_write', argument: { kind: 'path', pattern: 'notes/*' }, action: 'deny' },
    ] as const;
    const { asked, told } = await becomes(rules, write('notes/a.txt'), {}, own([allowAll]));
    assert.deepEqual(asked, []);
    assert.match(told, /Not allowed: .*no-notes.*The program rule “deny fs_write: notes\/\*” applies/);
  });

  it('allow nothing that the user, the workspace or the agent denies', async () => {
    const denied = { tool: 'fs_write', argument: { kind: 'path', pattern: 'a.txt' }, action: 'deny' };
    assert.match((await becomes([allowAll], write('a.txt'), {}, own([denied]))).told, /^Not allowed.*The user rule/);
    const files = { '.cairn/permissions.json': JSON.stringify({ rules: [denied] }) };
    assert.match((await becomes([allowAll], write('a.txt'), { files })).told, /^Not allowed.*The workspace rule/);
  });

  it('hide tools that they deny outright from the model', () =>
    withWorld({ rules: [{ tool: 'fs_*', action: 'deny' }], story: [{ say: 'Hello.' }] }, async (world) => {
      await world.play('go');
      assert.deepEqual(
        world.server.requests[0]?.tools.filter((name) => name.startsWith('fs_')),
        [],
      );
    }));

  it('never allow access to protected paths', async () => {
    for (const rule of [allowAll, { tool: '*', action: 'allow', when: () => true } as const]) {
      const { asked } = await becomes([rule], write('.git/config'));
      assert.match(asked.join(), /\.git is protected/);
    }
  });

  it('are rejected for an invalid field, a duplicate id, or a function combined with an argument', () =>
    withWorld({}, async ({ engine: { rules } }) => {
      const wrong: unknown[] = [
        { tool: 'fs_write', effect: 'deny' },
        { tool: 'fs_write', action: 'deny', when: 'always' },
        { tool: 'fs_write', action: 'deny', when: () => true, argument: { kind: 'path', pattern: 'a' } },
      ];
      for (const rule of wrong) assert.throws(() => untyped(rules, [rule]), /rule.*(“action”|“when”)/s);
      rules.add({ id: 'one', ...allowAll });
      assert.throws(() => rules.add({ id: 'one', ...allowAll }), /A rule with the id “one” already exists/);
      assert.equal(rules.list().length, 1);
    }));
});

describe('A rule with a function', () => {
  const small: ProgramRule = {
    ...{ id: 'small', tool: 'fs_write', action: 'allow' },
    when: ({ contents }) => String(contents).length < 10,
  };

  it('applies to the calls for which it returns true', async () => {
    assert.deepEqual((await becomes([small], write('a.txt'))).asked, []);
    const long = { path: 'a.txt', contents: 'x'.repeat(20) };
    assert.equal((await becomes([small], ['fs_write', long])).asked.length, 1);
  });

  it('sees the tool’s own arguments, whatever the model called them, and where links lead', async () => {
    const seen: unknown[] = [];
    const look: ProgramRule = {
      ...{ tool: 'fs_write', action: 'deny' },
      when: ({ path }, { paths, agent, category }) => seen.push({ path, paths, agent, category }) > 0,
    };
    await becomes([look], ['fs_write', { file_path: 'b/../a.txt', content: 'x' }]);
    assert.deepEqual(seen[0], { path: 'b/../a.txt', paths: ['a.txt'], agent: 'coder', category: 'write' });
  });

  it('asks when it throws or returns no answer, denies if it is a deny rule, and is named', async () => {
    const throws = () => {
      throw new Error('no connection');
    };
    const broken = { id: 'broken', tool: 'fs_write', when: throws } as const;
    const asked = await becomes([{ ...broken, action: 'allow' }], write('a.txt'), { approvalMode: 'nothing' });
    assert.match(asked.asked.join(), /The matcher of the rule “broken” failed: no connection/);
    const denied = await becomes([{ ...broken, action: 'deny' }, allowAll], write('a.txt'), {}, own([allowAll]));
    // Treated as if the function had returned true: a later rule of the program still wins.
    assert.match(denied.asked.join(), /broken/);
    const alone = await becomes([allowAll, { ...broken, action: 'deny' }], write('a.txt'), {}, own([allowAll]));
    assert.match(alone.told, /^Not allowed: The matcher of the rule “broken” failed: no connection/);
    const promise: unknown[] = [{ tool: 'fs_write', action: 'allow', when: () => Promise.resolve(true) }];
    assert.match(
      (await becomes([], write('a.txt'), {}, adding(promise))).asked.join(),
      /returned a promise instead of true or false/,
    );
  });

  it('that throws does not weaken another denial', async () => {
    const deny = { tool: 'fs_write', action: 'deny', argument: { kind: 'path', pattern: '*' } } as const;
    const broken: ProgramRule = { tool: 'fs_write', action: 'allow', when: () => JSON.parse('{') === 1 };
    assert.match((await becomes([deny, broken], write('a.txt'))).told, /^Not allowed/);
  });

  it('cannot change the call it inspects', async () => {
    const change: ProgramRule = {
      ...{ tool: 'fs_write', action: 'allow' },
      when: (input) => Object.assign(input, { contents: 'other' }).contents === 'other',
    };
    assert.match((await becomes([change], write('a.txt'))).told, /a\.txt/);
    await withWorld({ rules: [change], story: [call(...write('a.txt')), { say: 'Done.' }] }, async (world) => {
      await world.play('go');
      assert.equal(await world.read('a.txt'), 'x\n');
    });
  });

  it('is evaluated for every command of a shell line and for the files the shell opens', async () => {
    const echo: ProgramRule = {
      ...{ tool: 'execute_command', action: 'allow' },
      when: ({ command }) => String(command).startsWith('echo '),
    };
    assert.deepEqual((await becomes([echo], runs('echo a'))).asked, []);
    assert.match((await becomes([echo], runs('echo a && sleep 0'))).asked.join(), /“sleep 0”/);
    const secret: ProgramRule = { tool: 'fs_*', action: 'deny', when: ({ path }) => path === 'secret.txt' };
    assert.match((await becomes([secret, echo], runs('echo a > secret.txt'))).told, /^Not allowed/);
  });
});

describe('engine.rules', () => {
  it('reports what would happen to a call without making it', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { '.cairn/agents/reader.md': '---\npermission:\n  edit: deny\n---\nYou read.' },
        rules: [{ id: 'no-b', tool: 'fs_write', action: 'deny', when: ({ path }) => path === 'b' }],
      },
      async (world) => {
        const { rules } = world.engine;
        const here = { sessionId: world.sessionId };
        const contents = '';
        assert.equal((await rules.check('fs_write', { path: 'a', contents }, here)).action, 'ask');
        assert.match((await rules.check('fs_write', { path: 'b', contents }, here)).reason, /no-b/);
        const there = { workspace: world.folder, approvalMode: 'nothing' as const };
        assert.equal((await rules.check('fs_write', { path: 'a', contents }, there)).action, 'allow');
        assert.equal((await rules.check('fs_read', { path: '/etc/hosts' }, there)).action, 'ask');
        const byReader = { ...there, agent: 'reader' };
        assert.match((await rules.check('fs_write', { path: 'a', contents }, byReader)).reason, /agent rule/);
        await assert.rejects(rules.check('fs_wrote', { path: 'a' }, here), /There is no tool "fs_wrote"/);
        await assert.rejects(rules.check('fs_write', {}, here), /it needs path/);
        await assert.rejects(world.read('a'));
      },
    ));

  it('revokes what “always” allowed in a session, also after a restart', () => {
    const asked: string[] = [];
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: ({ title, offers }) => {
          asked.push(title);
          const offer = offers.find(({ scope }) => scope === 'session');
          return offer ? { kind: 'always', offer } : { kind: 'once' };
        },
        story: [call(...runs('echo a')), { say: 'Done.' }, call(...runs('echo a')), { say: 'Done.' }],
      },
      async (world) => {
        const place = { scope: 'session', sessionId: world.sessionId } as const;
        await world.play('go');
        assert.equal((await world.engine.rules.rulesIn(place)).length, 1);
        await world.engine.rules.clear(place);
        const again = await world.restart();
        assert.deepEqual(await again.engine.rules.rulesIn(place), []);
        await again.play('again');
        assert.equal(asked.length, 2);
      },
    );
  });

  it('revokes the user’s rules for one workspace or for all, and leaves the others', () =>
    withWorld({}, async ({ engine: { rules, permissions }, folder }) => {
      const other = dirname(folder);
      await permissions.add('user', folder, [allowAll]);
      await permissions.add('workspace', folder, [allowAll]);
      await permissions.add('workspace', other, [allowAll]);
      await rules.clear({ scope: 'workspace', workspace: folder });
      assert.deepEqual(await rules.rulesIn({ scope: 'workspace', workspace: folder }), []);
      assert.equal((await rules.rulesIn({ scope: 'workspace', workspace: other })).length, 1);
      await rules.clear({ scope: 'user' });
      assert.deepEqual(await rules.rulesIn({ scope: 'user' }), []);
      assert.equal((await rules.rulesIn({ scope: 'workspace', workspace: other })).length, 1);
    }));

  it('saves and loads rules at any path, replaces those with the same id, and preserves unreadable files', () =>
    withWorld({}, async ({ engine: { rules }, folder, configFolder }) => {
      const path = join(folder, 'rules', 'team.json');
      rules.add({ id: 'one', tool: 'fs_write', action: 'deny' }, { id: 'two', ...allowAll });
      await rules.save(path);
      await rules.clear({ scope: 'program' });
      assert.deepEqual(rules.list(), []);
      rules.add({ id: 'two', tool: 'fs_read', action: 'ask' });
      await rules.load(path);
      assert.deepEqual(rules.list(), [
        { id: 'one', tool: 'fs_write', action: 'deny' },
        { id: 'two', ...allowAll },
      ]);
      const broken = '{\n  "rules": [\n    { "tool": "fs_write", "acton": "deny" }\n  ]\n}\n';
      await writeFile(path, broken);
      await assert.rejects(rules.load(path), /team\.json:3: .*action.* Correct the file or delete it\./s);
      await assert.rejects(rules.save(path), /team\.json:3/);
      assert.equal(await readFile(path, 'utf8'), broken);
      assert.equal(rules.list().length, 2);
      rules.add({ id: 'mine', tool: 'fs_write', action: 'deny', when: () => true });
      await assert.rejects(rules.save(join(folder, 'other.json')), /functions of “mine”/);
      await assert.rejects(rules.save(join(configFolder, 'permissions.json'), []), /holds your own rules/);
    }));
});
