import { statSync } from 'node:fs';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

const BUDGET_MIB = 3;

/** Returns the download size of the package. */
export function measureVsix(built: StagedPackage): Row[] {
  const mib = statSync(built.vsix()).size / 1024 ** 2;
  return [{ what: 'VSIX', value: mib, unit: 'MiB', digits: 2, budget: BUDGET_MIB }];
}
