import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDir } from '../tasks/temporaryDir';

/**
 * Makes the tests of this process open a panel with one mutant active. Reached mutants are not recorded, because the page runs
 * outside this process.
 */
export function panelWithMutant(panel: string, mutant: number | undefined): void {
  const folder = path.join(temporaryDir('panel-'), 'panel');
  mkdirSync(folder);
  cpSync(panel, folder, { recursive: true });
  const isMutant = `globalThis.isMutant = (id) => id === ${mutant ?? -1};`;
  for (const name of ['webview.js', 'pages.js']) {
    const script = path.join(folder, name);
    writeFileSync(script, `${isMutant}\n${readFileSync(script, 'utf8')}`);
  }
  process.env['CAIRN_PANEL'] = folder;
}
