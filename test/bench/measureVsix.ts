import { statSync } from 'node:fs';
import type { Row } from './row';
import type { StagedPackage } from './stagedPackage';

const BUDGET_MIB = 3;

/** The size of the package as it is downloaded. */
export function measureVsix(built: StagedPackage): Row[] {
  const mib = statSync(built.vsix()).size / 1024 ** 2;
  return [{ what: 'VSIX', value: mib, unit: 'MiB', digits: 2, budget: BUDGET_MIB }];
}
