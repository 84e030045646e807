import assert from 'node:assert/strict';
import { matchesWildcard } from '../../../src/base/matching';
import { placeholders } from '../../../src/base/template';
import type { AgentDefinition } from '../../../src/engine/agents/agentDefinition';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import { OWN_TOOLS } from '../../../src/engine/content/toolNames';
import { defaultRuleset } from '../../../src/engine/permissions/modes';
import { toolPolicy } from '../../../src/engine/permissions/toolPolicy';
import type { Skill } from '../../../src/engine/skills/skill';
import { SkillLoader } from '../../../src/engine/skills/skillLoader';
import { nodePorts } from '../../../src/node/nodePorts';
import { ASSETS_FOLDER } from '../../support/assetsFolder';
import { withWorld } from '../../support/engineWorld';
import { command } from '../permissions/queries';

const CREW = [
  ...['careful-coder', 'code-reviewer', 'coder', 'deep-research', 'demo', 'explore', 'file-reviewer', 'librarian'],
  ...['oracle', 'report-writer', 'sisyphus', 'sql'],
];
const SKILLS = [
  ...['ai-slop-remover', 'code-review', 'delegation-protocol', 'frontend-ui-ux'],
  ...['git-master', 'oracle-protocol', 'parallel-research', 'verification-gates'],
];
/** Last lines of graph agents, which `crewGraphs.test.ts` checks. */
const GRAPH_SENTINELS = [
  ...['LIBRARIAN_COMPLETE', 'LIBRARIAN_FAILED'],
  ...['RESEARCH_COMPLETE', 'RESEARCH_FAILED', 'RESEARCH_REJECTED'],
];
/** Sentinel → the agent that ends with it. */
const SENTINELS: Readonly<Record<string, string>> = {
  EXPLORE_COMPLETE: 'explore',
  ORACLE_COMPLETE: 'oracle',
  REVIEW_COMPLETE: 'file-reviewer',
  CODER_COMPLETE: 'coder',
  CODER_REJECTED: 'coder',
  CODER_FAILED: 'coder',
};
/** Tool parameters that prompts mention. */
const PARAMETERS = ['session_id'];
const SPECIAL = ['__os__', '__os_distro__', '__os_family__', '__arch__', '__shell__', '__locale__', '__now__'];

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
const root = (folder: string) => ({ folder: `${ASSETS_FOLDER}/${folder}`, scope: 'builtin', world: 'cairn' }) as const;

/** Matches phrases that say from how many steps on something applies. */
const FROM_STEPS =
  /\b(?:\w+ or more (?:steps|to-dos)|\w+ (?:steps|to-dos) or more|(?:more than|at least) \w+ (?:steps?|to-dos?))\b/gi;

/** Returns the texts between backticks that look like names. */
function quotedNames(text: string): string[] {
  return [...text.matchAll(/`([A-Za-z][\w-]*)`/g)].flatMap(([, name]) => name ?? []);
}

const isToolName = (name: string) => /^(?:fs_|agent__|todo__|user__|skill__|command__)\w+$/.test(name);

