import { atEnd } from '../support/atEnd';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import type { Story as ModelStory } from '../support/modelServer/story';
import { EditorSession, type SessionOptions } from './editorSession';
import type { EditorWindow } from './editorWindow';
import { keepEvidence } from './keepEvidence';
import { KeptEditor } from './keptEditor';
import { Panel } from './panel';
import { closeSharedBrowser } from './sharedBrowser';
import type { WorkspaceFolder } from './workspaceFolder';

/** What a story is told with: an editor as if it were new, with one window on the sample project. */
export interface Story {
  readonly session: EditorSession;
  readonly window: EditorWindow;
  readonly panel: Panel;
  readonly workspace: WorkspaceFolder;
  /** The model of the option `model`; one that answers nothing without it. */
  readonly model: ModelServer;
}

export interface StoryOptions extends SessionOptions {
  readonly timeoutMs?: number;
  /** What the model says. It stands behind both vendors' addresses, with a key in the environment unless `key` is false. */
  readonly model?: ModelStory;
  readonly key?: boolean;
}

atEnd.add(async () => {
  await KeptEditor.endKept();
  await closeSharedBrowser();
});

/** The panel has the model name a new session; no story is about that unless it says so with a step of its own. */
const TITLES: ModelStory[number] = { when: ({ tools }) => tools.length === 0, step: { fail: { status: 400 } } };

type Tell = (story: Story) => Promise<void>;

/**
 * A mocha test in an editor where nothing is left of earlier ones. It fails, besides for its own reasons, when the extension uses proposed API. After a
 * failure the evidence stays under `.build/failures/`.
 */
export function story(title: string, tell: Tell): void;
export function story(title: string, options: StoryOptions, tell: Tell): void;
export function story(title: string, first: Tell | StoryOptions, second?: Tell): void {
  const options = typeof first === 'function' ? {} : first;
  const tell = typeof first === 'function' ? first : second;
  it(title, async function () {
    this.timeout(options.timeoutMs ?? 240_000);
    // Mocha's own time-out does not stop the test, so a little before it the story is failed from here, with evidence.
    const limit = this.timeout() - 15_000;
    const model = await startModelServer([...(options.model ?? []), TITLES]);
    const env = { ...(options.model && modelEnvironment(model, options.key ?? true)), ...options.env };
    const session = await EditorSession.startInKept({ trace: true, ...options, env });
    let failed = true;
    try {
      if (tell) await withinTime(limit, play(session, model, tell));
      failed = false;
    } catch (error) {
      const kept = await keepEvidence(this.test?.fullTitle() ?? title, session);
      throw new Error(`${error instanceof Error ? error.message : String(error)}\nEvidence: ${kept}`, { cause: error });
    } finally {
      await session.close(failed);
      await model.close();
    }
  });
}

function modelEnvironment({ url }: ModelServer, key: boolean): Record<string, string> {
  const addresses = { OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, OLLAMA_HOST: '127.0.0.1:9' };
  return key ? { ...addresses, OPENAI_API_KEY: 'test-key', ANTHROPIC_API_KEY: 'test-key' } : addresses;
}

async function play(session: EditorSession, model: ModelServer, tell: Tell): Promise<void> {
  const window = await session.openWindow();
  await tell({ session, window, panel: new Panel(window), workspace: session.workspace, model });
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
