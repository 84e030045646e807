import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { Question, QuestionAnswer, UserPrompter } from '../events/agentEvent';
import type { Clock } from '../ports';
import type { OpenEscalation } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';

interface Open {
  readonly view: OpenEscalation;
  readonly question: Question;
  /** Ids of the asker's ancestors, which may answer. */
  readonly above: readonly string[];
  readonly answer: Deferred<QuestionAnswer>;
}

/** The open questions of a whole team. Each is answered once and then removed. */
export class Escalations {
  private readonly open = new Map<string, Open>();
  private readonly listeners = new Set<() => void>();

  /** Adds a question. `answer` settles when a team member answers; `close` removes the question, answered or not. */
  add(asker: { id: string; name: string; above: readonly string[] }, question: Question) {
    const { id, name, above } = asker;
    const view: OpenEscalation = {
      escalation_id: question.id,
      from_agent_id: id,
      from_agent_name: name,
      question: question.question,
      ...(question.options.length > 0 && { options: question.options }),
    };
    const answer = new Deferred<QuestionAnswer>();
    this.open.set(question.id, { view, question, above, answer });
    for (const listener of [...this.listeners]) listener();
    return { answer: answer.promise, close: () => void this.open.delete(question.id) };
  }

  /** Returns the questions that an agent may answer: those of its descendants. */
  waitingFor(agentId: string): OpenEscalation[] {
    return [...this.open.values()].filter(({ above }) => above.includes(agentId)).map(({ view }) => view);
  }

  /** Adds a listener that is called for each new question, and returns a function that removes it. */
  onAdded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Answers a question and returns its text. Throws ToolFailure if it is not, or no longer, waiting for this agent. */
  reply(id: string, byAgent: string, text: string): string {
    const found = this.open.get(id);
    if (!found?.above.includes(byAgent)) {
      throw new ToolFailure('failed', `No question ${id} waits for you. It may have been answered, or its time is up.`);
    }
    this.open.delete(id);
    found.answer.resolve({ kind: 'answered', texts: [fitting(text, found.question)] });
    return found.question.question;
  }
}

/** Maps a free-form reply to one of the offered answers if it is meant as one. */
function fitting(text: string, { kind, options }: Question): string {
  const said = text.trim();
  if (kind === 'confirm') {
    if (/^(y|yes|ok|sure|true)\b/i.test(said)) return 'yes';
    return /^(n|no|false)\b/i.test(said) ? 'no' : said;
  }
  return options.find((option) => option.toLowerCase() === said.toLowerCase()) ?? said;
}

/** Which of the questions that wait for it an agent's model knows. Questions that it does not answer are left to the user. */
export class KnownEscalations {
  private readonly heard = new Set<string>();

  constructor(
    private readonly escalations: Escalations,
    private readonly agentId: string,
  ) {}

  /** Returns all waiting questions and marks them as known. */
  all(): OpenEscalation[] {
    return this.hear(this.escalations.waitingFor(this.agentId));
  }

  /** Returns the questions that were not known yet. */
  fresh(): OpenEscalation[] {
    return this.hear(this.unheard());
  }

  /** Resolves with `other`, or once an unknown question is waiting. Rejects with AbortError. */
  async untilAsked(other: Promise<unknown>, signal: AbortSignal): Promise<void> {
    if (this.unheard().length > 0) return;
    const asked = new Deferred<void>();
    const stop = this.escalations.onAdded(() => this.unheard().length > 0 && asked.resolve());
    try {
      await untilAborted(Promise.race([other, asked.promise]), signal);
    } finally {
      stop();
    }
  }

  private unheard(): OpenEscalation[] {
    return this.escalations.waitingFor(this.agentId).filter(({ escalation_id: id }) => !this.heard.has(id));
  }

  private hear(escalations: OpenEscalation[]): OpenEscalation[] {
    for (const { escalation_id: id } of escalations) this.heard.add(id);
    return escalations;
  }
}

interface AskAboveParts {
  asker: { id: string; name: string; above: readonly string[] };
  escalations: Escalations;
  prompter: UserPrompter;
  clock: Clock;
  /** After this time, the asker is told that nobody is available. */
  timeoutMs: number;
}

/** The agent that asks, and its parent. */
interface Asker {
  parent: { id: string; above: readonly string[]; shared: { escalations: Escalations } };
  child: { id: string; isAwaited: boolean };
}

/**
 * Returns whom an agent asks: the user; for a child also its ancestors, and only for a limited time. Questions of an MCP server
 * always go to the user alone.
 */
export function prompterForChild(
  { name, spawning }: Pick<AgentDefinition, 'name' | 'spawning'>,
  lineage: Asker | undefined,
  { prompter, clock }: { prompter: UserPrompter; clock: Clock },
): UserPrompter {
  if (!lineage) return prompter;
  const { parent, child } = lineage;
  // A parent that only waits cannot answer.
  const above = child.isAwaited ? [] : [parent.id, ...parent.above];
  const asker = { id: child.id, name, above };
  const { escalations } = parent.shared;
  const timeoutMs = spawning.escalationTimeoutMs;
  return {
    ask: (question, signal) =>
      question.server === undefined
        ? askAbove(question, { asker, escalations, prompter, clock, timeoutMs }, signal)
        : prompter.ask(question, signal),
  };
}

/**
 * Asks the user and the ancestors of a child; the first answer wins, and the question is removed everywhere. Rejects only with
 * AbortError.
 */
async function askAbove(
  question: Question,
  { asker, escalations, prompter, clock, timeoutMs }: AskAboveParts,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const { answer, close } = escalations.add(asker, question);
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(timeoutMs, either).then((): QuestionAnswer => ({ kind: 'nobody' }));
  // If no user is available, the ancestors may still answer until the timeout; if they cannot hear the question, nobody will.
  const isHeard = asker.above.length > 0;
  const person = prompter.ask(question, either).then((said) => (said.kind === 'nobody' && isHeard ? late : said));
  for (const promise of [late, person]) promise.catch(() => undefined);
  try {
    return await untilAborted(Promise.race([answer, person, late]), signal);
  } finally {
    close();
    over.abort();
  }
}
