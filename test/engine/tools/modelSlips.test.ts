import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { meantTool } from '../../../src/engine/tools/parseToolCall';
import { toolWorld } from './toolWorld';

type World = Awaited<ReturnType<typeof toolWorld>>;

describe('Handling of model mistakes', () => {
  let world: World;
  beforeEach(async () => (world = await toolWorld()));
  afterEach(() => world.remove());

  it('keeps escapes in a text that also has line breaks, where they are intended', async () => {
    await world.write({ 'a.txt': 'one\ntwo\nthree\n' });
    const call = { path: 'a.txt', old_string: 'one\ntwo\\nthree', new_string: 'x' };
    assert.match(await world.failure('fs_edit', call), /^old_string is not in a\.txt/);
  });

  it('maps every known tool name of other programs to ours', () => {
    const others = {
      fs_read: ['read', 'readFile', 'view', 'open_file', 'cat'],
      fs_write: ['write', 'WriteFile', 'write_to_file', 'create_file', 'saveFile'],
      fs_edit: [
        'edit',
        'edit_file',
        'replace',
        'str_replace',
        'str_replace_editor',
        'replace_in_file',
        'searchReplace',
      ],
      fs_patch: ['MultiEdit', 'patch', 'applyPatch', 'apply_diff'],
      fs_ls: ['ls', 'list', 'list_directory', 'list_files'],
      fs_glob: ['glob', 'find', 'find_files', 'file_search'],
      fs_grep: ['grep', 'search', 'search_files', 'search_file_content', 'ripgrep'],
      execute_command: ['shell', 'sh', 'terminal', 'exec', 'exec_command', 'run_command', 'run_shell_command'],
      fetch_url: ['WebFetch', 'fetch', 'fetch_webpage', 'browse'],
      todo__init: ['TodoWrite', 'update_plan'],
      agent__spawn: ['Task', 'agent', 'new_task'],
      user__ask: ['AskUserQuestion', 'ask_followup_question', 'askUser'],
      ...{ todo__list: ['TodoRead'], skill__load: ['Skill'] },
    };
    const names = Object.keys(others);
    for (const [meant, all] of Object.entries(others))
      for (const asked of all) {
        assert.equal(meantTool(asked, names), meant, asked);
        assert.notEqual(meantTool(asked, ['other']), meant, 'not offered');
      }
    assert.equal(meantTool('localShell', names), 'execute_command');
    assert.equal(meantTool('PowerShell', names), 'execute_command');
  });

  it('maps foreign tool names to ours, and lists the tools for unknown ones (P-7.4)', () => {
    const names = [
      'fs_read',
      'fs_write',
      'fs_edit',
      'fs_patch',
      'fs_ls',
      'fs_glob',
      'fs_grep',
      'execute_command',
      'todo__init',
    ];
    for (const [asked, meant] of [
      ['read_file', 'fs_read'],
      ['Read', 'fs_read'],
      ['FS_READ', 'fs_read'],
      ['functions.fs_read', 'fs_read'],
      ['default_api:fs_read', 'fs_read'],
      ['fs-read', 'fs_read'],
      ['fs_raed', 'fs_read'],
      ['bash', 'execute_command'],
      ['run_terminal_cmd', 'execute_command'],
      ['apply_patch', 'fs_patch'],
      ['str_replace_based_edit_tool', 'fs_edit'],
      ['TodoWrite', 'todo__init'],
      ['list_dir', 'fs_ls'],
      ['grep_search', 'fs_grep'],
      ['launch_rocket', undefined],
      ['constructor', undefined],
      // Cairn's tool for this is not available here.
      ['webfetch', undefined],
    ] as const)
      assert.equal(meantTool(asked, names), meant, asked);
  });

  it('accepts foreign names for our parameters', async () => {
    await world.write({ 'a.txt': 'one\ntwo\nthree\n' });
    const read = async (input: object) => (await world.call('fs_read', input)).text;
    assert.match(await read({ file_path: 'a.txt' }), /1\tone/);
    assert.match(await read({ filePath: 'a.txt', start_line: 2, limit: 1 }), /^2\ttwo/);
    await world.call('fs_write', { path: 'b.txt', content: 'new' });
    assert.equal(await world.text('b.txt'), 'new');
    await world.call('fs_edit', { file_path: 'b.txt', oldString: 'new', new_str: 'old' });
    assert.equal(await world.text('b.txt'), 'old');
  });

  it('treats a command’s time limit as seconds, even if meant in milliseconds', async () => {
    for (const given of [
      { timeout: 5 },
      { timeout: '5' },
      { timeout: 120_000 },
      { timeout_ms: 900 },
      { timeoutMs: 5000 },
      { timeout: 1800 },
    ])
      await world.call('execute_command', { command: 'exit 0', ...given });
    assert.deepEqual(
      world.limits.map((limit) => (limit ?? 0) / 1000),
      [5, 5, 120, 1, 5, 1800],
    );
  });

  it('reports unknown parameters and lists the valid ones', async () => {
    assert.equal(
      world.refusal('fs_read', { where: 'a.txt' }),
      'it needs path; where is unknown. It takes path, offset?, limit?',
    );
    assert.match(
      world.refusal('fs_read', { path: 'a.txt', offset: 'far' }),
      /^offset: .*It takes path, offset\?, limit\?/,
    );
    // Both were given, so it is unclear which one is meant.
    assert.match(world.refusal('fs_read', { path: 'a.txt', file_path: 'b.txt' }), /file_path is unknown/);
  });

  it('accepts steps as objects, and steps given by their text', async () => {
    await world.call('todo__init', { todos: [{ content: 'Look', status: 'pending' }, { text: 'Mend it' }, 'Test'] });
    const { text } = await world.call('todo__done', { id: 'mend' });
    assert.match(text, /1\. \[ \] Look\n2\. \[x\] Mend it\n3\. \[ \] Test/);
    assert.match((await world.call('todo__done', { id: '#3' })).text, /3\. \[x\] Test/);
    assert.match(await world.failure('todo__done', { id: 'e' }), /no to-do “e”; name one by its number/);
  });

  it('strips line numbers from old_string, and reports it', async () => {
    await world.write({ 'a.ts': 'const a = 1;\nconst b = 2;\n' });
    const { text } = await world.call('fs_edit', {
      path: 'a.ts',
      old_string: '1\tconst a = 1;\n2\tconst b = 2;',
      new_string: '1\tconst a = 3;\n2\tconst b = 4;',
    });
    assert.match(text, /^Wrote a\.ts .*line numbers in old_string were left out/);
    assert.equal(await world.text('a.ts'), 'const a = 3;\nconst b = 4;\n');
  });

  it('leaves a line that begins with a number unchanged', async () => {
    await world.write({ 'a.tsv': '1\tone\n2\ttwo\n' });
    await world.call('fs_edit', { path: 'a.tsv', old_string: '1\tone', new_string: '3\tthree' });
    assert.equal(await world.text('a.tsv'), '3\tthree\n2\ttwo\n');
  });

  it('unescapes text that was escaped twice', async () => {
    await world.write({ 'a.ts': 'if (a) {\n\treturn "x";\n}\n' });
    const { text } = await world.call('fs_edit', {
      path: 'a.ts',
      old_string: 'if (a) {\\n\\treturn \\"x\\";',
      new_string: 'if (b) {\\n\\treturn \\"y\\";',
    });
    assert.match(text, /escapes in old_string were read once more/);
    assert.equal(await world.text('a.ts'), 'if (b) {\n\treturn "y";\n}\n');
  });

  it('reads an escaped backslash as one', async () => {
    await world.write({ 'a.txt': 'C:\\temp\nold\n' });
    const input = { path: 'a.txt', old_string: 'C:\\\\temp\\nold', new_string: 'C:\\\\temp\\nnew' };
    assert.match((await world.call('fs_edit', input)).text, /escapes in old_string were read once more/);
    assert.equal(await world.text('a.txt'), 'C:\\temp\nnew\n');
  });

  it('leaves escapes alone that occur in the file', async () => {
    await world.write({ 'a.ts': 'print("a\\n");\n' });
    await world.call('fs_edit', { path: 'a.ts', old_string: '"a\\n"', new_string: '"b\\n"' });
    assert.equal(await world.text('a.ts'), 'print("b\\n");\n');
  });

  it('explains a mismatch of tabs and spaces', async () => {
    await world.write({ 'a.ts': 'if (a) {\n\treturn 1;\n}\n', 'b.ts': 'if (a) {\n  return 1;\n}\n' });
    const edit = (path: string, old: string) => ({ path, old_string: old, new_string: 'x' });
    assert.match(
      await world.failure('fs_edit', edit('a.ts', 'if (a) {\n    return 1;')),
      /The file indents with tabs, old_string with spaces\./,
    );
    assert.match(
      await world.failure('fs_edit', edit('b.ts', 'if (a) {\n\treturn 1;')),
      /The file indents with spaces, old_string with tabs\./,
    );
  });

  it('gives no hint on tabs and spaces where the file has both', async () => {
    await world.write({ 'a.ts': 'if (a) {\n\treturn 1;\n  }\n' });
    for (const old of ['if (a) {\n    return 1;', 'if (a) {\n\t  return 1;']) {
      const said = await world.failure('fs_edit', { path: 'a.ts', old_string: old, new_string: 'x' });
      assert.doesNotMatch(said, /indents with/);
    }
  });

  it('does not take the number of an empty line for replaceable text', async () => {
    await world.write({ 'a.txt': 'one\n' });
    assert.match(
      await world.failure('fs_edit', { path: 'a.txt', old_string: '     2\t', new_string: 'x' }),
      /is not in a\.txt/,
    );
    assert.equal(await world.text('a.txt'), 'one\n');
  });

  it('lists the first ten places of a text that occurs several times', async () => {
    await world.write({ 'ten.txt': 'x\n'.repeat(10), 'more.txt': 'x\n'.repeat(11) });
    const said = (path: string) => world.failure('fs_edit', { path, old_string: 'x', new_string: 'y' });
    assert.match(await said('ten.txt'), /10 times .* lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\./);
    assert.match(await said('more.txt'), /11 times .* lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.\./);
  });

  it('suggests the tool that creates a file when editing a missing one', async () => {
    const input = { path: 'new.txt', old_string: '', new_string: 'x' };
    assert.match(await world.failure('fs_edit', input), /^No file new\.txt\..*To create it use fs_write\.$/);
  });

  it('resolves paths from the root, or with the workspace name, to the intended file', async () => {
    await world.write({ 'src/todos.ts': 'x', 'hello.txt': 'x' });
    assert.equal(
      await world.failure('fs_read', { path: '/src/todos.ts' }),
      'No file /src/todos.ts. Did you mean src/todos.ts?',
    );
    assert.equal(
      await world.failure('fs_read', { path: 'work/hello.txt' }),
      'No file work/hello.txt. Did you mean hello.txt?',
    );
  });

  it('does not suggest unrelated names for a missing file', async () => {
    await world.write({ 'README.md': 'x', 'src/index.ts': 'x' });
    assert.equal(await world.failure('fs_read', { path: 'zzz.css' }), 'No file zzz.css.');
  });

  it('suggests a pattern when a folder is given to search for files', async () => {
    await world.write({ 'src/a.ts': 'x' });
    assert.equal(
      (await world.call('fs_glob', { pattern: 'src' })).text,
      'src is a folder. For the files in it use src/**.',
    );
  });

  it('reveals nothing about a folder outside through a pattern, since no one was asked', async () => {
    await world.write({ 'src/a.ts': 'x' });
    for (const pattern of [tmpdir(), '..', '../..', 'src/../..']) {
      const { text } = await world.call('fs_glob', { pattern });
      assert.match(text, /^No file matches /, pattern);
    }
  });

  it('applies a patch in the other format if it is about one file', async () => {
    await world.write({ 'a.txt': 'one\ntwo\nthree\n' });
    const patch = (body: string) => ({ path: 'a.txt', contents: `*** Begin Patch\n${body}\n*** End Patch` });
    await world.call('fs_patch', patch('*** Update File: a.txt\n@@\n one\n-two\n+2'));
    assert.equal(await world.text('a.txt'), 'one\n2\nthree\n');
    await world.call('fs_patch', patch('*** Update File: a.txt\n 2\n-three\n+3\n*** End of File'));
    assert.equal(await world.text('a.txt'), 'one\n2\n3\n');
    for (const [body, expected] of [
      ['*** Add File: b.txt\n+x', /To create b\.txt use fs_write/],
      ['*** Delete File: a.txt', /To remove a\.txt use fs_rm/],
      ['*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: b.txt\n@@\n-x\n+y', /several files/],
    ] as const)
      assert.match(await world.failure('fs_patch', patch(body)), expected);
  });
});
