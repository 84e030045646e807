import assert from 'node:assert/strict';
import { fillCommand } from '../../../src/engine/commands/expandCommand';
import { type EngineWorld, withWorld } from '../../support/engineWorld';

const fill = (body: string, args: string) => fillCommand(body, { args, workspace: '/home/me/shop' });

/** Sends a message as the panel and the command line do; returns what the model received. */
async function sent(world: EngineWorld, text: string) {
  const { engine, folder, server, sessionId } = world;
  const command = await engine.typed.expand(text, { sessionId, workspace: folder });
  assert.ok(command, `${text} is no command`);
  if (command.skill !== undefined) {
    const session = await engine.sessions.open(sessionId);
    await session.configure({ skills: [...session.metadata.skills, command.skill] });
  }
  await world.play({ text, attachments: [command.attachment] }, command.run);
  const request = server.requests.at(-1);
  assert.ok(request);
  return { ...command, request, said: request.messages.at(-1)?.text ?? '' };
}

describe('Command placeholders', () => {
  it('insert all arguments, one of them, or the rest', () => {
    assert.equal(fill('Fix $ARGUMENTS.', 'the login  page'), 'Fix the login  page.');
    assert.equal(fill('Compare $1 with $2.', 'a.ts "b c.ts" d.ts'), 'Compare a.ts with b c.ts d.ts.');
    assert.equal(fill('First $ARGUMENTS[0], then $ARGUMENTS[1].', 'a b'), 'First a, then b.');
    assert.equal(fill('From $0 to $1.', 'a b'), 'From a to b.');
    assert.equal(fill('All of $0.', 'a b'), 'All of a b.');
  });

  it('do not include prices and longer numbers', () => {
    assert.equal(fill('It costs $1.50, $2,000 or $100.', 'x'), 'It costs $1.50, $2,000 or $100.');
    assert.equal(fill('A market of $5M, $2bn of it in $1.', 'Rome'), 'A market of $5M, $2bn of it in Rome.');
  });

  it('insert arguments verbatim, without expanding placeholders in them', () => {
    assert.equal(
      fill('Say $ARGUMENTS and $1', '$2 $ARGUMENTS !`rm -rf .`'),
      'Say $2 $ARGUMENTS !`rm -rf .` and $2 $ARGUMENTS !`rm -rf .`',
    );
  });

  it('fill GitHub Copilot inputs in order', () => {
    assert.equal(fill('Make ${input:name:Name of the form}.', 'Contact form'), 'Make Contact form.');
    assert.equal(
      fill('Make ${input:name:Name of the form}.', ''),
      'Make (Name of the form: not said; ask for it if you need it).',
    );
    assert.equal(fill('${input:kind} in ${input:place}', 'form src/a b'), 'form in src/a b');
    assert.equal(fill('Work in ${workspaceFolder}.', ''), 'Work in /home/me/shop.');
  });

  it('never run a shell command', () => {
    assert.equal(fill('Changes: !`git diff --stat`', ''), 'Changes: (run `git diff --stat` and use what it prints)');
    assert.equal(
      fill('Look:\n```!\ngit show $1\n```\nNow.', 'HEAD'),
      'Look:\n(run this and use what it prints)\n```\ngit show HEAD\n```\nNow.',
    );
  });

  it('have names in the files of Claude Code and Codex', () => {
    const at = { workspace: '/w', args: 'FILE=src/a.ts TITLE="Two words" $FILE' };
    assert.equal(
      fillCommand('Fix $FILE as $TITLE by $OWNER for $$5, $HOME_DIR of $file, !`ls`.', { ...at, world: 'codex' }),
      'Fix src/a.ts as Two words by (OWNER: not said; ask for it if you need it) for $5, (HOME_DIR: not said; ask for it if you need it) of $file, !`ls`.',
    );
    assert.equal(
      fillCommand('Fix $issue on $branch with $PATH.', {
        ...{ args: '12 my branch', workspace: '/w' },
        ...({ world: 'claude', names: ['issue', 'branch'] } as const),
      }),
      'Fix 12 on my branch with $PATH.',
    );
    assert.equal(fillCommand('Print $FILE and $$.', { ...at, world: 'claude' }), 'Print $FILE and $$.');
  });

  it('apply only in the files of their own program', () => {
    const body = 'Of $ARGUMENTS print `awk "{print $1}"` and !`ls`, $ARGUMENTS[0]';
    for (const world of ['copilot', 'cursor', 'gemini'] as const)
      assert.equal(
        fillCommand(body, { args: 'a b', workspace: '/w', world }),
        'Of a b print `awk "{print $1}"` and !`ls`, $ARGUMENTS[0]',
      );
    for (const world of ['claude', 'opencode'] as const)
      assert.match(fillCommand(body, { args: 'a b', workspace: '/w', world }), /print a b}"` and \(run `ls`/);
    // Codex has arguments, but no shell lines.
    assert.match(fillCommand(body, { args: 'a b', workspace: '/w', world: 'codex' }), /print a b}"` and !`ls`/);
  });
});

