import { nearest } from '../../../base/matching';
import { newId } from '../../../base/newId';
import { agentDefaults, type AgentDefinition } from '../../agents/agentDefinition';
import { COYOTE_TOOLS, mapToolNames } from '../../content/toolNames';
import type { QuestionAnswer } from '../../events/agentEvent';
import type {
  AgentGraph,
  AgentWork,
  CommandEnd,
  CommandWork,
  GraphDesk,
  LlmWork,
  ScriptWork,
  TextQuestion,
  WorkReport,
  WorkSession,
} from '../../graphs/desk';
import { budgetLimits, type GraphBudget, loadsSkills } from '../../graphs/graph';
import type { OneQuestion } from '../../llm/askOnce';
import { costOf } from '../../llm/model';
import { tokensOf, type Usage } from '../../messages/message';
import type { ToolCall, ToolResult } from '../../messages/toolCall';
import { askSideRequest } from '../../run/askSideRequest';
import { LoopEnd } from '../../run/loop/agentLoop';
import { RepeatGuard } from '../../run/repeatGuard';
import type { Calling, Equipment, RunContext } from '../../run/runContext';
import type { RunRequest } from '../../run/runRequest';
import { settleCall } from '../../run/runToolCalls';
import { lowerLimits } from '../../run/stopConditions';
import { tellWaits } from '../../run/tellWaits';
import { askOutsideCalls } from '../../team/askOutsideCalls';
import type { WorkRequest } from '../../team/child';
import type { TeamMember } from '../../team/teamMember';
import type { ChildReport } from '../../tools/team/teamDesk';
import type { AnyTool } from '../../tools/tool';
import { ToolFailure } from '../../tools/toolOutput';
import { ToolRegistry } from '../../tools/toolRegistry';
import type { AgentRuntimeParts } from '../agentRuntimeParts';
import { toolUser } from '../toolsAtHand';

/** Returns what the nodes of a graph can do in a run. All of it happens in the graph's session, judged and counted as its own. */
export function nodeDesk(parts: AgentRuntimeParts, run: GraphOfRun): GraphDesk {
  return {
    think: (work, signal) =>
      hasTools(run.agent, work) ? thinkWithTools(run, work, signal) : thinkAlone(run, work, signal),
    delegate: (work, signal) => delegate(run, work, signal),
    askModel: (question, signal) => askModel(run, question, signal),
    runScript: (work, signal) => runScript(parts, run, work, signal),
    runCommand: (work, signal) => runCommand(run, work, signal),
    askPerson: (_node, question, signal) => askPerson(run, question, signal),
    sleep: (ms, signal) => parts.ports.clock.sleep(ms, signal),
  };
}

/** Without tools to call, a single request is enough. */
function thinkAlone(run: GraphOfRun, work: LlmWork, signal: AbortSignal): Promise<WorkReport> {
  const { node, instructions, prompt, model, outputSchema, temperature, topP, effort, spend } = work;
  const sampling = {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(effort !== undefined && { effort }),
  };
  const asked = { node, system: instructions, text: prompt, spend, ...sampling };
  return askModel(
    run,
    { ...asked, ...(model !== undefined && { model }), ...(outputSchema && { outputSchema }) },
    signal,
  );
}

type Question = TextQuestion & Pick<OneQuestion, 'temperature' | 'topP' | 'effort'>;

async function askModel({ context, team }: GraphOfRun, question: Question, signal: AbortSignal): Promise<WorkReport> {
  const { conversation } = context;
  const { system, text, model: id, outputSchema, temperature, topP, effort } = question;
  const { model, client } = conversation.resolve(id ?? conversation.model.id);
  const session = {
    usedAside: (name: string, usage: Usage) => {
      question.spend({ tokens: tokensOf(usage), costUsd: costOf(usage, model) ?? 0 });
      return conversation.session.usedAside(name, usage);
    },
  };
  const takesSampling = !model.abilities.thinking;
  const asked = {
    system,
    text,
    onNotice: tellWaits(conversation.emitter),
    ...(takesSampling && temperature !== undefined && { temperature }),
    ...(takesSampling && topP !== undefined && { topP }),
    ...(effort !== undefined && { effort }),
    // Vendors accept only schemas of type object.
    ...(outputSchema?.['type'] === 'object' && { outputSchema }),
  };
  const place = { session, emitter: conversation.emitter, team };
  const answer = await askSideRequest(place, { model, client }, asked, signal);
  if (typeof answer !== 'string') throw new LoopEnd(answer);
  return { text: answer };
}

