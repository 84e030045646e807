import type { ContentCatalog } from '../content/contentCatalog';
import { type MachineFacts, specialVariables } from '../content/specialVariables';
import { fillTemplate } from '../../base/template';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { PermissionRule } from '../permissions/permissionRule';
import { deniedOutright } from '../permissions/toolPolicy';
import { type WorkMode, workModeRules } from '../permissions/workMode';
import { scopeRules, type WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import { PromptAndTools, type PromptParts, type ToldSession } from '../prompt/promptAndTools';
import type { NearbyInstructions } from '../prompt/nearbyInstructions';
import { type Facts, instructionFacts, OWN_INSTRUCTIONS, PERSON_INSTRUCTIONS, placeFacts } from '../prompt/placeFacts';
import { peopleBlock, todoBlock } from '../prompt/promptBlocks';
import { SessionSkills, tellSkill } from '../prompt/sessionSkills';
import { type Instructions, readInstructions } from '../prompt/readInstructions';
import type { AgentSession } from '../sessions/agentSession';
import type { SessionMetadata } from '../sessions/sessionEntry';
import type { SkillLevels } from '../skills/resolveSkills';
import type { Skill } from '../skills/skill';
import type { AnyTool } from '../tools/tool';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { WantedScripts } from '../tools/toolSource';
import type { AgentDefinition } from '../agents/agentDefinition';
import { asksFor, withMembers } from './builder/wantedTools';
import { isListed, mayHave } from './builder/defaultTools';
import type { RunPlan } from './runPlan';
import { teamBlock, type TeamPlace } from '../team/teamPrompt';

export interface EquipParts {
  skills: ContentCatalog<Skill>;
  /** What the person set about skills. */
  skillSettings: () => SkillLevels['global'];
  machine: MachineFacts;
  wantedScripts: () => WantedScripts;
  personInstructions: () => string | undefined;
  ports: Ports;
}

/** What of a session counts for that. */
export interface EquippedSession extends ToldSession, Pick<AgentSession, 'note'> {
  readonly metadata: Pick<SessionMetadata, 'workspace' | 'skills' | 'skillPolicy'>;
  readonly messages: AgentSession['messages'];
  /** What its model knows of files; absent where nothing is asked of a model. */
  readonly seen?: AgentSession['seen'];
  configure(changes: Partial<Pick<SessionMetadata, 'skills'>>): Promise<void>;
}

export interface EquipWith {
  plan: RunPlan;
  variables: ReadonlyMap<string, string>;
  session: EquippedSession;
  /** Every tool that the person's rules do not deny. */
  tools: ToolRegistry;
  place: WorkspaceScope;
  /** What it may do at all. */
  workMode: WorkMode;
  /** What the agent's own script says that it is, instead of its file. */
  instructions?: string | undefined;
  /** Nobody can answer a question of this agent. */
  isUnanswered?: boolean;
  now: number;
  emitter: ScopedEmitter;
  team: TeamPlace;
}

/** Everything that an agent is given for a run. */
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
    place: () => factsOf(parts, given),
    nearby: nearbyFacts(parts, given),
    skills,
  });
  await promptAndTools.refresh();
  return promptAndTools;
}

/** Where the agent is, with what its own script says that it is. */
async function factsOf(parts: EquipParts, given: EquipWith): Promise<Facts> {
  const { ports, machine } = parts;
  const { place, instructions: own } = given;
  const { workspace } = given.session.metadata;
  const instructions = await heardFrom(place, workspace, { ...parts, ...given });
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
    said === undefined ? facts : { ...facts, [PERSON_INSTRUCTIONS]: `# From the person, for every agent\n${said}` };
  return own === undefined ? all : { [OWN_INSTRUCTIONS]: own, ...all };
}

/** What counts for the files that were seen so far; loaded with the first request of somebody who is heard. */
function nearbyFacts(
  { ports }: EquipParts,
  { place: { trusted, isHeard = trusted }, session, emitter }: EquipWith,
): () => Promise<Facts> {
  let reader: NearbyInstructions | undefined;
  return async () => {
    if (!isHeard || !session.seen) return {};
    const { NearbyInstructions: Reader } = await import('../prompt/nearbyInstructions');
    reader ??= new Reader(session.metadata.workspace, ports);
    const { instructions, problems } = await reader.of(session.seen.paths);
    for (const text of problems) emitter.emit({ type: 'notice', level: 'warning', text });
    return instructionFacts(instructions);
  };
}

/** Under the name of another world it is one of the few that there are. */
function isUnlisted({ traits, ownName }: AnyTool): boolean {
  return traits?.isUnlisted === true && ownName === undefined;
}

/** Of servers only what agent and role want is there at all. */
function offersTool(plan: RunPlan, tool: AnyTool, wanted: WantedScripts): boolean {
  const { agent, role, onlyTools } = plan;
  if (!isListed(onlyTools, tool)) return false;
  const { kind, isOwn = false, isOnRequest = false } = tool.traits ?? {};
  if (isOnRequest && !asksFor(plan, wanted)(tool.name)) return false;
  if (isOwn) return agent.ownTools?.includes(tool.name) ?? true;
  const isWanted = (list: readonly string[] | null) => isListed(withMembers(list, wanted), tool);
  return kind === 'mcp' || (isWanted(agent.tools) && isWanted(role?.tools ?? null));
}

/** The names of another world are loaded with the first agent of it. */
async function namesFor({ toolNames }: AgentDefinition): Promise<PromptParts['named']> {
  if (toolNames !== 'opencode') return (tools) => tools;
  return (await import('../tools/openCode/openCodeTools')).openCodeTools;
}

/** What the workspace says to agents, if the person lets it; what could not be read is told to them. */
async function heardFrom(
  { trusted, isHeard = trusted }: WorkspaceScope,
  workspace: string,
  { ports, emitter }: EquipParts & EquipWith,
): Promise<readonly Instructions[]> {
  if (!isHeard) return [];
  const { instructions, problems } = await readInstructions(workspace, ports);
  for (const text of problems) emitter.emit({ type: 'notice', level: 'warning', text });
  return instructions;
}

/** A repository may not allow its own agents anything: there their rules only say what is offered, asked or denied. */
export function rulesOf({ rules, source }: AgentDefinition): readonly PermissionRule[] {
  if (source.scope !== 'workspace') return rules;
  return rules.map((rule) => (rule.action === 'allow' ? { ...rule, defers: true } : rule));
}

/**
 * The agent's own skills are loaded before it says its first word; what is unloaded later stays so. Those that may not be
 * loaded here are told of.
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