describe('File-based commands', () => {
  const FILES = {
    '.claude/commands/fix.md':
      '---\ndescription: Fixes an issue\nargument-hint: [issue]\nmodel: sonnet\nallowed-tools: Bash(gh:*)\n---\nFix issue $1.',
    '.claude/commands/team/look.md': 'Look at it as a team.',
    '.opencode/command/deep/test.md': '---\nagent: tester\nmodel: openai/other-model\n---\nTest $ARGUMENTS',
    '.opencode/agents/tester.md': '---\ndescription: Tests\n---\nYou test.',
    '.github/prompts/new-form.prompt.md': '---\nmode: agent\ntools: [search/codebase, edit]\n---\nMake ${input:name}.',
    '.github/prompts/tell.prompt.md': '---\nagent: ask\n---\nTell me about ${input:name}.',
    '.github/prompts/README.md': 'How to write prompts.',
    '.claude/commands/assign.md': '---\narguments: issue owner\n---\nAssign $issue to $owner.',
    '.codex/prompts/draft.md': '---\nargument-hint: FILE=<path>\n---\nDraft $FILE.',
    '.cairn/commands/say.md': '---\ndescription: Says it\n---\nSay $ARGUMENTS </command> now.',
    '.cairn/commands/wrong.md': '---\ndescripton: x\n---\nHi.',
  };

  it('are found where each program keeps them, under their usual names', () =>
    withWorld({ files: FILES }, async ({ engine }) => {
      const found = (await engine.typed.list()).filter(({ kind }) => kind === 'command');
      assert.deepEqual(
        found.map(({ name, hint, description }) => [name, hint, description]),
        [
          ['assign', '', 'Assign $issue to $owner.'],
          ['deep/test', '', 'Test $ARGUMENTS'],
          ['draft', 'FILE=<path>', 'Draft $FILE.'],
          ['fix', '[issue]', 'Fixes an issue'],
          ['new-form', '', 'Make ${input:name}.'],
          ['say', '', 'Says it'],
          ['team:look', '', 'Look at it as a team.'],
          ['tell', '', 'Tell me about ${input:name}.'],
        ],
      );
      const [problem] = (await engine.typed.prompts.problems()).filter(({ severity }) => severity === 'error');
      assert.match(problem?.path ?? '', /wrong\.md$/);
      assert.match(problem?.message ?? '', /descripton.*Did you mean “description”/);
    }));

  it('are reported where their names cannot be typed', () =>
    withWorld(
      {
        files: {
          '.github/prompts/odd.prompt.md': '---\ndescription: Odd\nname: "???"\n---\nHi.',
          '.gemini/commands/two words.toml': 'prompt = "Hi."\n',
        },
      },
      async ({ engine }) => {
        const problems = await engine.typed.prompts.problems();
        const told = (file: string) => problems.find(({ path }) => path.endsWith(file));
        const [odd, words] = [told('odd.prompt.md'), told('two words.toml')];
        assert.deepEqual([odd?.severity, odd?.line, odd?.column], ['error', 3, 1]);
        assert.deepEqual([words?.severity, words?.line, words?.column], ['note', 1, 1]);
        assert.match(words?.message ?? '', /called “two-words” here/);
      },
    ));

  it('reach the model with their arguments and cannot close their own tag', () =>
    withWorld({ files: FILES, story: [{ say: 'Done.' }] }, async (world) => {
      const { said } = await sent(world, '/say good morning');
      assert.match(said, /<command name="say">\nSay good morning &lt;\/command> now\.\n<\/command>/);
      assert.match(said, /\n\/say good morning$/);
    }));

  it('are also found under the prefix of Codex, and fill in names of arguments', () =>
    withWorld({ files: FILES }, async ({ engine, folder, sessionId }) => {
      const filled = async (text: string) =>
        JSON.stringify((await engine.typed.expand(text, { sessionId, workspace: folder }))?.attachment);
      assert.match(await filled('/prompts:draft FILE=a.md'), /Draft a\.md\./);
      assert.match(await filled('/assign 12 Ada Lovelace'), /Assign 12 to Ada Lovelace\./);
    }));

  it('of Cursor are plain text, and skills of Cursor and Gemini CLI are invoked the same way', () =>
    withWorld(
      {
        files: {
          '.cursor/commands/tidy.md': '# Tidy up\n\nTidy the code.',
          '.cursor/skills/deploying/SKILL.md': '---\nname: deploying\ndescription: How we deploy\n---\nDeploy.',
          '.gemini/skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads tides\n---\nRead tides.',
        },
        story: [{ say: 'Tidied.' }],
      },
      async (world) => {
        const typed = await world.engine.typed.list();
        const [tidy, ...skills] = ['tidy', 'deploying', 'tides'].map((name) => typed.find((one) => one.name === name));
        assert.deepEqual([tidy?.kind, tidy?.description], ['command', 'Tidy up']);
        assert.deepEqual(
          skills.map((one) => [one?.kind, one?.description]),
          [
            ['skill', 'How we deploy'],
            ['skill', 'Reads tides'],
          ],
        );
        const { said } = await sent(world, '/tidy the parser');
        assert.match(said, /Tidy the code\.\n<\/command>/);
        assert.match(said, /\n\/tidy the parser$/);
      },
    ));

  it('are the workflows of Cline, Windsurf, and Kilo Code, and the commands of Roo Code', () =>
    withWorld(
      {
        files: {
          '.clinerules/workflows/release.md': '# Release\n\nTag it.',
          '.windsurf/workflows/check.md': '---\ndescription: Checks it\n---\nRun the checks.',
          '.kilocode/workflows/ship.md': 'Ship it.',
          '.roo/commands/tidy.md': '---\ndescription: Tidies\nargument-hint: [what]\nmode: code\n---\nTidy it.',
        },
        story: [{ say: 'Tidied.' }],
      },
      async (world) => {
        const typed = await world.engine.typed.list();
        const known = ['release', 'check', 'ship', 'tidy'].map((name) => typed.find((one) => one.name === name));
        assert.deepEqual(
          known.map((one) => [one?.kind, one?.description]),
          [
            ['command', 'Release'],
            ['command', 'Checks it'],
            ['command', 'Ship it.'],
            ['command', 'Tidies'],
          ],
        );
        const { said } = await sent(world, '/tidy the parser');
        assert.match(said, /Tidy it\.\n<\/command>/);
      },
    ));

  it('are not looked for below a file, such as the rules of Cline in one', () =>
    withWorld({ files: { '.clinerules': 'Be brief.' }, story: [{ say: 'Brief.' }] }, async (world) => {
      const { events } = await world.play('look');
      assert.deepEqual(
        events.filter(({ type }) => type === 'notice'),
        [],
      );
      assert.match(world.server.requests[0]?.messages.map(({ text }) => text).join() ?? '', /Be brief\./);
    }));

  it('of Gemini CLI are TOML, with placeholders filled and shell commands left to the model', () =>
    withWorld(
      {
        files: {
          '.gemini/commands/git/commit.toml':
            "description = \"Writes a message\"\nprompt = '''\nDescribe !{git diff --format=\"{%s}\" {{args}}}.\nKeep to @{docs/style.md}.\n'''\nextra = 1\n",
          '.gemini/commands/plain.toml': 'prompt = "Say hello to !{nobody"\n',
          '.gemini/commands/broken.toml': 'description = "x"\nprompt = "open\n',
          '.gemini/commands/empty.toml': 'description = "x"\n',
          '.gemini/commands/deep.toml': `prompt = ${'['.repeat(5000)}`,
          '.gemini/commands/notes.md': 'Nothing to send.',
        },
        story: [{ say: 'Done.' }],
      },
      async (world) => {
        const typed = await world.engine.typed.list();
        const ours = typed.filter(({ name }) => /commit|plain|broken|empty|deep|notes/.test(name));
        assert.deepEqual(
          ours.map(({ name, description }) => [name, description]),
          [
            ['git:commit', 'Writes a message'],
            ['plain', 'Say hello to !{nobody'],
          ],
        );
        const problems = await world.engine.typed.prompts.problems();
        const told = (file: string) => problems.find(({ path }) => path.endsWith(file));
        assert.deepEqual([told('broken.toml')?.line, told('broken.toml')?.kind], [2, 'parse']);
        assert.match(told('empty.toml')?.message ?? '', /prompt = /);
        assert.equal(told('deep.toml')?.severity, 'error');
        assert.match(told('commit.toml')?.message ?? '', /“extra” has no effect/);
        const { said } = await sent(world, '/git:commit --staged');
        assert.match(said, /Describe \(run `git diff --format="\{%s\}" --staged` and use what it prints\)\./);
        const quoted = await world.engine.typed.expand("/git:commit it's; ls", {
          sessionId: world.sessionId,
          workspace: world.folder,
        });
        assert.match(JSON.stringify(quoted?.attachment), /\{%s\}\\" 'it'\\\\''s; ls'` and use/);
        assert.match(said, /Keep to @docs\/style\.md\./);
      },
    ));

  it('run with the agent and model they name, for this message only', () =>
    withWorld({ files: FILES, story: [{ say: 'Tested.' }, { say: 'Hi.' }] }, async (world) => {
      const { request } = await sent(world, '/deep/test the parser');
      assert.equal(request.model, 'other-model');
      assert.match(request.messages[0]?.text ?? '', /^You test\./);
      await world.play('and now?');
      assert.equal(world.server.requests[1]?.model, 'test-model');
      assert.doesNotMatch(world.server.requests[1].messages[0]?.text ?? '', /^You test\./);
    }));

  it('offer only the tools they list', () =>
    withWorld({ files: FILES, story: [{ say: 'Made.' }] }, async (world) => {
      const { request } = await sent(world, '/new-form Contact');
      const names = request.tools;
      assert.ok(names.includes('fs_grep') && names.includes('fs_edit'), names.join());
      assert.ok(!names.includes('execute_command') && !names.includes('fetch_url'), names.join());
    }));

  it('are read-only when they name the Ask mode of GitHub Copilot, for this message only', () =>
    withWorld({ files: FILES, story: [{ say: 'Told.' }, { say: 'Hi.' }] }, async (world) => {
      const { request } = await sent(world, '/tell parser');
      assert.ok(request.tools.includes('fs_read') && !request.tools.includes('fs_write'), request.tools.join());
      await world.play('and now?');
      assert.ok(world.server.requests[1]?.tools.includes('fs_write'));
    }));

  it('use the model of the session when a foreign one is unavailable, with a notice', () =>
    withWorld(
      { files: { ...FILES, '.claude/commands/far.md': '---\nmodel: opus\n---\nGo.' }, key: '' },
      async ({ engine, folder, sessionId }) => {
        const far = await engine.typed.expand('/far', { sessionId, workspace: folder });
        assert.equal(far?.run.model, undefined);
        assert.match(
          far?.notes.join() ?? '',
          /^\/far asks for anthropic:\S+, which is not available here; this session’s model answers\.$/,
        );
      },
    ));

  it('leave all other messages alone', () =>
    withWorld({ files: FILES }, async ({ engine, folder, sessionId }) => {
      for (const text of ['/etc/hosts is wrong', ' /say x', 'say /say', '/', '/nothing'])
        assert.equal(await engine.typed.expand(text, { sessionId, workspace: folder }), undefined, text);
    }));

  it('get their source as a prefix when a name is taken', () =>
    withWorld({ files: FILES }, async ({ engine, folder, sessionId }) => {
      const names = (await engine.typed.list(['say'])).map(({ name }) => name);
      assert.ok(names.includes('project:say') && !names.includes('say'), names.join());
      const named = await engine.typed.expand('/project:say hi', { sessionId, workspace: folder });
      assert.ok(named?.attachment.type === 'text' && named.attachment.text.includes('Say hi'));
    }));
});

describe('Skills invoked by the user', () => {
  const skill = (fields: string, body: string) => `---\ndescription: About it\n${fields}---\n${body}`;
  const FILES = {
    '.claude/skills/deploy/SKILL.md': skill(
      'argument-hint: [target]\ndisable-model-invocation: true\n',
      'Deploy to $1 by ${CLAUDE_SKILL_DIR}/scripts/go.sh or {baseDir}/stop.sh, of ${CLAUDE_PLUGIN_ROOT}, in ${CLAUDE_PROJECT_DIR}.',
    ),
    '.claude/skills/quiet/SKILL.md': skill('user-invocable: false\n', 'Say little.'),
  };

  it('are loaded with their placeholders filled in', () =>
    withWorld({ files: FILES, story: [{ say: 'Deployed.' }] }, async (world) => {
      const { request, said } = await sent(world, '/deploy staging now');
      const prompt = request.messages[0]?.text ?? '';
      const folder = `${world.folder}/.claude/skills/deploy`;
      assert.ok(
        prompt.includes(
          `Deploy to $1 by ${folder}/scripts/go.sh or ${folder}/stop.sh, of ${world.folder}/.claude, in ${world.folder}.`,
        ),
        prompt,
      );
      assert.match(said, /\$ARGUMENTS stands for “staging now”, \$1 for “staging”, \$2 for “now”\./);
    }));

  it('are not offered when their author reserves them for models', () =>
    withWorld({ files: FILES }, async ({ engine, folder, sessionId }) => {
      const names = (await engine.typed.list()).filter(({ kind }) => kind === 'skill').map(({ name }) => name);
      assert.ok(names.includes('deploy') && !names.includes('quiet'), names.join());
      assert.equal(await engine.typed.expand('/quiet', { sessionId, workspace: folder }), undefined);
    }));

  it('are rejected in a session in which skills are disabled', () =>
    withWorld({ files: FILES, settings: { skills: { enabled: false } } }, async ({ engine, folder, sessionId }) => {
      await assert.rejects(
        engine.typed.expand('/deploy', { sessionId, workspace: folder }),
        /“deploy” is not enabled here/,
      );
    }));
});
