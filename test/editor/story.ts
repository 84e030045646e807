import { atEnd } from '../support/atEnd';
import { startModelServer } from '../support/modelServer/modelServer';
import type { Story as ModelStory } from '../support/modelServer/story';
import { EditorSession, type SessionOptions } from './editorSession';
import { KeptEditor } from './keptEditor';
import { modelEnvironment } from './modelEnvironment';
import { closeSharedBrowser } from './sharedBrowser';
import { SharedWindow } from './sharedWindow';
import { type Tell, TITLES, tellStory } from './tellStory';

export interface StoryOptions extends SessionOptions {
  readonly timeoutMs?: number;
  /** The model's script. It serves both vendors' addresses, with a key in the environment unless `key` is false. */
  readonly model?: ModelStory;
  readonly key?: boolean;
}

atEnd.add(async () => {
  await SharedWindow.end();
  await KeptEditor.endKept();
  await closeSharedBrowser();
});

/**
 * Defines a mocha test in an editor without leftovers of earlier tests. It also fails if the extension uses proposed API. After a
 * failure the diagnostics are kept under `.build/failures/`.
 */
export function story(title: string, tell: Tell): void;
export function story(title: string, options: StoryOptions, tell: Tell): void;
export function story(title: string, first: Tell | StoryOptions, second?: Tell): void {
  const options = typeof first === 'function' ? {} : first;
  const tell = typeof first === 'function' ? first : second;
  it(title, async function () {
    this.timeout(options.timeoutMs ?? 240_000);
    const model = await startModelServer([...(options.model ?? []), TITLES]);
    const env = { ...(options.model && modelEnvironment(model, options.key)), ...options.env };
    const session = await EditorSession.startInKept({ trace: true, ...options, env });
    let failed = true;
    try {
      if (tell) await tellStory(this, session, model, () => session.openWindow(), tell);
      failed = false;
    } finally {
      await session.close(failed);
      await model.close();
    }
  });
}
