import { fillTemplate } from '../../base/template';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { ContentCatalog } from '../content/contentCatalog';
import { type MachineFacts, specialVariables } from '../content/specialVariables';
import type { ScopedEmitter } from '../events/scopedEmitter';
import { type WorkMode, workModeRules } from '../permissions/modes';
import type { PermissionRule } from '../permissions/permissionRule';
import { deniedOutright } from '../permissions/toolPolicy';
import { scopeRules, type WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import type { OpenFolders } from '../prompt/openFolders';
import { type Facts, instructionFacts, OWN_INSTRUCTIONS, PERSON_INSTRUCTIONS, placeFacts } from '../prompt/placeFacts';
import { PromptAndTools, type PromptParts, type ToldSession } from '../prompt/promptAndTools';
import { peopleBlock, todoBlock } from '../prompt/promptBlocks';
import type { Instructions } from '../prompt/instructions';
import { readInstructions } from '../prompt/readInstructions';
import { SessionSkills, tellSkill } from '../prompt/sessionSkills';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionMetadata } from '../sessions/sessionEntry';
import type { Skill, SkillLevels } from '../skills/skill';
import { teamBlock, type TeamPlace } from '../team/teamPrompt';
import type { AnyTool } from '../tools/tool';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { WantedScripts } from '../tools/toolSource';
import type { RunPlan } from './runPlan';
import { asksFor, isListed, mayHave } from './wantedTools';

export interface EquipParts {
  skills: ContentCatalog<Skill>;
  /** The user's skill settings. */
  skillSettings: () => SkillLevels['global'];
  machine: MachineFacts;
  /** The user's home, for their own instructions. */
  homeFolder?: string | undefined;
  wantedScripts: () => WantedScripts;
  personInstructions: () => string | undefined;
  ports: Ports;
}

/** The parts of a session needed to equip an agent. */
export interface EquippedSession extends ToldSession, Pick<AgentSession, 'note'> {
  readonly metadata: Pick<SessionMetadata, 'workspace' | 'skills' | 'skillPolicy'>;
  readonly messages: AgentSession['messages'];
  /** What its model knows about files. Absent where no model is asked. */
  readonly seen?: AgentSession['seen'];
  configure(changes: Partial<Pick<SessionMetadata, 'skills'>>): Promise<void>;
}

export interface EquipWith {
  plan: RunPlan;
  variables: ReadonlyMap<string, string>;
  session: EquippedSession;
  /** Every tool that the user's rules do not deny. */
  tools: ToolRegistry;
  place: WorkspaceScope;
  /** The agent's mode. */
  workMode: WorkMode;
  /** Instructions from the agent's own script, which replace those in its file. */
  instructions?: string | undefined;
  /** No one can answer this agent's questions. */
  isUnanswered?: boolean;
  now: number;
  emitter: ScopedEmitter;
  team: TeamPlace;
}

/** Assembles everything an agent is given for a run. */
export async function equipAgent(parts: EquipParts, given: EquipWith): Promise<PromptAndTools> {
  const { ports, machine } = parts;
  const { plan, session, place, now, emitter } = given;
  const { agent, role, chosen } = plan;
  const { workspace } = session.metadata;
  const may = mayHave(agent, given.team);
  const available = given.tools.without((tool) => !may(tool));
  const levels = () => ({ agent: agent.skills, role: role?.skills ?? {}, global: parts.skillSettings() });
  const values = (tools: ToolRegistry, at = now) => {
    const special = specialVariables({ ...machine, workspace, now: at, tools: tools.offered });
    return { get: (name: string) => given.variables.get(name) ?? special.get(name) };
  };
  const fill = (text: string) => fillTemplate(text, values(available, session.told?.time));
  const skills = new SessionSkills({ session, catalog: parts.skills, levels, available, fill, emitter, ports });
  await loadFirst(agent, skills, { session, emitter });
  const heard: Heard = { instructions: [] };
  const promptAndTools = new PromptAndTools({
    agent: agent.name,
    session,
    clock: ports.clock,
    agentPrompt: given.instructions === undefined ? agent.prompt : '',
    role: role && { name: role.name, prompt: role.prompt, replaces: !chosen },
    available,
    offers: (tool) => offersTool(plan, tool, parts.wantedScripts()),
    isHidden: (tool) =>
      deniedOutright(tool, [[...scopeRules(place), ...workModeRules(given.workMode)]]) ||
      (given.isUnanswered === true && tool.traits?.kind === 'people') ||
      (isUnlisted(tool) && !asksFor(plan, parts.wantedScripts())(tool.name)),
    named: await namesFor(agent),
    values,
    strike: ports.strike,
    blocks: [
      ...(plan.autoContinue.on && plan.autoContinue.injects ? [todoBlock] : []),
      teamBlock(agent, given.team),
      peopleBlock,
    ],
    place: () => factsOf(parts, given, heard),
    nearby: nearbyFacts(parts, given, heard),
    skills,
  });
  await promptAndTools.refresh();
  return promptAndTools;
}

