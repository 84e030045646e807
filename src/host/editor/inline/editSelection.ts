import { isUtf8 } from 'node:buffer';
import { access, constants, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { t } from '../../../base/l10n';
import type { Host, Command } from '../../host';
import { activeEditor } from '../../commands/contextCommands';
import { nameOf, targetOf } from '../../context/contextItems';
import { askText } from '../../shown/askText';
import { shownLanguage } from '../../shown/shownLanguage';
import { type EditedLines, editedLines } from './editedLines';
import { type InlineEdit, proposeEdit } from './proposeEdit';
import { NotPossible } from '../../shown/notify';

/** Maximum size of the edited part, because the model has to write about as much again. */
const MAX_CHARACTERS = 40_000;

/** The last instruction given in this window. */
const wishes = new WeakMap<Host, string>();

/** Has the model edit the selection, or the block around the caret, as the user instructs. The result is a proposal to keep or undo. */
export function editSelection(host: Host): Command {
  return {
    async run() {
      const editor = activeEditor();
      const { document } = editor;
      const chat = await host.currentChat();
      const { model } = chat.state;
      if (model.scripted) throw new NotPossible(t('The demo cannot edit a selection. Choose a model first.'));
      await checkFile(document);
      await checkRules(host, document, chat.session.metadata.workspace);
      const lines = await editedLines(editor);
      checkSize(document, lines);
      const { version } = document;
      const wish = await askWish(host, lines, document);
      if (wish === undefined) return;
      if (document.version !== version)
        throw new Error(t('{0} changed while you typed. Select the lines again.', nameOf(document.fileName)));
      const edit: InlineEdit = { editor, lines, wish, sessionId: chat.session.id, model: model.label };
      await proposeEdit(host, edit);
    },
  };
}

/** Throws with a message for the user if the document cannot be written. */
async function checkFile(document: vscode.TextDocument): Promise<void> {
  const { uri, fileName } = document;
  if (uri.scheme === 'vscode-notebook-cell')
    throw new NotPossible(t('A notebook cell cannot be edited this way. Ask in the chat instead.'));
  if (uri.scheme !== 'file')
    throw new NotPossible(t('Only files can be edited this way. Save this document to a file first.'));
  try {
    await access(fileName, constants.W_OK);
  } catch {
    throw new NotPossible(t('{0} cannot be written: it is read-only, or no longer on disk.', nameOf(fileName)));
  }
  if (document.getText().includes('\uFFFD') && !isUtf8(await readFile(fileName)))
    throw new NotPossible(
      t(
        '{0} is open in the wrong encoding, and saving it would lose characters. Reopen it with its encoding first.',
        nameOf(fileName),
      ),
    );
}

/**
 * Applies the rules as for an agent's edit. A rule that asks needs no prompt here, because the proposal itself is written only
 * once accepted.
 */
async function checkRules({ engine }: Host, { fileName }: vscode.TextDocument, workspace: string): Promise<void> {
  const { action, reason } = await engine.rules.check('fs_write', { path: fileName, contents: '' }, { workspace });
  if (action === 'deny') throw new Error(t('{0} cannot be edited: {1}', nameOf(fileName), reason));
}

function checkSize(document: vscode.TextDocument, { first, end }: EditedLines): void {
  const size = document.getText(new vscode.Range(first, 0, end, 0)).length;
  if (size <= MAX_CHARACTERS) return;
  throw new Error(
    t(
      'These {0} lines are too long to be edited at once: {1} of at most {2} characters. Select fewer, or ask in the chat.',
      end - first,
      size.toLocaleString(shownLanguage()),
      MAX_CHARACTERS.toLocaleString(shownLanguage()),
    ),
  );
}

async function askWish(
  host: Host,
  { first, end }: EditedLines,
  { uri }: vscode.TextDocument,
): Promise<string | undefined> {
  const target = targetOf(uri);
  const isOne = end - first === 1;
  const last = wishes.get(host);
  const wish = await askText({
    title: isOne ? t('Edit line {0} of {1}', end, target) : t('Edit lines {0}–{1} of {2}', first + 1, end, target),
    prompt: t('What should be different?'),
    placeHolder: t('Handle an empty list'),
    ...(last !== undefined && { value: last }),
    validateInput: (text) => (text.trim() === '' ? '' : undefined),
  });
  if (wish === undefined || wish.trim() === '') return undefined;
  wishes.set(host, wish);
  return wish.trim();
}
