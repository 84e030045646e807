import type { Handlers } from '../../../protocol/hostApi';
import { applyCode } from '../../editor/code/applyCode';
import { insertCode } from '../../editor/code/insertCode';
import { runInTerminal } from '../../editor/code/runInTerminal';
import type { ChatApiParts } from '../chatApi';

/** What the buttons of a code block do. */
export function codeHandlers({
  workspaceFolder,
}: Pick<ChatApiParts, 'workspaceFolder'>): Handlers<'code/insert' | 'code/apply' | 'code/run'> {
  return {
    'code/insert': async ({ text }) => {
      await insertCode(text);
      return null;
    },
    'code/apply': async ({ text, path }) => {
      await applyCode(text, path, workspaceFolder());
      return null;
    },
    'code/run': async ({ text }) => {
      await runInTerminal(text, workspaceFolder());
      return null;
    },
  };
}
