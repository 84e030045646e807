import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../src/base/disposable';
import * as z from '../../../src/base/zod';
import type { AgentEvent, FileSystem } from '../../../src/engine';
import { ContentCatalog } from '../../../src/engine/content/contentCatalog';
import { ScopedEmitter } from '../../../src/engine/events/scopedEmitter';
import { SessionSkills } from '../../../src/engine/prompt/sessionSkills';
import { AgentSession } from '../../../src/engine/sessions/agentSession';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import type { Skill, SkillLevels } from '../../../src/engine/skills/skill';
import { SkillLoader } from '../../../src/engine/skills/skillLoader';
import { defineTool } from '../../../src/engine/tools/tool';
import { ToolFailure } from '../../../src/engine/tools/toolOutput';
import { ToolRegistry } from '../../../src/engine/tools/toolRegistry';
import { nodePorts } from '../../../src/node/nodePorts';
import { type TemporaryFolder, temporaryFolder } from '../../node/temporaryFolder';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log });
const NOBODY = { agent: {}, role: {}, global: {} };

const tool = (name: string) =>
  defineTool({
    ...{ name, description: name, category: 'read', input: z.object({}) },
    title: () => name,
    permission: () => ({ tool: name, category: 'read' as const }),
    run: () => Promise.resolve({ text: name }),
  });

const skillFile = (body: string, fields = '') => `---\ndescription: About it\n${fields}---\n${body}`;
const FILES = {
  '.cairn/skills/tides/SKILL.md': skillFile('The tide table.', 'enabled_tools: fs_ls\n'),
  '.cairn/skills/tides/moon.md': 'The moon.',
  '.cairn/skills/quiet/SKILL.md': skillFile('Say little.', 'auto_unload: true\n'),
  '.cairn/skills/served/SKILL.md': skillFile('Ask the server.', 'enabled_mcp_servers: [wiki, maps]\n'),
};

function failsAs(kind: ToolFailure['kind'], message: RegExp) {
  return (error: unknown) => error instanceof ToolFailure && error.kind === kind && message.test(error.message);
}

