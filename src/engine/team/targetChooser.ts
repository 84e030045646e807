import { nearest } from '../../base/matching';
import type { AgentDefinition } from '../agents/agentDefinition';
import { targetAction } from '../agents/formats/permissionMap';
import type { Question, QuestionAnswer } from '../events/agentEvent';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolCall';
import { ToolFailure } from '../tools/toolOutput';
import { askOutsideCalls } from './askOutsideCalls';

interface TargetChooserParts {
  agent: AgentDefinition;
  sessionId: string;
  /** Returns all agents that currently exist. */
  agents(): Promise<readonly AgentDefinition[]>;
  /** Asks the user; for a child also its ancestors. */
  ask: (question: Question, signal: AbortSignal) => Promise<QuestionAnswer>;
  emitter: ScopedEmitter;
  signal: AbortSignal;
}

/** Determines which agents an agent may start. */
export class TargetChooser {
  private readonly answers = new Map<string, Promise<QuestionAnswer>>();

  constructor(private readonly parts: TargetChooserParts) {}

  async all(): Promise<AgentDefinition[]> {
    return callableTargets(this.parts.agent, await this.parts.agents(), { headless: false });
  }

  /** Finds an agent, and asks the user if `permission.task` requires it. Throws ToolFailure if the agent may not be started. */
  async find(name: string): Promise<AgentDefinition> {
    const targets = await this.all();
    const found = targets.find((one) => one.name === name);
    if (!found) {
      const names = targets.map((one) => one.name);
      const meant = nearest(name, names);
      const hint = meant === undefined ? ` You can start: ${names.join(', ') || 'none'}.` : ` Did you mean ${meant}?`;
      throw new ToolFailure('bad-arguments', `You cannot start an agent “${name}”.${hint}`);
    }
    const { taskTargets } = this.parts.agent;
    if (taskTargets !== null && targetAction(taskTargets, name, 'deny') === 'ask') await this.askFor(name);
    return found;
  }

  /** Asks once per agent in a run, even if the agent is started again. */
  private async askFor(name: string): Promise<void> {
    const asking = this.answers.get(name) ?? this.ask(name);
    this.answers.set(name, asking);
    const answer = await asking;
    if (answer.kind === 'answered' && /^y/i.test(answer.texts[0] ?? '')) return;
    const why = answer.kind === 'nobody' ? 'nobody can be asked' : 'the user said no';
    throw new ToolFailure('failed', `The agent ${name} was not started: ${why}. Continue without it.`);
  }

  private ask(name: string): Promise<QuestionAnswer> {
    const { agent, sessionId, emitter, ask, signal } = this.parts;
    const question = `${agent.name} wants to start the agent ${name}. Allow it?`;
    const asking = { sessionId, agent: agent.name, question, kind: 'confirm' as const, ask, result: resultOf };
    return askOutsideCalls(asking, emitter, signal);
  }
}

function resultOf(answer: QuestionAnswer): Pick<ToolResult, 'status' | 'text'> {
  if (answer.kind !== 'answered') return { status: 'error', text: 'Nobody answered.' };
  return { status: 'ok', text: `The user answered: ${answer.texts.join()}` };
}

/**
 * Returns the agents that the caller may start, sorted by name: all that are not primary, except those that its `permission.task`
 * denies (the last match wins; without a match, an agent is allowed only if there is no `permission.task`) or that its list
 * omits. The lists of built-in agents never exclude visible agents of the user or the workspace. With `headless`, targets that
 * need an approval are excluded.
 */
export function callableTargets(
  caller: AgentDefinition,
  agents: readonly AgentDefinition[],
  { headless }: { headless: boolean },
): AgentDefinition[] {
  const { taskTargets, spawning } = caller;
  return agents
    .filter(({ mode }) => mode !== 'primary')
    .filter((agent) => spawning.agents === null || spawning.agents.includes(agent.name) || isBrought(agent, caller))
    .filter(({ name }) => {
      if (taskTargets === null) return true;
      const action = targetAction(taskTargets, name, 'deny');
      return action === 'allow' || (action === 'ask' && !headless);
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isBrought({ source, hidden }: AgentDefinition, caller: AgentDefinition): boolean {
  return caller.source.scope === 'builtin' && source.scope !== 'builtin' && !hidden;
}
