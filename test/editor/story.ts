import { EditorSession, type SessionOptions } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { keepEvidence } from './keepEvidence';
import { Panel } from './panel';
import { closeSharedBrowser } from './sharedBrowser';
import type { WorkspaceFolder } from './workspaceFolder';

/** What a story is told with: a fresh editor with one window on the sample project. */
export interface Story {
  readonly session: EditorSession;
  readonly window: EditorWindow;
  readonly panel: Panel;
  readonly workspace: WorkspaceFolder;
}

export interface StoryOptions extends SessionOptions {
  readonly timeoutMs?: number;
}

after(closeSharedBrowser);

type Tell = (story: Story) => Promise<void>;

/**
 * A mocha test in a fresh editor. It fails, besides for its own reasons, when the extension uses proposed API. After a
 * failure the evidence stays under `.build/failures/`.
 */
export function story(title: string, tell: Tell): void;
export function story(title: string, options: StoryOptions, tell: Tell): void;
export function story(title: string, first: Tell | StoryOptions, second?: Tell): void {
  const options = typeof first === 'function' ? {} : first;
  const tell = typeof first === 'function' ? first : second;
  it(title, async function () {
    this.timeout(options.timeoutMs ?? 120_000);
    // Mocha's own time-out does not stop the test, so a little before it the story is failed from here, with evidence.
    const limit = this.timeout() - 15_000;
    const session = await EditorSession.start({ trace: true, ...options });
    try {
      if (tell) await withinTime(limit, play(session, tell));
    } catch (error) {
      const kept = await keepEvidence(this.test?.fullTitle() ?? title, session);
      throw new Error(`${error instanceof Error ? error.message : String(error)}\nEvidence: ${kept}`, { cause: error });
    } finally {
      await session.close();
    }
  });
}

async function play(session: EditorSession, tell: Tell): Promise<void> {
  const window = await session.openWindow();
  await tell({ session, window, panel: new Panel(window), workspace: session.workspace });
  const proposed = session.windows.flatMap((each) => each.console.proposedApi);
  if (proposed.length > 0) throw new Error(`The extension uses proposed API:\n${proposed.join('\n')}`);
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
