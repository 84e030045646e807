import assert from 'node:assert/strict';
import { readYaml, yamlReady } from '../../../src/engine/content/yamlSource';
import { withWorld } from '../../support/engineWorld';

describe('Invalid front matter from other programs', () => {
  before(() => yamlReady('any: text'));

  const KEYS = ['name', 'description', 'tools', 'model', 'argument-hint'];
  const mended = (text: string) => readYaml(text, { path: 'a.md', firstLine: 2, lenient: true, mendBy: KEYS });

  it('is read entry by entry, with a warning for entries read as text unless they are display-only', () => {
    const read = mended(
      ['description: Tidies up', 'argument-hint: [what] | [--all]', 'tools: *', 'model: sonnet'].join('\n'),
    );
    const { data, problems } = read;
    assert.deepEqual(data, {
      description: 'Tidies up',
      'argument-hint': '[what] | [--all]',
      tools: '*',
      model: 'sonnet',
    });
    assert.deepEqual(
      problems.map(({ severity, line }) => [severity, line]),
      [['warning', 4]],
    );
    assert.equal(read.position(['model'], 'key').line, 5);
  });

  it('keeps what follows “ #” in a description, which YAML would take for a comment, with a note', () => {
    const text = "name: a # really\ndescription: It's for issue #12 and C # code\nmodel: sonnet";
    const { data, problems } = mended(text);
    assert.deepEqual(data, { name: 'a', description: "It's for issue #12 and C # code", model: 'sonnet' });
    assert.deepEqual(
      problems.map(({ severity, line, message }) => [severity, line, /read as part of the description/.test(message)]),
      [['note', 3, true]],
    );
    for (const clear of [
      "description: 'C # code'",
      'description: C#',
      'description: # nothing',
      'description: >\n  C # code',
    ])
      assert.deepEqual(mended(clear).problems, [], clear);
    const own = readYaml('description: Reads # TODO', { path: 'a.md', lenient: true });
    assert.deepEqual(own.data, { description: 'Reads' });
    assert.match(own.problems.map(({ message }) => message).join(), /is a comment and not part of the description/);
  });

  it('may contain patterns that look like aliases, next to real aliases', () => {
    const read = mended('description: Tides\ntools: *.ts, src/*.js\nmodel: sonnet');
    assert.deepEqual(read.data, { description: 'Tides', tools: '*.ts, src/*.js', model: 'sonnet' });
    assert.deepEqual(
      read.problems.map(({ severity, line }) => [severity, line]),
      [['warning', 3]],
    );
    assert.deepEqual(mended('name: &a tide\ndescription: *a').data, { name: 'tide', description: 'tide' });
  });

  it('keeps a description whose lines look like entries', () => {
    const { data } = mended(
      ['name: helper', 'description: Use it: often', '<example>', 'user: "Help"', 'user: "Again"', 'model: opus'].join(
        '\n',
      ),
    );
    assert.deepEqual(data, {
      name: 'helper',
      description: 'Use it: often\n<example>\nuser: "Help"\nuser: "Again"',
      model: 'opus',
    });
  });

  it('loses only quotes around a text and block markers', () => {
    const { data } = mended('name: "a \\"b\\" c" d\ndescription: |\n  one\n bad: [\ntools: - Read');
    assert.deepEqual(data, { name: '"a \\"b\\" c" d', description: 'one\nbad: [', tools: 'Read' });
    assert.deepEqual(mended('description: @home\nmodel: "x"').data, { description: '@home', model: 'x' });
  });

  it('may repeat only keys that have no meaning here', () => {
    const text = 'name: a\nchanges:\n  - one\ndescription: It helps\nchanges:\n  - two';
    const { data, problems } = mended(text);
    assert.deepEqual(data, { name: 'a', description: 'It helps', changes: ['two'] });
    assert.deepEqual(
      problems.map(({ severity, line, message }) => [severity, line, message]),
      [['warning', 6, 'This key is duplicated; the last value is used.']],
    );
    const known = readYaml('model: a\nmode: b\nmode: c', { path: 'a.md', lenient: true, mendBy: ['model', 'mode'] });
    assert.notDeepEqual(known.data, { model: 'a', mode: 'c' });
    const ours = readYaml(text, { path: 'a.md', lenient: true });
    assert.ok(ours.problems.some(({ severity }) => severity === 'error'));
  });

  it('is still an error when it has no entries, and in our own files', () => {
    assert.ok(mended('[ nothing').problems.some(({ severity }) => severity === 'error'));
    const ours = readYaml('description: @home', { path: 'a.md', lenient: true });
    assert.ok(ours.problems.some(({ severity }) => severity === 'error'));
  });

  it('does not disable agents, commands or skills, except our own', () =>
    withWorld(
      {
        files: {
          '.claude/agents/star.md': '---\nname: star\ndescription: Does all\ntools: *\n---\nYou shine.',
          '.claude/commands/go.md': '---\nargument-hint: [a] | [b]\n---\nGo $ARGUMENTS',
          '.claude/skills/at/SKILL.md': '---\ndescription: @work only\n---\nAt work.',
          '.cursor/rules/near.mdc': '---\nglobs: *.css\n---\nColours are variables.',
          '.cairn/commands/ours.md': '---\nargument-hint: [a] | [b]\n---\nGo.',
        },
      },
      async ({ engine }) => {
        assert.deepEqual((await engine.agent('star')).tools, ['*']);
        const commands = await engine.typed.prompts.list();
        assert.deepEqual(
          commands.map(({ name, hint }) => [name, hint]),
          [['go', '[a] | [b]']],
        );
        assert.equal((await engine.skills.find('at'))?.description, '@work only');
        const problems = await engine.typed.prompts.problems();
        assert.deepEqual(
          [...new Set(problems.map(({ severity, path }) => `${severity} ${path.replace(/.*\//, '')}`))],
          ['error ours.md'],
        );
      },
    ));
});

describe('Invalid values from other programs', () => {
  it('are dropped with a warning, unless they limit what an agent may do', () =>
    withWorld(
      {
        files: {
          '.opencode/command/make.md': '---\ndescription: Makes\ntools: { write: true }\n---\nMake $1',
          '.claude/agents/loud.md': '---\nname: loud\ndescription: Loud\ncolor: [red, blue]\n---\nYou shout.',
          '.claude/agents/bound.md': '---\nname: bound\ntools: 5\n---\nYou read.',
          '.opencode/agent/map.md': '---\npermissions:\n  bash:\n    "git *": ask\n    "rm *": deny\n---\nYou map.',
        },
      },
      async ({ engine }) => {
        assert.equal((await engine.typed.prompts.find('make'))?.tools, undefined);
        assert.equal((await engine.agent('loud')).description, 'Loud');
        assert.equal(await engine.agents.find('bound'), undefined);
        const { rules } = await engine.agent('map');
        assert.ok(rules.some(({ action, argument }) => action === 'deny' && JSON.stringify(argument).includes('rm')));
        const told = (await engine.agents.problems())
          .map(({ severity, message }) => `${severity}: ${message}`)
          .join('\n');
        assert.match(told, /error: “tools”/);
        assert.match(told, /warning: “color”.*It is left out/);
        assert.match(told, /warning: “permissions” is a list; this map is read as “permission”/);
      },
    ));
});
