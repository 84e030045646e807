import type { PanelCommand } from '../../src/protocol/chatState';
import type { FailureLog } from '../store/failureLog';
import type { RequestHost } from './requestHost';

/** What the editor does for the panel. */
export interface EditorActions {
  openFile(path: string, line?: number): void;
  openLink(url: string): void;
  runCommand(command: PanelCommand): void;
  copy(text: string): Promise<boolean>;
}

export function editorActions(request: RequestHost, failures: FailureLog): EditorActions {
  return {
    openFile: (path, line) =>
      void failures.watch(
        `${path} could not be opened`,
        request('editor/open-file', line === undefined ? { path } : { path, line }),
      ),
    openLink: (url) => void failures.watch('The link could not be opened', request('editor/open-link', { url })),
    runCommand: (command) => void failures.watch('That did not work', request('command/run', { command })),
    copy: (text) => failures.watch('The text could not be copied', navigator.clipboard.writeText(text)),
  };
}
