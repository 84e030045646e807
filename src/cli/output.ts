import { safeLine } from '../base/shown/safeText';
import { type AgentEvent, limitText, type RunOutcome, titleFrom } from '../engine';
import type { OutputChoice } from './parseArguments';

/** Where output goes; a reader that went away is no reason to stop a run. */
export interface OutputStreams {
  out: (text: string) => void;
  err: (text: string) => void;
  /** True when a person watches standard output. */
  outIsTerminal: boolean;
}

/** Tells what happens in a run, in one of the formats. */
export interface RunOutput {
  onEvent(event: AgentEvent): void;
  /** `model` is null when there was none. */
  finish(outcome: RunOutcome, run: { sessionId: string; model: string | null }): void;
}

export function runOutput(choice: OutputChoice, streams: OutputStreams): RunOutput {
  switch (choice) {
    case 'text':
      return new TextOutput(streams);
    case 'json':
      return new JsonOutput(streams);
    case 'stream-json':
      return { onEvent: (event) => streams.out(`${jsonText(event)}\n`), finish: () => undefined };
  }
}

/** What steers a terminal beside what JSON escapes already, and what is not seen. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/** The same data, safe to look at. */
function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The answer on standard output, as it streams for a person, whole for a pipe; what the agent does on standard error. */
class TextOutput implements RunOutput {
  private atLineStart = true;
  private hasBegun = false;

  constructor(private readonly streams: OutputStreams) {}

  onEvent(event: AgentEvent): void {
    if (event.agentPath.length > 1) this.onChild(event);
    else this.onOwn(event);
  }

  private onOwn(event: AgentEvent): void {
    if (event.type === 'text-delta' && this.streams.outIsTerminal) {
      this.streams.out(event.text);
      this.atLineStart = event.text.endsWith('\n');
    }
    if (event.type === 'text-delta' || event.type === 'tool-started') this.hasBegun = true;
    if (event.type === 'reply-finished') this.endLine();
    if (event.type === 'tool-prepared') this.streams.err(`› ${safeLine(event.title, 500, 'exact')}\n`);
    if (event.type === 'tool-finished' && event.result.status !== 'ok') {
      this.streams.err(`  ${event.result.status}: ${safeLine(event.result.text.split('\n', 1)[0] ?? '')}\n`);
    }
    if (event.type === 'auto-continued') {
      this.streams.err(`› Going on by itself, ${event.count} of ${event.max}: ${event.open} open\n`);
    }
    if (event.type === 'agent-spawned')
      this.streams.err(`› ${safeLine(event.agent)} has begun: ${safeLine(titleFrom(event.task))}\n`);
    if (event.type === 'agent-finished') this.streams.err(`› ${safeLine(event.agentId)}: ${event.outcome.kind}\n`);
    if (event.type === 'notice') this.streams.err(`${event.text}\n`);
  }

  /** Of agents that were started one sees what they do; what they say goes to the one that started them. */
  private onChild(event: AgentEvent): void {
    const who = safeLine(event.agentPath.slice(1).join(' › '));
    if (event.type === 'tool-prepared') this.streams.err(`› ${who}: ${safeLine(event.title, 500, 'exact')}\n`);
    if (event.type === 'notice') this.streams.err(`${who}: ${event.text}\n`);
  }

  finish(outcome: RunOutcome, { sessionId }: { sessionId: string }): void {
    const answered = outcome.kind === 'completed' || outcome.kind === 'rejected';
    if (answered && !this.streams.outIsTerminal) this.streams.out(`${outcome.answer.trimEnd()}\n`);
    if (outcome.kind === 'failed') this.streams.err(`cairn: ${outcome.message}\n`);
    if (outcome.kind === 'limit-reached') {
      const hint = outcome.limit === 'turns' ? ' --max-turns N allows another number.' : '';
      this.streams.err(`cairn: stopped, because ${limitText(outcome.limit)}.${hint}\n`);
    }
    if (outcome.kind === 'cancelled') this.streams.err('cairn: cancelled.\n');
    if (!answered && this.hasBegun) this.streams.err(`cairn: to go on where it ended: cairn -s ${sessionId} "go on"\n`);
  }

  private endLine(): void {
    if (!this.atLineStart) this.streams.out('\n');
    this.atLineStart = true;
  }
}

/** One object at the end. */
class JsonOutput implements RunOutput {
  private turns = 0;
  private toolCalls = 0;
  private readonly usage = { inputTokens: 0, outputTokens: 0 };
  /** Null when the price of a part is not known. */
  private costUsd: number | null = 0;
  private durationMs = 0;
  private runId = '';

  constructor(private readonly streams: OutputStreams) {}

  onEvent(event: AgentEvent): void {
    if (event.type === 'usage-reported') {
      this.usage.inputTokens += event.usage.inputTokens;
      this.usage.outputTokens += event.usage.outputTokens;
      this.costUsd = this.costUsd === null || event.costUsd === null ? null : this.costUsd + event.costUsd;
    }
    // What agents used that were started belongs to the run; what they did is theirs.
    if (event.agentPath.length > 1) return;
    this.runId = event.runId;
    if (event.type === 'reply-finished') this.turns++;
    if (event.type === 'tool-finished') this.toolCalls++;
    if (event.type === 'run-finished') this.durationMs = event.durationMs;
  }

  finish(outcome: RunOutcome, run: { sessionId: string; model: string | null }): void {
    const { runId, turns, toolCalls, usage, costUsd, durationMs } = this;
    const told = { runId, ...run, outcome, turns, toolCalls, usage, costUsd, durationMs };
    this.streams.out(`${jsonText(told, 2)}\n`);
  }
}