async function thinkWithTools(run: GraphOfRun, work: LlmWork, signal: AbortSignal): Promise<WorkReport> {
  const worker = workerOf(run.agent, work);
  const asked = { prompt: work.prompt, isOwn: true as const, ...toldOf(work), ...placeOf(work, false) };
  return reportOf(await run.team.work(worker, asked, signal).catch(plainly));
}

async function delegate({ team }: GraphOfRun, work: AgentWork, signal: AbortSignal): Promise<WorkReport> {
  const { agent, prompt, budget } = work;
  const all = await team.everyAgent();
  const found = all.find(({ name }) => name === agent);
  if (!found) {
    const meant = nearest(
      agent,
      all.map(({ name }) => name),
    );
    throw new Error(`There is no agent “${agent}”.${meant === undefined ? '' : ` Did you mean “${meant}”?`}`);
  }
  const asked = { prompt, ...toldOf(work), ...placeOf(work, found.graph !== undefined) };
  return reportOf(await team.work(budgeted(found, budget), asked, signal).catch(plainly));
}

/** Reports the work's progress to the graph. */
function toldOf({ spend, session }: Pick<AgentWork, 'spend' | 'session'>) {
  const told: Pick<WorkRequest, 'onUsed' | 'onCalled' | 'onAsking'> = {
    onUsed: (used) => spend(used, true),
    onCalled: (call) => session.called(call),
    onAsking: (isAsking) => session.asks(isAsking),
  };
  return told;
}

/** A graph that failed continues its earlier session. Any other agent that failed starts afresh, unburdened by what it said before. */
function placeOf(
  { session }: Pick<AgentWork, 'session'>,
  isGraph: boolean,
): Pick<WorkRequest, 'earlier' | 'answersAfter' | 'onSession'> {
  const { earlier, hasFailed = false, failedAt: answersAfter } = session;
  const goesOn = earlier !== undefined && (isGraph || !hasFailed);
  return {
    ...(goesOn && { earlier }),
    ...(answersAfter !== undefined && { answersAfter }),
    onSession: (id) => session.keep(id),
  };
}

/** Rethrows a message for models as a plain error, since it suits users just as well. */
function plainly(error: unknown): never {
  throw error instanceof ToolFailure ? new Error(error.message, { cause: error }) : error;
}

function reportOf(report: ChildReport): WorkReport {
  const { state, output = '', exit_status: status, session_id: sessionId, agent } = report;
  if (state === 'completed') return { text: output, sessionId };
  const why = /^Failed\("(.*)"\)$/s.exec(status ?? '')?.[1] ?? state;
  throw new Error(`${agent} did not reach an answer: ${why.replaceAll('\\"', '"').replace(/\.?$/, '.')}`);
}

async function runScript(
  parts: AgentRuntimeParts,
  { context, agent }: GraphOfRun,
  { node, session, script: file, state }: ScriptWork,
  signal: AbortSignal,
): Promise<string> {
  const { calling } = context;
  const { trusted, isHeard = trusted } = parts.scope();
  let printed = '';
  const name = `graph__${node.replaceAll(/[^\w-]/g, '_')}`;
  const onPrinted = (text: string) => (printed = text);
  const place = { workspace: calling.workspace, isHeard, scripts: parts.wantedScripts() };
  const asked = { name, file, state, isReadOnly: calling.workMode() !== 'agent', onPrinted };
  const tool = await parts.toolSource?.graphScript?.(place, toolUser(agent, context.variables), asked);
  if (!tool) throw new Error('Scripts cannot run here.');
  const own = {
    ...calling,
    signal,
    promptAndTools: withTool(calling.promptAndTools, tool),
    repeats: new RepeatGuard(),
  };
  const result = await settled(own, { id: newId('call'), name, arguments: '{}' }, session);
  signal.throwIfAborted();
  if (result.status !== 'ok') throw new Error(result.text);
  return printed;
}

const COMMAND = 'execute_command';

async function runCommand(
  { context, agent }: GraphOfRun,
  { command, timeoutMs, session }: CommandWork,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { calling } = context;
  if (!calling.promptAndTools.tools.get(COMMAND)) {
    throw new Error(`${agent.name} may not run commands. Add ${COMMAND} to global_tools of the graph.`);
  }
  const input = { command, timeout_seconds: Math.max(1, Math.ceil(timeoutMs / 1000)) };
  const call = { id: newId('call'), name: COMMAND, arguments: JSON.stringify(input) };
  const own = { ...calling, signal, repeats: new RepeatGuard() };
  const { status, text, detail } = await settled(own, call, session);
  signal.throwIfAborted();
  if (status === 'rejected' || detail?.kind !== 'command') throw new Error(text);
  return { exitCode: detail.timedOut ? null : detail.exitCode, output: text };
}

