import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, type FileSystem } from '../../../src/engine';
import type { ContentProblem, ContentWorld } from '../../../src/engine/content/contentProblem';
import type { Skill } from '../../../src/engine/skills/skill';
import { SkillLoader } from '../../../src/engine/skills/skillLoader';
import { nodePorts } from '../../../src/node/nodePorts';
import { type TemporaryFolder, temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });

describe('A skill file', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Formats the place, kind, and message of a problem. */
  const shown = ({ path, line, column, severity, kind, message }: ContentProblem) =>
    `${path.replace(`${folder.path}/`, '')}:${line}:${column} ${severity} ${kind}: ${message}`;
  const readRoot = async (
    files: Record<string, string | Uint8Array>,
    other: Partial<FileSystem> = {},
    world: ContentWorld = 'cairn',
  ) => {
    await folder.write(files);
    const loader = new SkillLoader({ ...ports, files: { ...ports.files, ...other } });
    return loader.readRoot({ folder: folder.path, scope: 'workspace', world });
  };
  /** Reads a single skill, `s`, with this front matter. */
  const readOne = async (head: string, world: ContentWorld = 'cairn') => {
    const { items, problems } = await readRoot({ 's/SKILL.md': `---\n${head}\n---\nSay it.\n` }, {}, world);
    return { skill: items[0], problems };
  };
  const onlyProblem = async (head: string, world: ContentWorld = 'cairn') => {
    const { problems } = await readOne(head, world);
    assert.equal(problems.length, 1, problems.map(shown).join('\n'));
    return shown(problems[0] ?? assert.fail());
  };

  it('contains all properties of a skill', async () => {
    const { skill, problems } = await readOne(
      [
        'license: MIT\ndescription: Use it: now\nenabled_mcp_servers: wiki, maps\nauto_unload: true',
        'disable-model-invocation: true\nversion: 1.2\nmetadata: { by: me }\nenabled_tools: fs_ls.sh fs_ls',
      ].join('\n'),
    );
    assert.deepEqual(problems, []);
    const at = join(folder.path, 's');
    assert.deepEqual(skill, {
      ...{ name: 's', description: 'Use it: now', body: 'Say it.', folder: at, tools: ['fs_ls'] },
      ...{ servers: ['wiki', 'maps'], autoUnload: true, forModel: false },
      source: { scope: 'workspace', world: 'cairn', path: join(at, 'SKILL.md') },
    } satisfies Skill);
  });

  it('may omit everything, and only a missing description is reported', async () => {
    const { items, problems } = await readRoot({ 's/SKILL.md': 'Say it.' });
    const { description, tools, servers, autoUnload, forModel } = items[0] ?? assert.fail('there is none');
    assert.deepEqual([description, tools, servers, autoUnload, forModel], ['', [], [], false, true]);
    assert.deepEqual(problems.map(shown), [
      's/SKILL.md:1:1 warning schema: Without a “description”, the model cannot know when to load this skill. Describe in one sentence when to use it.',
    ]);
    const empty = await readOne('description: x\nenabled_tools: ""\nenabled_mcp_servers:');
    assert.deepEqual([empty.problems, empty.skill?.tools, empty.skill?.servers], [[], [], []]);
  });

  it('is reported where a value has no meaning, with the one that was meant', async () => {
    assert.match(
      await onlyProblem('description: x\nallowed-tools: Raed'),
      /^s\/SKILL\.md:3:1 warning schema: .*“Raed”.* Did you mean “Read”\?$/,
    );
    assert.match(
      await onlyProblem('description: x\nallowed-tools: NotebookEdit(a b)'),
      /^s\/SKILL\.md:3:1 warning schema: Cairn has no equivalent of “NotebookEdit” from other tools;/,
    );
    assert.match(
      await onlyProblem('description: x\nenabled_tools: get_weather.sh'),
      /^s\/SKILL\.md:3:1 warning schema: /,
    );
    assert.match(
      await onlyProblem('description: x\nname: other'),
      /^s\/SKILL\.md:3:1 warning schema: The skill is called “s”, like its folder; “name” says “other”\.$/,
    );
    assert.match(
      await onlyProblem('license: MIT\ndescription: ""'),
      /^s\/SKILL\.md:3:1 warning schema: Without a “description”, /,
    );
    const misnamed = await readRoot({ 'a.b/SKILL.md': '---\ndescription: x\nname: c\n---\nSay it.' });
    assert.match(
      misnamed.problems.map(shown).join(),
      /^a\.b\/SKILL\.md:3:1 error schema: “a\.b” is not a valid skill name/,
    );
    await rm(join(folder.path, 'a.b'), { recursive: true });
    const { problems } = await readOne('description: x\nallowed-tools: Raed');
    assert.deepEqual(problems[0]?.meant, { written: 'Raed', instead: 'Read' });
    const unmeant = await readOne('description: x\nname: other');
    assert.ok(!('meant' in (unmeant.problems[0] ?? {})));
  });

  it('may contain keys for other programs, which are noted', async () => {
    const { skill, problems } = await readOne('description: x\nargument-hint: y\nuser-invocable: true\ncontext: fork');
    assert.ok(skill);
    assert.deepEqual(problems.map(shown), [
      's/SKILL.md:5:1 note schema: “context” is for other programs and has no effect in Cairn.',
    ]);
  });

  it('is not used if a key is unknown, unless it was written for another program', async () => {
    const own = await readOne('description: x\nnonsense: 1');
    assert.deepEqual([own.skill, own.problems[0]?.severity], [undefined, 'error']);
    const other = await readOne('description: x\nnonsense: 1', 'claude');
    assert.deepEqual([other.skill?.name, other.problems[0]?.severity], ['s', 'note']);
  });

  it('may be long, but its description may not', async () => {
    const most = await readOne(`description: ${'x'.repeat(1024)}`);
    assert.deepEqual([most.problems, most.skill?.description.length], [[], 1024]);
    assert.match(await onlyProblem(`description: ${'x'.repeat(1025)}`), /not be longer than 1024 characters/);
    const foreign = await readOne(`description: ${'x'.repeat(1025)}`, 'claude');
    assert.deepEqual([foreign.skill?.description.length, foreign.problems[0]?.severity], [1025, 'note']);
  });

  it('may give its compatibility as a map, and its argument hint as a list', async () => {
    const { skill, problems } = await readOne(
      'description: x\ncompatibility: { node: 20 }\nargument-hint: [file] # one',
    );
    assert.deepEqual([skill?.hint, problems], ['[file]', []]);
  });

  it('is in a folder with a name of up to 64 letters, digits, dashes and underscores', async () => {
    const file = '---\ndescription: x\n---\nSay it.';
    const { items, problems } = await readRoot({
      [`${'a'.repeat(64)}/SKILL.md`]: file,
      [`${'b'.repeat(65)}/SKILL.md`]: file,
      'c.d/SKILL.md': file,
      'x-Y_1/SKILL.md': file,
      'x-Y_1/deeper/SKILL.md': file,
      'x-Y_1/README.md': file,
      'SKILL.md': file,
    });
    assert.deepEqual(
      items.map(({ name }) => name),
      ['a'.repeat(64), 'x-Y_1'],
    );
    assert.deepEqual(
      problems.map(({ message }) => /^“(.*)” is not a valid skill name|too deep|not used/.exec(message)?.slice(0, 2)),
      [
        ['too deep', undefined],
        ['not used', undefined],
        [`“${'b'.repeat(65)}” is not a valid skill name`, 'b'.repeat(65)],
        ['“c.d” is not a valid skill name', 'c.d'],
      ],
    );
  });

  it('is reported when unreadable, and the others are still read', async () => {
    const readFile: FileSystem['readFile'] = (file) =>
      file.includes('/locked/') ? Promise.reject(new EngineError('io', 'It is locked.')) : ports.files.readFile(file);
    const readDirectory: FileSystem['readDirectory'] = (at) =>
      at.endsWith('/shut') ? Promise.reject(new EngineError('io', 'It is shut.')) : ports.files.readDirectory(at);
    const { items, problems } = await readRoot(
      {
        'fine/SKILL.md': '---\ndescription: x\n---\nSay it.',
        'locked/SKILL.md': 'x',
        'open/SKILL.md': '---\ndescription: x\nSay it.',
        'picture/SKILL.md': new Uint8Array([0x89, 0x50, 0, 1, 2, 0xff]),
        'shut/SKILL.md': 'x',
      },
      { readFile, readDirectory },
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      ['fine'],
    );
    assert.deepEqual(problems.map(shown), [
      'shut:1:1 error io: It is shut.',
      'locked/SKILL.md:1:1 error io: It is locked.',
      'open/SKILL.md:1:1 error parse: The front matter is not closed. End it with a line of three dashes.',
      'picture/SKILL.md:1:1 error io: This is not a text file. Save it as UTF-8 text.',
    ]);
  });

  it('is reported when not even the parent of its folder can be read', async () => {
    const readDirectory = () => Promise.reject(new EngineError('io', 'It is shut.'));
    const { items, problems } = await readRoot({}, { readDirectory });
    assert.deepEqual([items, problems.map(shown)], [[], [`${folder.path}:1:1 error io: It is shut.`]]);
  });

  it('is reported if it contains invisible characters', async () => {
    const { items, problems } = await readRoot({ 's/SKILL.md': '---\ndescription: x\n---\nSay\u200b it.' });
    assert.equal(items.length, 1);
    assert.deepEqual(
      problems.map(({ line }) => line),
      [4],
    );
  });
});
