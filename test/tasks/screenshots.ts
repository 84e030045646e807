import path from 'node:path';
import { parseArgs } from 'node:util';
import { repoRoot } from '../editor/repoRoot';
import { stagedPackage } from '../bench/stagedPackage';
import { Photographer } from '../screenshots/photographer';
import { movieScene } from '../screenshots/movieScene';
import { scenes } from '../screenshots/scenes';
import { allShots, keptShots, walkthroughShots } from '../screenshots/shots';
import { temporaryDir } from './temporaryDir';

/**
 * `npm run screenshots [-- --only SCENES] [-- --all]`: plays short conversations with a scripted model in a real editor and
 * writes screenshots and a GIF to media/screenshots/; with --all, every scene in every theme to .build/screenshots/.
 */
const { values: options } = parseArgs({
  options: { only: { type: 'string' }, all: { type: 'boolean', default: false } },
});

const names = scenes.map(({ name }) => name);
const known = [...names, movieScene.name];
const only = options.only?.split(',') ?? known;
const unknown = only.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no scene ${unknown.join(', ')}. The scenes are ${known.join(', ')}.`);
  process.exit(2);
}

async function main(): Promise<void> {
  console.log('Packaging a copy of the working folder …');
  const built = await stagedPackage(temporaryDir('screenshots-'));
  const folder = path.join(repoRoot, ...(options.all ? ['.build', 'screenshots'] : ['media', 'screenshots']));
  const shots = options.all ? allShots(names) : [...keptShots, ...walkthroughShots];
  const photographer = await Photographer.start(built.vsix(), folder);
  try {
    for (const scene of scenes.filter(({ name }) => only.includes(name))) {
      console.log(`▸ ${scene.name}`);
      await photographer.take(
        scene,
        shots.filter((shot) => shot.scene === scene.name),
      );
    }
    if (only.includes(movieScene.name)) {
      console.log(`▸ ${movieScene.name}`);
      await photographer.film(movieScene);
    }
  } finally {
    await photographer.close();
  }
  console.log(`The pictures are in ${path.relative(repoRoot, folder)}`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