describe('The skills of a session', () => {
  let folder: TemporaryFolder;
  let session: AgentSession;
  let catalog: ContentCatalog<Skill>;
  let levels: Omit<SkillLevels, 'session'>;
  let events: AgentEvent[];

  const skillsOf = (names: readonly string[] = [], files: FileSystem = ports.files) => {
    const out = new Emitter<AgentEvent>((error) => assert.fail(String(error)));
    out.on((event) => events.push(event));
    const emitter = new ScopedEmitter(out, { runId: 'r', sessionId: session.id, agentPath: [] }, ports.clock);
    const available = new ToolRegistry(['fs_ls', 'fs_read', ...names].map(tool));
    return new SessionSkills({
      ...{ session, catalog, available, emitter, ports: { ...ports, files } },
      levels: () => levels,
      fill: (text) => text,
    });
  };
  const builtin = (name: string, body: string, tools: readonly string[] = []): Skill => ({
    ...{ name, body, tools, description: name, folder: null, servers: [], autoUnload: false, forModel: true },
    source: { scope: 'builtin', world: 'cairn', path: '<memory>' },
  });
  const namesOf = (skills: readonly { name: string }[]) => skills.map(({ name }) => name);
  const notices = () => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const told = () => events.flatMap((event) => ('skill' in event ? [`${event.type} ${event.skill}`] : []));

  beforeEach(async () => {
    folder = await temporaryFolder();
    await folder.write(FILES);
    const store = new FileSessionStore(join(folder.path, 'sessions'), ports);
    const fresh = { workspace: folder.path, model: null, approvalMode: 'nothing', name: null } as const;
    const { id } = await store.create(fresh);
    session = new AgentSession(await store.open(id), store, ports.clock);
    const loader = new SkillLoader(ports);
    catalog = new ContentCatalog({
      ...{ files: ports.files, log },
      roots: () => [{ folder: join(folder.path, '.cairn/skills'), scope: 'workspace', world: 'cairn' }],
      read: (root) => loader.readRoot(root),
    });
    [levels, events] = [NOBODY, []];
  });
  afterEach(async () => {
    catalog.dispose();
    await folder.remove();
  });

  it('cannot be loaded twice, without their servers, or when off or missing, and each reports why', async () => {
    const skills = skillsOf();
    await skills.load('tides');
    await assert.rejects(skills.load('tides'), failsAs('failed', /^The skill tides is already loaded/));
    const served = /^The skill served needs MCP servers \(wiki, maps\), which are not available\.$/;
    await assert.rejects(skills.load('served'), failsAs('failed', served));
    await assert.rejects(
      skills.load('tide'),
      failsAs('bad-arguments', /^There is no skill “tide”\. Did you mean tides\? Enabled are: quiet, tides\.$/),
    );
    levels = { ...NOBODY, role: { on: false } };
    await assert.rejects(
      skills.load('quiet'),
      failsAs('failed', /^The skill quiet is not enabled here\. No skill is enabled\.$/),
    );
  });

  it('report what is loaded when another is to be unloaded, or that none is', async () => {
    const skills = skillsOf();
    await assert.rejects(
      skills.unload('quiet'),
      failsAs('bad-arguments', /^The skill quiet is not loaded\. None is\.$/),
    );
    await skills.load('tides');
    await assert.rejects(skills.unload('quiet'), failsAs('bad-arguments', /not loaded\. Loaded are: tides\.$/));
  });

  it('are loaded and unloaded when reported, which is saved with the session and emitted once', async () => {
    const skills = skillsOf();
    const loaded = await skills.load('tides');
    assert.deepEqual(session.metadata.skills, ['tides']);
    assert.deepEqual([loaded.body, loaded.tools, loaded.files], ['The tide table.', ['fs_ls'], ['moon.md']]);
    assert.deepEqual([...skills.takeChangedByCall()], ['tides']);
    assert.deepEqual([...skills.takeChangedByCall()], [], 'what was asked for once');
    await skills.load('quiet');
    await skills.unload('tides');
    assert.deepEqual(session.metadata.skills, ['quiet'], 'the other stays');
    assert.deepEqual([...skills.takeChangedByCall()], ['quiet', 'tides']);
    const kept = ['skill-loaded tides', 'skill-loaded quiet', 'skill-unloaded tides'];
    assert.deepEqual(told(), kept);
    assert.deepEqual(
      session.history.flatMap((entry) => ('skill' in entry ? [`${entry.type} ${entry.skill}`] : [])),
      kept,
    );
  });

  it('with auto-unload are unloaded when the turn that used them is reported as ended', async () => {
    const skills = skillsOf();
    await skills.load('tides');
    await skills.load('quiet');
    await skills.endTurn();
    assert.deepEqual(session.metadata.skills, ['tides', 'quiet'], 'it was not used yet');
    skills.used(await skills.active());
    await skills.endTurn();
    assert.deepEqual(session.metadata.skills, ['tides']);
    assert.deepEqual(told().slice(2), ['skill-unloaded quiet']);
    const before = session.metadata;
    await skills.endTurn();
    assert.equal(session.metadata, before, 'nothing is written where nothing is unloaded');
  });

  it('keep the text they had when loaded, until they are loaded again', async () => {
    const skills = skillsOf();
    const bodies = async () => (await skills.active()).map(({ body }) => body);
    const rewrite = async (body: string) => {
      await folder.write({ '.cairn/skills/tides/SKILL.md': skillFile(body) });
      catalog.reload();
    };
    await session.configure({ skills: ['tides', 'nowhere'] });
    assert.deepEqual(await bodies(), ['The tide table.'], 'as a user loaded it');
    await rewrite('Another table.');
    assert.deepEqual(await bodies(), ['The tide table.']);
    await skills.unload('tides');
    await session.configure({ skills: ['tides'] });
    assert.deepEqual(await bodies(), ['Another table.']);
    await session.configure({ skills: [] });
    assert.deepEqual(await bodies(), []);
    await rewrite('A third table.');
    await session.configure({ skills: ['tides'] });
    assert.deepEqual(await bodies(), ['A third table.']);
    await skills.load('quiet');
    await folder.write({ '.cairn/skills/quiet/SKILL.md': skillFile('Shout.') });
    catalog.reload();
    assert.deepEqual(await bodies(), ['A third table.', 'Say little.'], 'as the model loaded it');
  });

  it('that cannot be enabled are each reported once', async () => {
    levels = { ...NOBODY, agent: { names: ['tides', 'gone'] } };
    const skills = skillsOf();
    assert.deepEqual(await skills.loadable(), ['tides']);
    await skills.offered();
    assert.equal(notices().length, 1);
    levels = { ...NOBODY, agent: { names: ['tides', 'gone', 'lost'] } };
    await skills.offered();
    assert.deepEqual(
      notices().map((text) => /“(\w+)”/.exec(text)?.[1]),
      ['gone', 'lost'],
    );
  });

  it('that are built in are offered where their tools are, and add tools where they are listed', async () => {
    catalog.insert(builtin('both', 'Use `fs__list` and then `fs__look`.'));
    catalog.insert(builtin('one', 'Use `fs__list`.', ['fs_*']));
    const offered = async (names: readonly string[]) => namesOf((await skillsOf(names).offered()).skills);
    assert.deepEqual(await offered(['fs__list']), ['one', 'quiet', 'tides']);
    assert.deepEqual(await offered(['fs__list', 'fs__look']), ['both', 'one', 'quiet', 'tides']);
    const skills = skillsOf(['fs__list']);
    const toolsOfOne = async () => (await skills.list()).find(({ name }) => name === 'one')?.tools;
    assert.deepEqual(await toolsOfOne(), []);
    levels = { ...NOBODY, agent: { names: ['one'] } };
    assert.deepEqual(await toolsOfOne(), ['fs_ls', 'fs_read', 'fs__list']);
    levels = NOBODY;
    assert.deepEqual(await toolsOfOne(), []);
    const { folder: none, files } = await skills.load('one');
    assert.deepEqual([none, files, await skills.ownFolders()], [null, [], []]);
  });

  it('can be read in their folders, but not if a folder is replaced with a link', async () => {
    const skills = skillsOf();
    await skills.load('tides');
    assert.deepEqual(await skills.ownFolders(), [join(folder.path, '.cairn/skills/tides')]);
    await folder.write({ 'elsewhere/SKILL.md': skillFile('Elsewhere.') });
    await rm(join(folder.path, '.cairn/skills/tides'), { recursive: true });
    await symlink('../../elsewhere', join(folder.path, '.cairn/skills/tides'));
    assert.deepEqual(await skills.ownFolders(), []);
  });

  it('are reported only after that is saved, even on a slow disk', async () => {
    const slow = new FileSessionStore(join(folder.path, 'sessions'), {
      ...ports,
      files: {
        ...ports.files,
        appendLine: async (file, line) => {
          for (let turns = 0; turns < 5; turns++) await setImmediate();
          await ports.files.appendLine(file, line);
        },
      },
    });
    session = new AgentSession(await slow.open(session.id), slow, ports.clock);
    const skills = skillsOf();
    const kept = () => session.history.length;
    await skills.load('tides');
    assert.deepEqual([kept(), told().length], [1, 1]);
    await skills.unload('tides');
    assert.deepEqual([kept(), told().length], [2, 2]);
    await skills.load('quiet');
    skills.used(await skills.active());
    await skills.endTurn();
    assert.deepEqual([kept(), told().length], [4, 4]);
  });
});
