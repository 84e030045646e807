import type { Story as ModelStory } from '../support/modelServer/story';
import { type ChapterOptions, SharedWindow } from './sharedWindow';
import { type Tell, tellStory } from './tellStory';

/** A mocha test in the window of the chapter: the model's part, and what happens. */
type Scene = (title: string, model: ModelStory, tell: Tell) => void;

/**
 * Stories that are told in one window, since opening it takes longer than most of them. Before each everything is taken back that the one
 * before has done; where something stays the next has a window of its own (`SharedWindow`). Only the list of sessions grows. What is about a
 * reload, trust, the environment, settings that change or several windows is a `story`.
 */
export function chapter(options: ChapterOptions): Scene {
  after(() => SharedWindow.end());
  return (title, modelStory, tell) => {
    it(title, async function () {
      this.timeout(240_000);
      const shared = await SharedWindow.take(options);
      let failed = true;
      try {
        const model = shared.play(modelStory);
        await tellStory(this, shared.session, model, () => Promise.resolve(shared.window), tell);
        failed = false;
      } finally {
        if (failed) await SharedWindow.end(true);
      }
    });
  };
}
