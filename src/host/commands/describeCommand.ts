import * as vscode from 'vscode';
import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { safeDialog } from '../../base/shown/shownLines';
import { runInTerminal } from '../editor/code/runInTerminal';
import { terminalLines } from '../editor/code/terminalLines';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { askInDialog, NotPossible, telling, withCancel } from '../shown/notify';

type Ask = (
  role: 'shell' | 'explain-shell',
  text: string,
  signal: AbortSignal,
  tell: (words: string) => void,
) => Promise<string>;

interface Described {
  command: string;
  /** What the command does, in plain words. */
  explanation: string;
}

/** Turns a description into a command for the user's shell and explains it before anything is done with it. */
export function describeCommand({ engine, currentChat, panels }: Host): Command {
  return {
    async run() {
      const { session, state } = await currentChat();
      if (state.model.scripted) throw new NotPossible(t('The demo cannot generate commands. Choose a model first.'));
      const ask: Ask = (role, text, signal, tell) =>
        engine.askRole({ role, text, sessionId: session.id, ...telling(tell) }, signal);
      const wish = await askWish(
        t('Generate Terminal Command'),
        t('What should it do?'),
        t('List the ten largest files'),
      );
      if (wish === undefined) panels.backToPanel();
      if (wish === undefined) return;
      let described = await write(ask, wish);
      while (described) described = await decide(ask, wish, described, session.metadata.workspace);
    },
  };
}

/**
 * Carries out the user's choice. A command that cannot be shown in full is not run from here. Returns the next command to decide
 * on; undefined if the user is done.
 */
async function decide(
  ask: Ask,
  wish: string,
  { command, explanation }: Described,
  folder: string,
): Promise<Described | undefined> {
  const run = { title: t('Run'), means: 'run' } as const;
  const others = [
    { title: t('Copy'), means: 'copy' },
    { title: t('Edit…'), means: 'edit' },
    { title: t('Revise…'), means: 'revise' },
  ] as const;
  const actions = [...(safeDialog(command, 'exact').isWhole ? [run] : []), ...others];
  const shown = { question: command, detail: explanation, exact: 'question', level: 'info' } as const;
  const choice = await askInDialog(shown, ...actions);
  switch (choice) {
    case 'run':
      await runInTerminal(command, folder, { now: true });
      return undefined;
    case 'copy':
      await vscode.env.clipboard.writeText(command);
      return undefined;
    case 'edit': {
      const edited = await askText({ title: t('Edit the command'), value: command, ...KEEPS });
      if (edited === undefined || edited.trim() === command) return { command, explanation };
      return explain(ask, edited.trim());
    }
    case 'revise': {
      const change = await askWish(t('Revise the command'), t('What should be different?'), t('Only in this folder'));
      if (change === undefined) return { command, explanation };
      const text = `${wish}\n\nSo far the command is: ${command}\nChange it: ${change}`;
      return (await write(ask, text)) ?? { command, explanation };
    }
    default:
      return undefined;
  }
}

const KEEPS = { ignoreFocusOut: true, validateInput: (text: string) => (text.trim() === '' ? '' : undefined) };

function askWish(title: string, prompt: string, example: string): Thenable<string | undefined> {
  return askText({ title, prompt, placeHolder: example, ...KEEPS });
}

/** Returns undefined if the user canceled before there was a command. */
async function write(ask: Ask, wish: string): Promise<Described | undefined> {
  const answer = await withCancel(t('Generating the command'), (signal, tell) => ask('shell', wish, signal, tell));
  if (answer === undefined) return undefined;
  const command = terminalLines(answer).join('\n');
  if (command === '') throw new Error(t('The model returned no command. Describe it differently and try again.'));
  return explain(ask, command);
}

/** A command that cannot be explained can still be decided on. */
async function explain(ask: Ask, command: string): Promise<Described> {
  const title = t('Explaining the command');
  const said = await withCancel(title, (signal, tell) =>
    ask('explain-shell', command, signal, tell).catch((error: unknown) => {
      if (isAbort(error)) throw error;
      return `${t('No explanation:')}  ${errorText(error)}`;
    }),
  );
  return { command, explanation: said === undefined ? t('No explanation.') : plainWords(said) };
}

/** Dialogs do not render Markdown. */
function plainWords(markdown: string): string {
  return markdown
    .replace(/^[^\S\n]*[-*] /gm, '• ')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1');
}
