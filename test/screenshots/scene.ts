import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import type { Story } from '../support/modelServer/story';

/** A moment of a conversation that is worth a picture. */
export interface Scene {
  /** As the files are named. */
  readonly name: string;
  /** What the scripted model says in it. */
  readonly story: Story;
  /** Default: the scripted model, under the name of a real one. */
  readonly model?: string;
  /** Written into the folder for it, and taken away after. */
  readonly files?: Readonly<Record<string, string>>;
  /** Leads an empty chat to that moment, where it stays until the run is stopped. */
  play(panel: Panel, window: EditorWindow): Promise<void>;
  /** What has to be done anew before each picture, as a new theme closes what is open over the text. */
  pose?(window: EditorWindow): Promise<void>;
  /** Puts away what it has opened besides the session and the editors. */
  after?(window: EditorWindow, panel: Panel): Promise<void>;
}
