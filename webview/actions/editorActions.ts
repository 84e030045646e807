import { t } from '../../src/base/l10n';
import type { PanelCommand } from '../../src/protocol/commands';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from '../../src/protocol/hostClient';

/** What the editor does for the panel. */
export interface EditorActions {
  openFile(path: string, line?: number): void;
  openLink(url: string): void;
  runCommand(command: PanelCommand): void;
  copy(text: string): Promise<boolean>;
  insertCode(text: string): void;
  /** Applies code to the file at this path, or else to the active editor; the user sees the change first. */
  applyCode(text: string, path: string | undefined): void;
  runCode(text: string): void;
}

export function editorActions(request: RequestHost, failures: FailureLog): EditorActions {
  return {
    openFile: (path, line) =>
      void failures.watch(
        t('{0} could not be opened', path),
        request('editor/open-file', line === undefined ? { path } : { path, line }),
      ),
    openLink: (url) => void failures.watch(t('The link could not be opened'), request('editor/open-link', { url })),
    runCommand: (command) => void failures.watch(t('Something went wrong'), request('command/run', { command })),
    insertCode: (text) => void failures.watch(t('The code could not be inserted'), request('code/insert', { text })),
    applyCode: (text, path) =>
      void failures.watch(
        t('The code could not be applied'),
        request('code/apply', path === undefined ? { text } : { text, path }),
      ),
    runCode: (text) =>
      void failures.watch(t('The code could not be sent to a terminal'), request('code/run', { text })),
    copy: (text) => failures.watch(t('The text could not be copied'), navigator.clipboard.writeText(text)),
  };
}