/** Runs a call made by the node itself. The node counts as asking while the call does, and no longer once the call has ended. */
async function settled(calling: Calling, call: ToolCall, { asks }: Pick<WorkSession, 'asks'>): Promise<ToolResult> {
  let isOpen = false;
  const onAsking = (isAsking: boolean) => {
    if (isAsking !== isOpen) asks(isAsking);
    isOpen = isAsking;
  };
  try {
    return await settleCall({ ...calling, onAsking }, call);
  } finally {
    onAsking(false);
  }
}

/** Returns the agent's equipment plus a tool that models are not told of. */
function withTool(equipment: Equipment, tool: AnyTool): Equipment {
  const tools = new ToolRegistry([...equipment.tools.all.filter(({ name }) => name !== tool.name), tool]);
  return {
    tools,
    system: equipment.system,
    skills: equipment.skills,
    converse: (messages) => equipment.converse(messages),
    forRequest: (...given) => equipment.forRequest(...given),
    lockedBy: () => [],
    refresh: () => equipment.refresh(),
  };
}

async function askPerson(
  { context, team, agent }: GraphOfRun,
  { question, kind, options }: Parameters<GraphDesk['askPerson']>[1],
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const { session, emitter } = context.conversation;
  return askOutsideCalls(
    {
      sessionId: session.id,
      agent: agent.name,
      question,
      options,
      kind: kind === 'checkbox' ? 'choice' : kind,
      ask: (asked, own) => team.ask(asked, own),
      result: (answer) =>
        answer.kind === 'answered'
          ? { status: 'ok', text: `Answered: ${answer.texts.join(', ')}` }
          : { status: 'error', text: 'Nobody answered.' },
    },
    emitter,
    signal,
  );
}

const SERVER = 'mcp:';

/** The tools that load skills. */
const SKILL_TOOLS = 'skill__*';

/** Whether a node's model needs more than a single answer: tools, or skills that it may load. */
function hasTools(graph: Pick<AgentDefinition, 'skills'>, work: Pick<LlmWork, 'tools' | 'skills'>): boolean {
  return work.tools.length > 0 || loadsSkills(skillsOf(graph, work));
}

/** Builds the agent for a node, from the node's settings and the source, rules, and folder of the graph's agent. */
function workerOf(graph: AgentDefinition, work: LlmWork): AgentDefinition {
  const servers = work.tools.filter((name) => name.startsWith(SERVER)).map((name) => name.slice(SERVER.length));
  const named = work.tools.filter((name) => !name.startsWith(SERVER));
  const { tools } = mapToolNames(work.tools, COYOTE_TOOLS, 'Coyote');
  const skills = skillsOf(graph, work);
  const { model, temperature, topP, effort } = work;
  const worker: AgentDefinition = {
    ...agentDefaults(),
    name: `${graph.name}/${work.node}`,
    source: graph.source,
    rules: graph.rules,
    folder: graph.folder,
    description: `The node ${work.node} of ${graph.name}`,
    prompt: work.instructions,
    hidden: true,
    tools: loadsSkills(skills) ? [...tools, SKILL_TOOLS] : tools,
    ownTools: named,
    servers,
    skills,
    limits: { turns: work.maxTurns },
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(effort !== undefined && { effort }),
    spawning: { ...agentDefaults().spawning, on: named.some((name) => name.startsWith('agent__')) },
  };
  return budgeted(worker, work.budget);
}

/** Limits an agent to a node's budget. */
function budgeted(agent: AgentDefinition, budget: GraphBudget | undefined): AgentDefinition {
  if (!budget) return agent;
  return { ...agent, limits: lowerLimits(agent.limits, budgetLimits(budget)) };
}

/** A node's skill settings override its graph's. */
function skillsOf(
  { skills: graph }: Pick<AgentDefinition, 'skills'>,
  { skills }: Pick<LlmWork, 'skills'>,
): AgentDefinition['skills'] {
  return { ...graph, ...skills };
}

/** The inputs of a graph's run. */
export interface GraphOfRun {
  readonly context: RunContext;
  readonly agent: AgentDefinition;
  readonly team: TeamMember;
  readonly file: AgentGraph;
  /** True if a message starts it; otherwise it continues where it stopped. */
  readonly isNew: boolean;
  /** The run to continue. Absent: the latest of the session. */
  readonly wanted?: NonNullable<RunRequest['graphRun']>;
}
