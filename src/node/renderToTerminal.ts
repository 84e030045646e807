import { SafeStream } from '../base/shown/safeStream';
import { safeLine, safeText } from '../base/shown/safeText';
import { brokenRows } from '../base/shown/shownLines';
import { type AgentEvent, type AgentHandle, limitText, type RunOutcome, titleFrom } from '../engine';

export interface TerminalRendering {
  /** For example `process.stdout`. */
  stream: NodeJS.WritableStream;
  /** Default: no colors. */
  colour?: boolean;
  /** Columns at which lines about the agent's actions wrap. Default: none, leaving it to the screen. */
  width?: number;
}

const LEAST_WIDTH = 20;
const FAINT = { begin: '\u001b[2m', end: '\u001b[22m' };
const RED = { begin: '\u001b[31m', end: '\u001b[39m' };

/**
 * Renders a run on a terminal as the command `cairn` does: streams the answer, and prints a line for everything else. Nothing
 * from models or tools can control the terminal. Resolves with the outcome after the last line. A closed stream gets no more
 * output, but stops neither the run nor the rendering.
 */
export async function renderToTerminal(
  run: Pick<AgentHandle, 'subscribe' | 'unkept' | 'outcome'>,
  { stream, colour = false, width }: TerminalRendering,
): Promise<RunOutcome> {
  const safe = new SafeStream();
  const write = (text: string) => {
    if (stream.writable && text !== '') stream.write(text);
  };
  const err = (message: string, isTrouble = false) => {
    // Flush held-back text of the answer first.
    write(safe.end());
    const lines = rowsOf(safeNote(message).replace(/\n$/, ''), width);
    const { begin, end } = isTrouble ? RED : FAINT;
    for (const line of lines) write(colour ? `${begin}${line}${end}\n` : `${line}\n`);
  };
  const text = new RunText({ out: (piece) => write(safe.push(piece)), err, outIsTerminal: true });
  for (const event of run.unkept()) text.onEvent(event);
  const listening = run.subscribe((event) => text.onEvent(event));
  try {
    const outcome = await run.outcome;
    const last = text.finish(outcome);
    write(safe.end());
    if (last !== undefined) err(`› ${last}`, outcome.kind !== 'cancelled');
    return outcome;
  } finally {
    listening.dispose();
  }
}

function rowsOf(note: string, width: number | undefined): string[] {
  const lines = note.split('\n');
  if (width === undefined) return lines;
  return lines.flatMap((line) => {
    const [first = '', ...rest] = brokenRows(line, Math.max(LEAST_WIDTH, width) - 2);
    return [first, ...rest.map((row) => `  ${row}`)];
  });
}

/** Where the text of a run goes. Both functions sanitize what they write. */
export interface TextStreams {
  /** Writes chunks of the answer. */
  out: (text: string) => void;
  /** Writes whole lines about the agent's actions. `isTrouble`: something went wrong. */
  err: (text: string, isTrouble?: boolean) => void;
  /** True to stream the answer, because a user is watching; otherwise it is written as a whole. */
  outIsTerminal: boolean;
}

/** Renders a run as text: the answer, and a line for each of the agent's actions. */
export class RunText {
  private atLineStart = true;
  private begun = false;
  private isStreamed = false;

  constructor(private readonly streams: TextStreams) {}

  /** True once the agent has written or done something. */
  get hasBegun(): boolean {
    return this.begun;
  }

  onEvent(event: AgentEvent): void {
    if (event.agentPath.length > 1) this.onChild(event);
    else this.onOwn(event);
  }

  /** Writes the answer if it was not streamed. Returns how the run ended if it did not complete, as the end of a sentence. */
  finish(outcome: RunOutcome): string | undefined {
    this.endLine();
    switch (outcome.kind) {
      case 'completed':
      case 'rejected':
        if (!this.isStreamed) this.streams.out(`${outcome.answer.trimEnd()}\n`);
        return undefined;
      case 'failed':
        return outcome.message;
      case 'limit-reached':
        return `stopped, because ${limitText(outcome.limit)}.`;
      case 'cancelled':
        return outcome.paused ? 'paused after its step.' : 'canceled.';
    }
  }

  private onOwn(event: AgentEvent): void {
    const { out, err, outIsTerminal } = this.streams;
    if (event.type === 'text-delta' && outIsTerminal) {
      out(event.text);
      this.atLineStart = event.text.endsWith('\n');
      this.isStreamed = true;
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

  /** Shows what started agents do; their text goes to the agent that started them. */
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

/** Indents all but the first line of a message, so that none can pass for another message. */
export function safeNote(message: string): string {
  return safeText(message).replace(/\n(?!$)/g, '\n  ');
}
