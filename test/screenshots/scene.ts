import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import type { Story } from '../support/modelServer/story';

/** A moment of a conversation worth a screenshot. */
export interface Scene {
  /** Used in file names. */
  readonly name: string;
  /** What the scripted model does. */
  readonly story: Story;
  /** Defaults to the scripted model, named like a real one. */
  readonly model?: string;
  /** Files added to the folder for the scene and removed afterwards. */
  readonly files?: Readonly<Record<string, string>>;
  /** Brings an empty chat to the moment, which lasts until the run is stopped. */
  play(panel: Panel, window: EditorWindow): Promise<void>;
  /** Repeated before each screenshot, for example because a new theme closes what is open over the text. */
  pose?(window: EditorWindow): Promise<void>;
  /** Closes what the scene opened in addition to the session and editors. */
  after?(window: EditorWindow, panel: Panel): Promise<void>;
}
