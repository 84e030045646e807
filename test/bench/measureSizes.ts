import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

/** In KiB. `extension.js` is what the editor loads, `host.js` what that loads at once. */
const BUDGETS: Readonly<Record<string, number>> = { 'extension.js': 500, 'host.js': 500, 'webview.js': 450 };

/** The sizes of everything that is shipped in dist/. */
export function measureSizes({ dist }: StagedPackage): Row[] {
  const files = readdirSync(dist).filter((name) => !name.endsWith('.map'));
  const ordered = files.sort((a, b) => Number(b in BUDGETS) - Number(a in BUDGETS) || a.localeCompare(b));
  return ordered.flatMap((name) => sizeRows(dist, name));
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
