import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadedAtOnce } from '../tasks/loadedAtOnce';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

/** In KiB. */
const BUDGETS: Readonly<Record<string, number>> = { 'webview.js': 380 };
/** In KiB: `extension.js`, which the editor loads, with `host.js` and the chunks that it loads immediately. */
const AT_ONCE = 400;

/** Returns the sizes of everything shipped in dist/, except the chunks of `host.js`, whose names change with their content. */
export function measureSizes({ dist }: StagedPackage): Row[] {
  const root = path.dirname(dist);
  const atOnce = ['dist/extension.js', ...loadedAtOnce(root, 'host')];
  const total = atOnce.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
  const files = readdirSync(dist).filter((name) => !name.endsWith('.map') && !/^host-/.test(name));
  const ordered = files.sort((a, b) => Number(b in BUDGETS) - Number(a in BUDGETS) || a.localeCompare(b));
  return [
    { what: 'what the extension loads at once', value: total / 1024, unit: 'KiB', digits: 0, budget: AT_ONCE },
    ...ordered.flatMap((name) => sizeRows(dist, name)),
  ];
}

function sizeRows(dist: string, name: string): Row[] {
  const bytes = readFileSync(path.join(dist, name));
  const budget = BUDGETS[name];
  const size: Row = { what: `dist/${name}`, value: bytes.length / 1024, unit: 'KiB', digits: 0 };
  return [
    budget === undefined ? size : { ...size, budget },
    { what: `dist/${name}, gzip`, value: gzipSync(bytes).length / 1024, unit: 'KiB', digits: 0 },
  ];
}