/** The instructions that apply to the whole workspace, as read last. */
interface Heard {
  instructions: readonly Instructions[];
}

/** Returns facts about the agent's place, with the instructions from its own script, if any. */
async function factsOf(parts: EquipParts, given: EquipWith, heard: Heard): Promise<Facts> {
  const { ports, machine } = parts;
  const { place, instructions: own } = given;
  const { workspace } = given.session.metadata;
  const instructions = await heardFrom(place, workspace, { ...parts, ...given });
  heard.instructions = instructions;
  const at = {
    workspace,
    ...place,
    workMode: given.workMode,
    platform: machine.platform,
    now: ports.clock.now(),
    instructions,
  };
  const facts = placeFacts({ ...at, shell: machine.commandShell?.() }, ports.paths);
  const said = parts.personInstructions();
  const all =
    said === undefined ? facts : { ...facts, [PERSON_INSTRUCTIONS]: `# From the user, for every agent\n${said}` };
  return own === undefined ? all : { [OWN_INSTRUCTIONS]: own, ...all };
}

/** Returns the instructions that apply to the files seen so far. Loaded on the first request in a workspace that is heard. */
function nearbyFacts(
  { ports, homeFolder }: EquipParts,
  { place: { trusted, isHeard = trusted, folders }, session, emitter }: EquipWith,
  heard: Heard,
): () => Promise<Facts> {
  let reader: OpenFolders | undefined;
  return async () => {
    if (!isHeard || !session.seen) return {};
    const { OpenFolders: Reader } = await import('../prompt/openFolders');
    reader ??= new Reader([session.metadata.workspace, ...folders], ports, homeFolder);
    const { instructions, problems } = await reader.of(session.seen.paths, heard.instructions);
    for (const text of problems) emitter.emit({ type: 'notice', level: 'warning', text });
    return instructionFacts(instructions);
  };
}

/** Whether a tool is unlisted. Under an OpenCode name it never is, since that set has only a few tools. */
function isUnlisted({ traits, ownName }: AnyTool): boolean {
  return traits?.isUnlisted === true && ownName === undefined;
}

/** Whether the agent is offered a tool. Server tools were already limited to those that agent and role want. */
function offersTool(plan: RunPlan, tool: AnyTool, wanted: WantedScripts): boolean {
  const { agent, role, onlyTools } = plan;
  if (!isListed(onlyTools, tool)) return false;
  const { kind, isOwn = false, isOnRequest = false } = tool.traits ?? {};
  if (isOnRequest && !asksFor(plan, wanted)(tool.name)) return false;
  if (isOwn) return agent.ownTools?.includes(tool.name) ?? true;
  return kind === 'mcp' || (isListed(agent.tools, tool) && isListed(role?.tools ?? null, tool));
}

/** The OpenCode names are loaded with the first agent that uses them. */
async function namesFor({ toolNames }: AgentDefinition): Promise<PromptParts['named']> {
  if (toolNames !== 'opencode') return (tools) => tools;
  return (await import('../tools/openCode/openCodeTools')).openCodeTools;
}

/** Returns the workspace's instructions if the user lets it be heard. What could not be read is reported. */
async function heardFrom(
  { trusted, isHeard = trusted, folders }: WorkspaceScope,
  workspace: string,
  { ports, emitter }: EquipParts & EquipWith,
): Promise<readonly Instructions[]> {
  if (!isHeard) return [];
  const { instructions, problems } = await readInstructions([workspace, ...folders], ports);
  for (const text of problems) emitter.emit({ type: 'notice', level: 'warning', text });
  return instructions;
}

/** Returns an agent's rules. A repository must not allow its own agents anything, so its `allow` rules only defer. */
export function rulesOf({ rules, source }: AgentDefinition): readonly PermissionRule[] {
  if (source.scope !== 'workspace') return rules;
  return rules.map((rule) => (rule.action === 'allow' ? { ...rule, defers: true } : rule));
}

/**
 * Loads the agent's own skills before its first answer; what is unloaded later stays unloaded. Those that may not be loaded here
 * are reported.
 */
async function loadFirst(
  { name, preloadedSkills }: AgentDefinition,
  shelf: SessionSkills,
  { session, emitter }: Pick<EquipWith, 'session' | 'emitter'>,
): Promise<void> {
  const hasSpoken = session.messages.some((message) => message.role === 'assistant' && message.agent === name);
  const { skills } = session.metadata;
  const wanted = preloadedSkills.filter((skill) => !skills.includes(skill));
  if (hasSpoken || wanted.length === 0) return;
  const may = await shelf.loadable();
  for (const skill of wanted.filter((one) => !may.includes(one))) {
    const text = `The agent ${name} asks for the skill “${skill}”, which does not exist or is not enabled; it works without it.`;
    emitter.emit({ type: 'notice', level: 'warning', text });
  }
  const fresh = wanted.filter((skill) => may.includes(skill));
  if (fresh.length === 0) return;
  await session.configure({ skills: [...skills, ...fresh] });
  for (const skill of fresh) await tellSkill({ type: 'skill-loaded', skill }, { session, emitter });
}
