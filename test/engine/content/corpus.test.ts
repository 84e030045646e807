import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { agentDefaults, type AgentDefinition } from '../../../src/engine/agents/agentDefinition';
import { AgentLoader } from '../../../src/engine/agents/agentLoader';
import type { ContentBatch } from '../../../src/engine/content/contentCatalog';
import { type ContentWorld, problemLine } from '../../../src/engine/content/contentProblem';
import type { Skill } from '../../../src/engine/skills/skill';
import { SkillLoader } from '../../../src/engine/skills/skillLoader';
import { nodePorts } from '../../../src/node/nodePorts';

const CORPUS = path.resolve('test/fixtures/content');
const EXPECTED = path.join(CORPUS, 'expected.json');

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });

/** Returns the properties of an agent that differ from the defaults. */
function agentSummary(agent: AgentDefinition): Record<string, unknown> {
  const usual: Record<string, unknown> = agentDefaults();
  const said = Object.entries(agent).filter(([key, value]) => !isDeepStrictEqual(usual[key], value));
  return Object.fromEntries(said);
}

function skillSummary(skill: Skill): Record<string, unknown> {
  return { ...skill };
}

async function summary<T>(folder: string, reading: Promise<ContentBatch<T>>, of: (item: T) => Record<string, unknown>) {
  const { items, problems } = await reading;
  const here = path.join(CORPUS, folder);
  // Makes the expectation independent of the location of the corpus.
  const placed = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(`${here}/`, ''));
  return {
    items: items.map((item) => placed(of(item))),
    problems: problems.map((problem) => problemLine(problem).replace(`${here}/`, '')),
  };
}

/** Reads the whole corpus, folder by folder. */
async function readCorpus(): Promise<Record<string, unknown>> {
  const agents = new AgentLoader(ports);
  const skills = new SkillLoader(ports);
  const root = (folder: string, world: ContentWorld) =>
    ({ folder: path.join(CORPUS, folder), scope: 'user', world }) as const;
  const agentsOf = (world: ContentWorld) =>
    summary(`agents/${world}`, agents.readRoot(root(`agents/${world}`, world)), agentSummary);
  const skillsOf = (world: ContentWorld) =>
    summary(`skills/${world}`, skills.readRoot(root(`skills/${world}`, world)), skillSummary);
  return {
    'agents/cairn': await agentsOf('cairn'),
    'agents/opencode': await agentsOf('opencode'),
    'agents/claude': await agentsOf('claude'),
    'agents/copilot': await agentsOf('copilot'),
    'skills/cairn': await skillsOf('cairn'),
    'skills/shared': await skillsOf('shared'),
  };
}

describe('The corpus of agents and skills', () => {
  // CAIRN_UPDATE_EXPECTED=1 rewrites the expectation; review the diff before you commit it.
  it('is parsed as expected', async () => {
    const read = await readCorpus();
    if (process.env['CAIRN_UPDATE_EXPECTED']) await writeFile(EXPECTED, `${JSON.stringify(read, null, 2)}\n`);
    const expected: unknown = JSON.parse(await readFile(EXPECTED, 'utf8'));
    assert.deepEqual(JSON.parse(JSON.stringify(read)), expected);
  });
});
