import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BundledPackage } from './bundledPackages';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** The text of ThirdPartyNotices.txt: name, version, and license of every bundled package. */
export function thirdPartyNotices(packages: readonly BundledPackage[]): string {
  const intro = 'Cairn contains the following software of others, each under its own licence.\n';
  return [intro, ...packages.map(notice)].join(`\n${'-'.repeat(80)}\n\n`);
}

function notice(bundled: BundledPackage): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(bundled.dir, 'package.json'), 'utf8'));
  const head = `${bundled.name} ${field(manifest, 'version')}\nLicence: ${field(manifest, 'license')}\n`;
  const files = readdirSync(bundled.dir).filter((name) => LICENCE_FILE.test(name));
  const texts = files.sort().map((name) => readFileSync(path.join(bundled.dir, name), 'utf8').trim());
  return [head, ...texts].join('\n') + '\n';
}

function field(manifest: unknown, name: string): string {
  if (typeof manifest !== 'object' || manifest === null) return 'unknown';
  const value: unknown = Reflect.get(manifest, name);
  return typeof value === 'string' ? value : 'unknown';
}
