import type { ProcessEnd } from '../../ports';

/** How a command ended, in words. */
export function endText({ exitCode, signal }: Pick<ProcessEnd, 'exitCode' | 'signal'>): string {
  return signal === null ? `Exit code ${exitCode ?? 'unknown'}.` : `Ended by signal ${signal}.`;
}
