import type { AgentEvent, RunOutcome } from '../engine';
import { RunText, type TextStreams } from '../node/renderToTerminal';
import type { OutputChoice } from './parseArguments';

/** Where output goes. A reader that disconnects does not stop a run. */
export type OutputStreams = TextStreams;

/** Reports a run in one of the output formats. */
interface RunOutput {
  onEvent(event: AgentEvent): void;
  /** `model` is null if there was none. */
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

/** Invisible characters and those that control a terminal, apart from what JSON already escapes. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/** Returns JSON that is safe to display. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Writes the answer to standard output, streamed for a user and whole for a pipe, and the agent's actions to standard error. */
class TextOutput implements RunOutput {
  private readonly text: RunText;

  constructor(private readonly streams: OutputStreams) {
    this.text = new RunText(streams);
  }

  onEvent(event: AgentEvent): void {
    this.text.onEvent(event);
  }

  finish(outcome: RunOutcome, { sessionId }: { sessionId: string }): void {
    const last = this.text.finish(outcome);
    if (last === undefined) return;
    const byTurns = outcome.kind === 'limit-reached' && outcome.limit === 'turns';
    this.streams.err(`cairn: ${last}${byTurns ? ' --max-turns N allows another number.' : ''}\n`);
    if (this.text.hasBegun) this.streams.err(`cairn: to continue where it ended: cairn -s ${sessionId} "continue"\n`);
  }
}

/** Writes a single object at the end. */
class JsonOutput implements RunOutput {
  private turns = 0;
  private toolCalls = 0;
  private readonly usage = { inputTokens: 0, outputTokens: 0 };
  /** Null if any part's price is unknown. */
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
    // The usage of started agents counts toward the run; their turns and calls do not.
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