describe('The built-in crew', () => {
  let agents: Map<string, AgentDefinition>;
  let skills: Map<string, Skill>;
  let texts: { name: string; text: string; has: (tool: string) => boolean }[];

  before(async () => {
    const readAgents = await new AgentLoader(ports).readRoot(root('agents'));
    const readSkills = await new SkillLoader(ports).readRoot(root('skills'));
    assert.deepEqual([...readAgents.problems, ...readSkills.problems], []);
    agents = new Map(readAgents.items.map((agent) => [agent.name, agent]));
    skills = new Map(readSkills.items.map((skill) => [skill.name, skill]));
    texts = [
      ...readAgents.items.map(({ name, prompt, tools }) => ({
        ...{ name, text: prompt },
        has: (tool: string) => tools === null || tools.some((pattern) => matchesWildcard(pattern, tool)),
      })),
      ...readSkills.items.map(({ name, body }) => ({ name, text: body, has: () => true })),
    ];
  });

  it('is complete, with a one-sentence description of each member', () => {
    for (const name of CREW) assert.ok(agents.has(name), `the agent ${name} is missing`);
    assert.deepEqual([...skills.keys()].sort(), SKILLS);
    for (const { name, description } of [...agents.values(), ...skills.values()]) {
      assert.ok(description.length >= 30 && description.length <= 160, `${name}: ${description.length} characters`);
    }
  });

  it('names only tools that exist and that it is given', () => {
    for (const { name, text, has } of texts) {
      const named = [
        ...text.matchAll(/\b(?:fs_|agent__|todo__|user__|skill__|command__)\w+|\b(?:execute_command|fetch_url)\b/g),
      ];
      for (const [tool] of named) {
        assert.ok(OWN_TOOLS.includes(tool) || tool.endsWith('__'), `${name} names ${tool}, which does not exist`);
        assert.ok(has(tool) || tool.endsWith('__'), `${name} names ${tool}, which it is not given`);
      }
    }
    for (const { name, tools } of agents.values())
      for (const pattern of tools ?? [])
        assert.ok(
          OWN_TOOLS.some((tool) => matchesWildcard(pattern, tool)),
          `${name} is given ${pattern}, which does not exist`,
        );
  });

  it('names only agents and skills that exist and that it may use', () => {
    const knows = new Set([...OWN_TOOLS, ...PARAMETERS, ...Object.keys(SENTINELS), ...GRAPH_SENTINELS]);
    for (const { name, text } of texts) {
      const agent = agents.get(name);
      for (const quoted of quotedNames(text)) {
        if (knows.has(quoted) || isToolName(quoted)) continue;
        if (SKILLS.includes(quoted)) {
          const may = agent?.skills.names;
          assert.ok(!agent || may?.includes(quoted), `${name} names the skill ${quoted}, which it may not load`);
        } else if (agents.has(quoted)) {
          const may = agent?.spawning;
          assert.ok(
            !may || (may.on && may.agents?.includes(quoted)),
            `${name} names ${quoted}, which it may not start`,
          );
        } else {
          // Commands and front-matter values; they must not look like the name of one of Cairn's agents or skills.
          assert.ok(
            !/^[a-z]+-(?:reviewer|writer|master|protocol|research|gates|remover)$/.test(quoted),
            `${name}: ${quoted}`,
          );
        }
      }
      for (const target of agent?.spawning.agents ?? []) assert.ok(agents.has(target), `${name} may start ${target}`);
      for (const skill of agent?.skills.names ?? []) assert.ok(skills.has(skill), `${name} may load ${skill}`);
    }
  });

  it('has no skill that names an agent its reader may not start', () => {
    const named = (skill: string) => quotedNames(skills.get(skill)?.body ?? '').filter((quoted) => agents.has(quoted));
    for (const { name, skills: may, preloadedSkills, spawning } of agents.values())
      for (const skill of new Set([...(may.names ?? []), ...preloadedSkills]))
        for (const agent of named(skill))
          assert.ok(spawning.on && spawning.agents?.includes(agent), `${name} may load ${skill}, which names ${agent}`);
    assert.ok(SKILLS.some((skill) => named(skill).length > 0));
  });

  it('says consistently to keep a to-do list from three steps on, and to write it all at once', async () => {
    const own = [...agents.values()].filter(({ graph, loop }) => !graph && !loop).map(({ name }) => name);
    const files = { '.opencode/agents/dev.md': '---\nmode: primary\n---\nYou are dev.' };
    const story = [...own, 'dev'].map(() => ({ say: '.' }));
    await withWorld({ files, settings: { autoContinue: true }, story }, async (world) => {
      for (const agent of [...own, 'dev']) await world.play('go', { agent });
      const told = world.server.requests.map(({ body }) => JSON.stringify(body));
      const all = [...told, ...texts.map(({ text }) => text)];
      const counts = all.flatMap((text) => text.match(FROM_STEPS) ?? []);
      assert.deepEqual([...new Set(counts)], ['three or more steps']);
      // The only occurrence is the definition of the tool itself.
      for (const text of told) assert.ok(text.split('todo__add').length <= 2, text);
      for (const { name, text } of texts) assert.ok(!text.includes('todo__add'), name);
    });
  });

  it('waits for no sentinel line that no agent writes', () => {
    for (const { name, text } of texts)
      for (const [sentinel] of text.matchAll(/\b[A-Z]{3,}_[A-Z]{3,}\b/g))
        assert.ok(
          Object.hasOwn(SENTINELS, sentinel) || GRAPH_SENTINELS.includes(sentinel),
          `${name} names ${sentinel}`,
        );
    for (const [sentinel, owner] of Object.entries(SENTINELS)) {
      const said = agents.get(owner)?.prompt ?? '';
      assert.match(said.slice(-400), new RegExp(`\`${sentinel}\``), `${owner} does not end with ${sentinel}`);
    }
  });

  it('fills every placeholder', () => {
    for (const { name, prompt, variables, starters } of agents.values()) {
      const known = new Set([...SPECIAL, '__cwd__', '__tools__', ...variables.map((variable) => variable.name)]);
      for (const text of [prompt, ...starters])
        for (const placeholder of placeholders(text)) assert.ok(known.has(placeholder), `${name}: {{${placeholder}}}`);
    }
  });

  it('has short prompts', () => {
    for (const { name, prompt } of agents.values())
      assert.ok(prompt.length <= (name === 'sisyphus' ? 6500 : 3200), `${name}: ${prompt.length} characters`);
    for (const { name, body } of skills.values()) assert.ok(body.length <= 2200, `${name}: ${body.length} characters`);
  });

  it('has only read tools where it claims to change nothing', () => {
    const writing = ['fs_edit', 'fs_patch', 'fs_write', 'fs_mkdir', 'fs_rm', 'execute_command'];
    for (const name of ['explore', 'oracle', 'report-writer', 'demo']) {
      const { tools } = agents.get(name) ?? {};
      assert.ok(tools && !writing.some((tool) => tools.includes(tool)), name);
    }
  });

  it('lets the file reviewer see its diff, and run nothing else', () => {
    const { tools, rules = [] } = agents.get('file-reviewer') ?? {};
    assert.deepEqual(
      tools?.filter((tool) => !/^(?:fs_(?:read|ls|glob|grep)|skill__\*|agent__\w+)$/.test(tool)),
      ['execute_command'],
    );
    const said = (line: string) =>
      toolPolicy.decide(command(line), { agent: rules, global: defaultRuleset('edits-and-commands') }).action;
    for (const line of ['git diff main...HEAD -- src/a.ts', 'git show HEAD -- src/a.ts'])
      assert.equal(said(line), 'allow', line);
    for (const line of ['git push', 'npm test', 'git diff; rm -rf src', 'git diff > a.txt', 'git diff --output=a.txt'])
      assert.notEqual(said(line), 'allow', line);
  });

  it('includes the rules that sisyphus must follow', () => {
    const prompt = agents.get('sisyphus')?.prompt ?? '';
    for (const rule of [
      /`Intent:/,
      /pasted/,
      /evidence/,
      /`code-reviewer`/,
      /Three strikes/,
      /Never through the shell/,
      /Never commit/,
    ])
      assert.match(prompt, rule);
  });
});
