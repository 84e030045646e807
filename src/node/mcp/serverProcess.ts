import type { Transport } from '@modelcontextprotocol/client';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Disposable } from '../../base/disposable';
import { safeLine, safeText } from '../../base/shown/safeText';
import { type StdioLaunch, strikeOf } from '../../engine';
import { endProcessTree, isReaped, processTree, startWatched } from '../processes/endWithUs';
import { commandEnvironment, hiddenValues } from '../secretVariables';
import { Coalescer } from './incoming/coalescer';
import type { IncomingMessages, Message } from './incoming/incomingMessages';
import type { LimitedLog } from './incoming/limitedLog';
import { LineReader } from './incoming/lineReader';
import { OF_MESSAGES, PacedReader } from './incoming/pacedReader';
import { MAX_MESSAGE_BYTES, TOO_MUCH } from './limitedFetch';
import type * as mcpLibrary from './mcpLibrary';

interface ServerProcessParts {
  /** Servers get the same part of it as commands. */
  env: NodeJS.ProcessEnv;
  library: typeof mcpLibrary;
  /** Values in the launch that must not be shown. */
  secrets: readonly string[];
  incoming: IncomingMessages;
  /** For its standard error. */
  log: LimitedLog;
}

/** How much of a server's standard error is kept, and how much of its end is included in the error when it exits. */
const MAX_SAID = 8000;
const MAX_TOLD = 1500;
const MAX_TOLD_LINES = 12;
/** A line of standard output that is not a message, and how much of it is shown. */
const ODD_LINE = /(?<![^\n])[^\S\n]*[^\s{].*/;
const MAX_LINE = 200;
/** How long to wait for the last output after exit: child processes may keep the pipe open. */
const LAST_WORDS_MS = 250;
/** How long a server may take to exit after its input is closed. */
const LEAVE_MS = 1000;

/**
 * A server in its own process group. Everything it starts is ended with it, even if Cairn is killed; the SDK's transport leaves
 * behind whatever does not exit by itself. Output lines that are not messages are skipped.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  private child: ChildProcess | undefined;
  private watched: Disposable | undefined;
  private exited: Promise<void> = Promise.resolve();
  private isOver = false;
  private said = '';
  /** An incomplete last line. */
  private line = '';
  private end = '';
  private isStopped = false;
  private hasSpoken = false;
  /** The start of its output, until the first message. */
  private output = '';
  private readonly strike: (text: string) => string;

  constructor(
    private readonly launch: StdioLaunch,
    private readonly parts: ServerProcessParts,
  ) {
    this.strike = strikeOf([...parts.secrets, ...hiddenValues(launch.env)]);
  }

  /** How it ended and its last output, as sentences without secrets; empty if there is nothing to report. */
  get story(): string {
    if (this.isStopped) return this.end;
    const last = lastLines(this.strike(this.said));
    const [written = ''] = this.hasSpoken ? [] : (ODD_LINE.exec(this.strike(this.output)) ?? []);
    const odd = safeLine(stripVTControlCharacters(written.trim()), MAX_LINE);
    return [
      this.end,
      odd === '' ? '' : `It wrote something other than a message to its standard output: ${odd}`,
      last === '' ? '' : `It last said: ${last}`,
    ]
      .filter((one) => one !== '')
      .join(' ');
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.launch;
    const { child, watched } = startWatched({ ...commandEnvironment(this.parts.env), ...env }, (marked) =>
      this.parts.library.spawn(command, [...args], {
        cwd,
        env: marked,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      }),
    );
    this.child = child;
    this.watched = watched;
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
    const heard = new Promise((resolve) => child.once('close', resolve));
    child.once('exit', (status, signal) => {
      const how = `It ended with ${signal ?? `status ${status}`}.`;
      void Promise.race([heard, delay(LAST_WORDS_MS)]).then(() => this.over(how));
    });
    this.read(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.over(`${command} cannot be started (${error.message}).`);
        reject(error);
      });
    });
  }

  send(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      const input = this.child?.stdin;
      if (this.isOver || !input?.writable) return reject(new Error('It no longer exists.'));
      this.parts.incoming.sent(message);
      input.write(this.parts.library.serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const { child } = this;
    const tree = child?.pid === undefined || isReaped(child) ? [] : await processTree(child.pid);
    child?.stdin?.end();
    if (child?.pid !== undefined) {
      await Promise.race([this.exited, delay(LEAVE_MS, undefined, { ref: false })]);
      // Its child processes may outlive it.
      await endProcessTree(child.pid, tree, isReaped(child));
    }
    this.over('');
  }

  /** Ends it for a reason, given as a sentence. Nothing more is read from it. */
  async stop(why: string): Promise<void> {
    [this.end, this.isStopped] = [why, true];
    this.parts.log.add(() => why);
    this.child?.stdout?.destroy();
    await this.close();
  }

  private read(child: ChildProcess): void {
    const reader = new LineReader(MAX_MESSAGE_BYTES);
    const pass = (message: Message) => {
      this.hasSpoken = true;
      this.onmessage?.(message);
    };
    const sink = { pass, latest: new Coalescer(pass) };
    child.once('exit', () => sink.latest.end());
    const hear = (text: string) => {
      if (!this.hasSpoken && this.output.length < MAX_SAID) this.output += text;
      const lines = reader.read(text);
      if (lines) for (const line of lines) this.parts.incoming.heard(line, sink);
      else void this.stop(TOO_MUCH);
    };
    if (child.stdout) new PacedReader(child.stdout, hear, OF_MESSAGES);
    const errors = child.stderr && new PacedReader(child.stderr, (text) => this.say(text));
    child.once('exit', () => errors?.finish());
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', (error) => this.onerror?.(asError(error)));
    }
  }

  private say(text: string): void {
    this.said = this.kept(`${this.said}${text}`);
    const lines = `${this.line}${text}`.split('\n');
    this.line = this.kept(lines.pop() ?? '');
    if (lines.length === 0) return;
    // Joined first, because a secret may span several lines.
    const told = stripVTControlCharacters(this.strike(lines.join('\n'))).split('\n');
    for (const line of told) if (line.trim() !== '') this.parts.log.add(() => safeText(line.trimEnd()));
  }

  /** Returns the end of a text, redacted first, because a secret that is cut in two would not be recognized. */
  private kept(text: string): string {
    return text.length <= MAX_SAID ? text : this.strike(text).slice(-MAX_SAID);
  }

  private over(how: string): void {
    if (this.isOver) return;
    this.isOver = true;
    if (!this.isStopped) this.end = how;
    if (this.line !== '') this.say('\n');
    this.parts.log.end();
    // The process group may outlive its leader.
    const { child } = this;
    if (child?.pid !== undefined) {
      void endProcessTree(child.pid, [], isReaped(child)).then(() => this.watched?.dispose());
    }
    this.onclose?.();
  }
}

/** Returns the last lines, without colors and cursor movements. */
function lastLines(said: string): string {
  const lines = safeText(stripVTControlCharacters(said))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines.slice(-MAX_TOLD_LINES).join('\n').slice(-MAX_TOLD).trim();
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
