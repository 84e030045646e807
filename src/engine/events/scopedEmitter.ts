import type { Emitter } from '../../base/emitter';
import type { Clock } from '../ports';
import type { AgentEvent, AgentEventBody } from './agentEvent';

/** Whose events these are. */
export interface EventScope {
  runId: string;
  sessionId: string;
  agentPath: readonly string[];
}

/** Stamps what one agent of a run reports, and passes it on. */
export class ScopedEmitter {
  private seq = 0;

  constructor(
    private readonly out: Emitter<AgentEvent>,
    private readonly scope: EventScope,
    private readonly clock: Clock,
    /** Takes out of a notice what must not be shown. */
    private readonly strike: (text: string) => string = (text) => text,
  ) {}

  emit(body: AgentEventBody): void {
    const told = body.type === 'notice' ? { ...body, text: this.strike(body.text) } : body;
    this.out.emit({ seq: ++this.seq, time: this.clock.now(), ...this.scope, ...told });
  }
}
