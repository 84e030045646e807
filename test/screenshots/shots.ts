import type { Theme } from '../editor/editorWindow';

/** A screenshot of a scene in a theme, with the panel at a width in pixels. */
export interface Shot {
  readonly scene: string;
  readonly theme: Theme;
  readonly width: number;
  /** Limits the screenshot to this many pixels from the bottom. */
  readonly height?: number;
  /**
   * Where the screenshot is saved, relative to `media/`. Defaults to a name made of its scene and theme, in the folder of the
   * other screenshots.
   */
  readonly file?: string;
}

/** Scenes whose screenshots show the whole window. */
export const WINDOWS: readonly string[] = ['window', 'customizations', 'graph', 'broken-agent'];
/** Scenes whose screenshots show only the open list. */
export const LISTS: readonly string[] = ['models'];
/** The smallest usable width of a side bar. */
const LEAST = 240;
const NARROW = 280;
const WIDE = 700;
const USUAL = 420;
const THEMES: readonly Theme[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

const shot = (scene: string, theme: Theme, width: number): Shot => ({ scene, theme, width });

/** The screenshots kept in the repository: each scene narrow and wide, each theme with cards, code, and notices. */
export const keptShots: readonly Shot[] = [
  shot('empty', 'dark', NARROW),
  shot('empty', 'light', WIDE),
  shot('streaming', 'dark', WIDE),
  shot('streaming', 'light', NARROW),
  shot('streaming', 'high-contrast', WIDE),
  shot('approval', 'dark', NARROW),
  shot('approval', 'light', WIDE),
  shot('approval', 'high-contrast', NARROW),
  shot('approval', 'high-contrast-light', WIDE),
  shot('window', 'dark', USUAL),
  shot('command', 'dark', WIDE),
  shot('command', 'high-contrast-light', NARROW),
  shot('question', 'dark', WIDE),
  shot('question', 'light', NARROW),
  shot('finished', 'dark', NARROW),
  shot('finished', 'light', WIDE),
  shot('finished', 'high-contrast', WIDE),
  shot('error', 'dark', NARROW),
  shot('error', 'high-contrast-light', WIDE),
  shot('tour', 'dark', USUAL),
  shot('agents', 'dark', USUAL),
  shot('agents', 'light', LEAST),
  shot('agents', 'high-contrast', WIDE),
  shot('agent-approval', 'light', USUAL),
  shot('agent-approval', 'dark', LEAST),
  shot('agent-answers', 'dark', USUAL),
  shot('sessions', 'dark', LEAST),
  shot('sessions', 'light', USUAL),
  shot('setup', 'dark', USUAL),
  shot('setup', 'light', LEAST),
  shot('setup', 'high-contrast-light', USUAL),
  shot('customizations', 'dark', USUAL),
  shot('graph', 'dark', USUAL),
  shot('broken-agent', 'light', USUAL),
];

/** Each step of the walkthrough, in light and dark. */
const walkthrough = Object.entries({ chat: 'finished', model: 'models', context: 'context', review: 'approval' });
export const walkthroughShots: readonly Shot[] = walkthrough.flatMap(([step, scene]) =>
  (['dark', 'light'] as const).map((theme) => ({
    ...shot(scene, theme, USUAL),
    height: 560,
    file: `walkthrough/${step}-${theme}.png`,
  })),
);

/** Every scene in every theme, narrow and wide, to look through after a change of the panel. */
export function allShots(scenes: readonly string[]): Shot[] {
  const panels = scenes.filter((scene) => !WINDOWS.includes(scene));
  const inThemes = panels.flatMap((scene) =>
    THEMES.flatMap((theme) => [NARROW, WIDE].map((width) => shot(scene, theme, width))),
  );
  const windows = scenes.filter((scene) => WINDOWS.includes(scene));
  return [...inThemes, ...windows.flatMap((scene) => THEMES.map((theme) => shot(scene, theme, USUAL)))];
}
