import { nearest } from '../../base/nearest';
import type { Question, QuestionAnswer } from '../events/question';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolResult } from '../messages/toolResult';
import { ToolFailure } from '../tools/toolFailure';
import type { AgentDefinition } from '../agents/agentDefinition';
import { askOutsideCalls } from './askOutsideCalls';
import { callableTargets } from '../agents/callableTargets';
import { targetAction } from '../agents/formats/permissionMap';

export interface TargetChooserParts {
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
