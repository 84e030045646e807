import * as vscode from 'vscode';
import { type Disposable, onDispose } from '../base/disposable';
import { t } from '../base/l10n';
import { safeLine, safeText } from '../base/shown/safeText';
import { TerminalStream } from '../base/shown/terminalStream';
import type { LiveChat } from '../chat/liveChat';
import type { BackgroundCommand, Engine } from '../engine';
import type { ToolEntry } from '../protocol/chatState';
import type { ToolChanges } from '../protocol/hostEvent';

const MAX_NAME = 40;
/** The beginning of a text this long or longer may not have been kept. */
const CUT_LENGTH = 8_000;

/** Shows a command's terminal, creating it if necessary. Throws with a message for the user if the entry is not a command. */
export function showInTerminal(chat: LiveChat, engine: Pick<Engine, 'backgroundCommand'>, entryId: string): void {
  const entry = chat.state.entries.find(({ id }) => id === entryId);
  if (entry?.kind !== 'tool' || entry.category !== 'execute') throw new Error(t('This command no longer exists.'));
  const id = `${chat.session.id} ${entryId}`;
  terminalOf(id, () => shownCommand(chat, engine, entry, id)).show();
}

function terminalOf(id: string, command: () => ShownCommand): vscode.Terminal {
  const there = vscode.window.terminals.find(({ creationOptions: made }) => {
    return 'pty' in made && made.pty instanceof CommandTerminal && made.pty.id === id;
  });
  if (there) return there;
  const shown = command();
  const name = t('Cairn: {0}', safeLine(shown.command, MAX_NAME, 'exact'));
  return vscode.window.createTerminal({ name, pty: new CommandTerminal(shown), isTransient: true });
}

function shownCommand(
  chat: LiveChat,
  engine: Pick<Engine, 'backgroundCommand'>,
  entry: ToolEntry,
  id: string,
): ShownCommand {
  const { detail, title } = entry;
  if (detail?.kind !== 'text' || detail.background === undefined) return ofEntry(chat, entry, id);
  const running = engine.backgroundCommand(chat.session.id, detail.background);
  if (running) return ofBackground(running, id);
  const command = title.replace(/^Run in the background /, '');
  const ended = t('Its output was not kept. It ended with the window in which it was started.');
  return {
    id,
    command,
    look: () => ({ written: '', ended }),
    follow: () => onDispose(() => undefined),
    stop: () => undefined,
  };
}

function ofBackground(running: BackgroundCommand, id: string): ShownCommand {
  return {
    id,
    command: running.command,
    look: () => ({ written: wholeLines(running.written), ended: running.isRunning ? null : running.state }),
    follow: (onWritten, onEnded) => running.follow({ written: onWritten, ended: () => onEnded(running.state) }),
    stop: () => void running.stop(),
  };
}

function ofEntry(chat: LiveChat, entry: ToolEntry, id: string): ShownCommand {
  const { detail, title } = entry;
  return {
    id,
    command: detail?.kind === 'command' ? detail.command : title.replace(/^Run(?:ning)? /, ''),
    look() {
      const now = chat.state.entries.find((one) => one.id === entry.id);
      const { detail: known, output, ...rest } = now?.kind === 'tool' ? now : entry;
      const written = known?.kind === 'command' ? known.output : wholeLines(output);
      return { written, ended: endOf({ ...rest, detail: known }) };
    },
    follow(onWritten, onEnded) {
      return chat.onEvents(({ events }) => {
        for (const event of events) {
          if (!('entryId' in event) || event.entryId !== entry.id) continue;
          if (event.type === 'tool-output-appended') onWritten(event.text);
          const how = event.type === 'tool-changed' ? endOf(event.changes) : null;
          if (how !== null) onEnded(how);
        }
      });
    },
    stop: () => chat.stopCall(entry.id),
  };
}

/** Drops the partial first line of a text whose beginning may not have been kept. */
function wholeLines(text: string): string {
  return text.length < CUT_LENGTH ? text : text.slice(text.indexOf('\n') + 1);
}

/** How a call ended, as a sentence; null while it is running. */
function endOf({ status, detail }: ToolChanges): string | null {
  if (status === 'cancelled') return t('Stopped.');
  if (status === 'rejected') return t('Rejected: it did not run.');
  if (status !== 'ok' && status !== 'error') return null;
  if (detail?.kind !== 'command') return status === 'ok' ? t('Done.') : t('Failed.');
  if (detail.timedOut) return t('Timed out.');
  return detail.signal === null
    ? t('Exit code {0}.', detail.exitCode ?? 'unknown')
    : t('Ended by signal {0}.', detail.signal);
}

/** A command of an agent as shown in a terminal. */
interface ShownCommand {
  /** Identifies the command. */
  id: string;
  command: string;
  /** The output so far, as far as it is kept, and how the command ended; null while it runs. */
  look(): { written: string; ended: string | null };
  /** Reports further output and the end. */
  follow(onWritten: (text: string) => void, onEnded: (how: string) => void): Disposable;
  stop(): void;
}

const CTRL_C = '\u0003';
const FAINT = '\u001b[2m';
const RESET = '\u001b[0m';

/**
 * Shows the output of an agent's command. The only input is Ctrl+C, which stops the command. After it has ended, any key closes
 * the terminal.
 */
class CommandTerminal implements vscode.Pseudoterminal {
  private readonly writes = new vscode.EventEmitter<string>();
  private readonly closes = new vscode.EventEmitter<void>();
  private readonly output = new TerminalStream();
  private following: Disposable | undefined;
  private isOver = false;
  readonly onDidWrite = this.writes.event;
  readonly onDidClose = this.closes.event;

  constructor(private readonly shown: ShownCommand) {}

  get id(): string {
    return this.shown.id;
  }

  open(): void {
    const { command } = this.shown;
    // Read only now, so that output written before the terminal opened is not missed.
    const { written, ended } = this.shown.look();
    this.writes.fire(`$ ${safeText(command, 'exact').replaceAll('\n', '\r\n')}\r\n`);
    this.write(written);
    if (ended !== null) return this.end(ended);
    this.following = this.shown.follow(
      (text) => this.write(text),
      (how) => this.end(how),
    );
  }

  handleInput(data: string): void {
    if (this.isOver) this.closes.fire();
    else if (data === CTRL_C) this.shown.stop();
  }

  close(): void {
    this.following?.dispose();
    this.writes.dispose();
    this.closes.dispose();
  }

  private write(text: string): void {
    if (text !== '' && !this.isOver) this.writes.fire(this.output.push(text));
  }

  private end(how: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.writes.fire(`${RESET}\r\n${FAINT}${safeText(how)} ${t('Press any key to close.')}${RESET}\r\n`);
  }
}
