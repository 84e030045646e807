import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/deferred';
import type { OpenEscalation } from '../tools/team/teamDesk';
import type { Escalations } from './escalations';

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
