import type { LiveChats } from '../../chat/liveChats';
import type { Engine, FileSystem, PathStyle } from '../../engine';

/** The panels that show a session, which can be made to show another. */
export interface ShowingPanels {
  showing(sessionId: string): readonly { controller: Panel }[];
}

interface Panel {
  show(sessionId: string): void;
}

/** What is needed to act on whole sessions. */
export interface SessionActionsParts {
  engine: Engine;
  chats: LiveChats;
  panels: ShowingPanels;
  files: FileSystem;
  paths: PathStyle;
  openInEditor: (sessionId: string) => void;
}
