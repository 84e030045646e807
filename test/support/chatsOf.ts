import { onDispose } from '../../src/base/disposable';
import type { LiveChat } from '../../src/chat/liveChat';
import { LiveChats } from '../../src/chat/liveChats';
import { KeptMessages } from '../../src/chat/messageQueue';
import { engineSettingsSchema } from '../../src/engine';
import type { EngineWorld } from './engineWorld';
import type { FileToReview } from '../../src/protocol/chatState';
import { memory } from './openChat';

/** Made once: the chats ask for their settings again and again. */
const settingsSchema = engineSettingsSchema();

/** The chats of a window on that world. Each opened chat is added to `opened`. */
export function chatsOf(
  { engine, folder, warnings }: EngineWorld,
  set: { approvalMode?: string; workspaceName?: string; isTrusted?: boolean } = {},
  opened?: LiveChat[],
  toReview: (sessionId: string) => readonly FileToReview[] = () => [],
): LiveChats {
  const log = {
    warn: (text: string) => void warnings.push(text),
    error: (text: string) => void warnings.push(text),
    info: () => undefined,
  };
  return new LiveChats({
    engine,
    workspace: {
      folder,
      get isTrusted() {
        return set.isTrusted ?? true;
      },
      welcome: () =>
        Promise.resolve({ workspaceName: set.workspaceName ?? 'w', project: [], instructions: [], starters: [] }),
    },
    settings: () => settingsSchema.parse({ approvalMode: set.approvalMode }),
    log,
    kept: new KeptMessages(memory(), log),
    toReview,
    read: () => Promise.resolve([]),
    onOpened: (chat) => {
      opened?.push(chat);
      return onDispose(() => undefined);
    },
  });
}
