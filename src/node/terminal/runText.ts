import { safeLine, safeText } from '../../base/shown/safeText';
import { type AgentEvent, limitText, type RunOutcome, titleFrom } from '../../engine';

/** Where the text of a run goes. Both make what they write safe. */
export interface TextStreams {
  /** What is answered, in pieces. */
  out: (text: string) => void;
  /** What the agent does besides: whole lines. `isTrouble`: something did not go well. */
  err: (text: string, isTrouble?: boolean) => void;
  /** True when a person watches the answer, which is then told as it comes; else it is told whole. */
  outIsTerminal: boolean;
}

/** Tells a run as text: the answer, and a line for everything that the agent does. */
export class RunText {
  private atLineStart = true;
  private begun = false;

  constructor(private readonly streams: TextStreams) {}

  /** True once the agent said or did something. */
  get hasBegun(): boolean {
    return this.begun;
  }

  onEvent(event: AgentEvent): void {
    if (event.agentPath.length > 1) this.onChild(event);
    else this.onOwn(event);
  }

  /** The answer where it was not told as it came. Gives what to say of a run that ended otherwise, as the end of a sentence. */
  finish(outcome: RunOutcome): string | undefined {
    this.endLine();
    switch (outcome.kind) {
      case 'completed':
      case 'rejected':
        if (!this.streams.outIsTerminal) this.streams.out(`${outcome.answer.trimEnd()}\n`);
        return undefined;
      case 'failed':
        return outcome.message;
      case 'limit-reached':
        return `stopped, because ${limitText(outcome.limit)}.`;
      case 'cancelled':
        return 'cancelled.';
    }
  }

  private onOwn(event: AgentEvent): void {
    const { out, err, outIsTerminal } = this.streams;
    if (event.type === 'text-delta' && outIsTerminal) {
      out(event.text);
      this.atLineStart = event.text.endsWith('\n');
    }
    if (event.type === 'text-delta' || event.type === 'tool-started') this.begun = true;
    if (event.type === 'reply-finished') this.endLine();
    if (event.type === 'tool-prepared') err(`› ${safeLine(event.title, 500, 'exact')}\n`);
    if (event.type === 'tool-finished' && event.result.status !== 'ok') {
      err(`  ${event.result.status}: ${safeLine(event.result.text.split('\n', 1)[0] ?? '')}\n`, true);
    }
    if (event.type === 'auto-continued')
      err(`› Continuing automatically, ${event.count} of ${event.max}: ${event.open} open\n`);
    if (event.type === 'agent-spawned') err(`› ${safeLine(event.agent)} started: ${safeLine(titleFrom(event.task))}\n`);
    if (event.type === 'agent-finished') err(`› ${safeLine(event.agentId)}: ${event.outcome.kind}\n`);
    if (event.type === 'notice') err(`${event.text}\n`, event.level === 'warning');
  }

  /** Of agents that were started one sees what they do; what they say goes to the one that started them. */
  private onChild(event: AgentEvent): void {
    const { err } = this.streams;
    const who = safeLine(event.agentPath.slice(1).join(' › '));
    if (event.type === 'tool-prepared') err(`› ${who}: ${safeLine(event.title, 500, 'exact')}\n`);
    if (event.type === 'notice') err(`${who}: ${event.text}\n`, event.level === 'warning');
  }

  private endLine(): void {
    if (!this.atLineStart) this.streams.out('\n');
    this.atLineStart = true;
  }
}

/** A message of several lines begins only one of them as ours do, so that none in it can pass for another. */
export function safeNote(message: string): string {
  return safeText(message).replace(/\n(?!$)/g, '\n  ');
}
