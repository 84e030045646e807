import type { Emitter } from '../../base/emitter';
import type { Clock, Ports } from '../ports';
import type { AgentEvent, AgentEventBody } from './agentEvent';
import { struckEvent, StruckPieces } from './struckEvent';

/** The origin of the events. */
export interface EventScope {
  runId: string;
  sessionId: string;
  agentPath: readonly string[];
}

/** Redacts known secrets in texts. */
export type Striking = Pick<Ports, 'strike' | 'strikePieces'>;

/** Stamps the events of one agent in a run, redacts secrets in them, and emits them. */
export class ScopedEmitter {
  private seq = 0;
  private readonly pieces: StruckPieces | undefined;

  constructor(
    private readonly out: Emitter<AgentEvent>,
    private readonly scope: EventScope,
    private readonly clock: Clock,
    private readonly striking: Striking = {},
  ) {
    const { strikePieces } = striking;
    if (strikePieces) this.pieces = new StruckPieces(strikePieces);
  }

  emit(body: AgentEventBody): void {
    const { strike } = this.striking;
    for (const one of this.pieces?.next(body) ?? [body]) this.stamp(strike ? struckEvent(one, strike) : one);
  }

  private stamp(body: AgentEventBody): void {
    this.out.emit({ seq: ++this.seq, time: this.clock.now(), ...this.scope, ...body });
  }
}
