import type { Story as ModelStory } from '../support/modelServer/story';
import { type ChapterOptions, type ScenePart, SharedWindow } from './sharedWindow';
import { type Tell, tellStory } from './tellStory';

/** A mocha test in the window of the chapter: the model's part, and what happens. */
type Scene = (title: string, part: ModelStory | ScenePart, tell: Tell) => void;

/**
 * Stories that are told in one window, since opening it takes longer than most of them. Before each everything is taken back that the one
 * before has done; where something stays the next has a window of its own (`SharedWindow`). What is about
 * trust, the environment, what a window is opened with or several windows is a `story`. Chapters with the same options share the window, also those
 * of several files.
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
