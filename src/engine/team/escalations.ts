import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/deferred';
import type { Question, QuestionAnswer } from '../events/question';
import type { OpenEscalation } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolFailure';

interface Open {
  readonly view: OpenEscalation;
  readonly question: Question;
  /** The ids of those above the asker, who may answer. */
  readonly above: readonly string[];
  readonly answer: Deferred<QuestionAnswer>;
}

/** The questions of a whole team that nobody has answered yet. Each is answered once, and is gone then. */
export class Escalations {
  private readonly open = new Map<string, Open>();
  private readonly listeners = new Set<() => void>();

  /** `answer` settles when somebody of the team answers; `close` takes the question away, answered or not. */
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

  /** Those that an agent may answer: of the agents that it started, and that those started. */
  waitingFor(agentId: string): OpenEscalation[] {
    return [...this.open.values()].filter(({ above }) => above.includes(agentId)).map(({ view }) => view);
  }

  /** Called whenever another question waits; gives the way to stop that. */
  onAdded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Gives the question. Throws ToolFailure when it does not wait for this agent, or no longer. */
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

/** A reply in free words as one of the answers that were offered, where it is meant as one. */
function fitting(text: string, { kind, options }: Question): string {
  const said = text.trim();
  if (kind === 'confirm') {
    if (/^(y|yes|ok|sure|true)\b/i.test(said)) return 'yes';
    return /^(n|no|false)\b/i.test(said) ? 'no' : said;
  }
  return options.find((option) => option.toLowerCase() === said.toLowerCase()) ?? said;
}

/** What one agent's model knows of the questions that wait for it. Those that it does not answer are left to the person. */
export class KnownEscalations {
  private readonly heard = new Set<string>();

  constructor(
    private readonly escalations: Escalations,
    private readonly agentId: string,
  ) {}

  /** All that wait, which it knows of from now on. */
  all(): OpenEscalation[] {
    return this.hear(this.escalations.waitingFor(this.agentId));
  }

  /** Those that it did not know of until now. */
  fresh(): OpenEscalation[] {
    return this.hear(this.unheard());
  }

  /** Resolves with `other`, or when a question waits that it does not know of. Rejects with AbortError. */
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
