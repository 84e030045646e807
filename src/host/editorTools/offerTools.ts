import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { Host } from '../host';
import { EDITOR_TOOL_RECORDS, editorToolName, type EditorToolRecord, READING } from './editorToolRecords';

/** How much of a longer input is shown. When Cairn asks, it shows all of it. */
const MAX_SHOWN = 2000;

/**
 * Registers the tools that the user lists. Calls are judged, approved, and recorded like those of a program that uses Cairn:
 * approvals given to agents in a chat do not apply, and edits and commands ask.
 */
export function offerTools(wanted: readonly unknown[], host: Host, workspaceFolder: () => string): Disposable {
  const store = new DisposableStore();
  for (const record of EDITOR_TOOL_RECORDS) {
    if (!wanted.includes(record.name) && !(record.reads && wanted.includes(READING))) continue;
    store.add(
      vscode.lm.registerTool<object>(editorToolName(record), {
        prepareInvocation: ({ input }) => prepared(record, input),
        invoke: ({ input }, token) => invoked(record, input, token, host, workspaceFolder()),
      }),
    );
  }
  return store;
}

/** A model's input is shown as plain text, so that no markup in it is rendered. */
function prepared({ name, reads }: EditorToolRecord, input: object): vscode.PreparedToolInvocation {
  const invocationMessage = t('Calling {0} of Cairn', name);
  if (reads) return { invocationMessage };
  const text = safeText(JSON.stringify(input, undefined, 2), 'exact');
  const message = new vscode.MarkdownString().appendCodeblock(text.slice(0, MAX_SHOWN), 'json');
  if (text.length > MAX_SHOWN)
    message.appendText(t('{0} more characters are not shown here.', text.length - MAX_SHOWN));
  message.appendText(t('Cairn asks you again if your rules do not allow it.'));
  return { invocationMessage, confirmationMessages: { title: t('Let Cairn run {0}?', name), message } };
}

async function invoked(
  { name }: EditorToolRecord,
  input: unknown,
  token: vscode.CancellationToken,
  { engine }: Host,
  workspace: string,
): Promise<vscode.LanguageModelToolResult> {
  if (!isRecord(input)) throw new Error(t('The input of {0} must be an object.', name));
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  try {
    const result = await engine.callTool(name, input, { workspace, signal: abort.signal });
    if (result.status !== 'ok') throw new Error(safeLine(result.text, 4000));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(result.text)]);
  } finally {
    listening.dispose();
  }
}
