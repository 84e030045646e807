import type { LiveChats } from '../../chat/liveChats';
import type { Engine, FileSystem, PathStyle } from '../../engine';

/** Finds the panels that show a session, so that they can be switched to another. */
interface ShowingPanels {
  showing(sessionId: string): readonly { controller: Panel }[];
}

interface Panel {
  show(sessionId: string): void;
}

/** What actions on whole sessions need. */
export interface SessionActionsParts {
  engine: Engine;
  chats: LiveChats;
  panels: ShowingPanels;
  files: FileSystem;
  paths: PathStyle;
  openInEditor: (sessionId: string) => void;
}
