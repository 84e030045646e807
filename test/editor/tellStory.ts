import type { Context } from 'mocha';
import type { ModelServer } from '../support/modelServer/modelServer';
import type { Story as ModelStory } from '../support/modelServer/story';
import type { EditorSession } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { keepEvidence } from './keepEvidence';
import { Panel } from './panel';
import type { WorkspaceFolder } from './workspaceFolder';

/** What a story works with: an editor in a fresh state, with one window on the sample project. */
export interface Story {
  readonly session: EditorSession;
  readonly window: EditorWindow;
  readonly panel: Panel;
  readonly workspace: WorkspaceFolder;
  /** The model from the option `model`; without it, a model that answers nothing. */
  readonly model: ModelServer;
}

export type Tell = (story: Story) => Promise<void>;

/**
 * Fails the requests with which the panel has the model name a new session. They come after a session's first run, at a time that
 * no story can know, so they are not among the model's requests. A story that tests titles adds its own step for them.
 */
export const TITLES: ModelStory[number] = {
  when: ({ tools }) => tools.length === 0,
  step: { fail: { status: 400 } },
  isAside: true,
};

/** Runs a story within the timeout of its test. It also fails if the extension uses proposed API. On failure the diagnostics are kept. */
export async function tellStory(
  test: Context,
  session: EditorSession,
  model: ModelServer,
  open: () => Promise<EditorWindow>,
  tell: Tell,
): Promise<void> {
  // Mocha's own timeout does not stop the test, so the story fails itself shortly before it, with diagnostics.
  const limit = test.timeout() - 15_000;
  const play = async (): Promise<void> => {
    const window = await open();
    await tell({ session, window, panel: new Panel(window), workspace: session.workspace, model });
    const proposed = session.windows.flatMap((each) => each.console.proposedApi);
    if (proposed.length > 0) throw new Error(`The extension uses proposed API:\n${proposed.join('\n')}`);
  };
  try {
    await withinTime(limit, play());
  } catch (error) {
    const kept = await keepEvidence(test.test?.fullTitle() ?? 'a story', session);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nEvidence: ${kept}`, { cause: error });
  }
}

async function withinTime(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The story took longer than ${ms / 1000} s.`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
