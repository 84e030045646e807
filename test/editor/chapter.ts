import type { Story as ModelStory } from '../support/modelServer/story';
import { type ChapterOptions, type ScenePart, SharedWindow } from './sharedWindow';
import { type Tell, tellStory } from './tellStory';

/** Defines a mocha test in the chapter's window, from the model's part and the actions of the test. */
type Scene = (title: string, part: ModelStory | ScenePart, tell: Tell) => void;

/**
 * Defines stories that share one window, since opening a window takes longer than most of them. Before each story, everything
 * that the previous one did is reset; if something cannot be reset, the next story gets a new window (`SharedWindow`). A test
 * about trust, the environment, the options of a window, or several windows is a `story` instead. Chapters with the same options
 * share the window, even across files.
 */
export function chapter(options: ChapterOptions): Scene {
  return (title, part, tell) => {
    it(title, async function () {
      this.timeout(240_000);
      const shared = await SharedWindow.take(options);
      let failed = true;
      try {
        const model = await shared.play(options, 'model' in part ? part : { model: part });
        await tellStory(this, shared.session, model, () => Promise.resolve(shared.window), tell);
        failed = false;
      } finally {
        if (failed) await SharedWindow.end(true);
      }
    });
  };
}
