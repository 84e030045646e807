import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from './chatApiParts';

/** What the buttons of a code block do. */
export function codeHandlers({
  workspaceFolder,
}: Pick<ChatApiParts, 'workspaceFolder'>): Handlers<'code/insert' | 'code/apply' | 'code/run'> {
  return {
    'code/insert': async ({ text }) => {
      await (await import('../../editor/code/insertCode')).insertCode(text);
      return null;
    },
    'code/apply': async ({ text, path }) => {
      await (await import('../../editor/code/applyCode')).applyCode(text, path, workspaceFolder());
      return null;
    },
    'code/run': async ({ text }) => {
      await (await import('../../editor/code/runInTerminal')).runInTerminal(text, workspaceFolder());
      return null;
    },
  };
}
