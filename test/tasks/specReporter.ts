import { inspect } from 'node:util';
import Mocha, { type ReporterConstructor, type Runner, type Suite, type Test } from 'mocha';
import type { TestReport } from './testReport';

/** Prints each test on a line of its own, then the failures, and passes the same to `keep`. */
export function specReporter(keep: (report: TestReport) => void, print: (line: string) => void): ReporterConstructor {
  return class extends Mocha.reporters.Base {
    private readonly lines: string[] = [];
    private readonly told: string[] = [];
    private passed = 0;
    private readonly skipped: string[] = [];

    constructor(runner: Runner) {
      super(runner);
      runner.on('suite', (suite) => {
        if (suite.title) this.say(`${indent(suite)}${suite.title}`);
      });
      runner.on('pass', (test) => {
        this.passed += 1;
        const slow = (test.duration ?? 0) >= 500 ? ` (${((test.duration ?? 0) / 1000).toFixed(1)} s)` : '';
        this.say(`${indent(test)}✓ ${test.title}${slow}`);
      });
      runner.on('fail', (test, error: unknown) => {
        this.told.push(`${this.told.length + 1}) ${test.fullTitle()}\n${describeError(error)}`);
        this.say(`${indent(test)}✗ ${test.title} (failure ${this.told.length})`);
      });
      runner.on('pending', (test) => {
        this.skipped.push(test.fullTitle());
        this.say(`${indent(test)}- ${test.title} (skipped)`);
      });
      runner.once('end', () => this.finish());
    }

    private finish(): void {
      if (this.told.length > 0) this.say(`\nFailures:\n\n${this.told.join('\n\n')}\n`);
      keep({
        passed: this.passed,
        failed: this.told.length,
        failures: this.told,
        skipped: this.skipped,
        lines: this.lines,
      });
    }

    private say(line: string): void {
      this.lines.push(line);
      print(line);
    }
  };
}

function indent(node: Suite | Test): string {
  const depth = node.titlePath().length - (node.title ? 1 : 0);
  return '  '.repeat(Math.max(1, depth));
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `   ${String(error)}`;
  const values =
    'expected' in error && 'actual' in error
      ? `\nexpected: ${show(error.expected)}\n  actual: ${show(error.actual)}`
      : '';
  // The cause has the line of the test; the error around it has the better message.
  const words =
    error.cause instanceof Error ? `${error.message}\n${error.cause.stack ?? ''}` : (error.stack ?? error.message);
  const stack = words.split('\n').filter((line) => !/node:internal|node_modules/.test(line));
  return `${stack.slice(0, 40).join('\n')}${values}`.replace(/^/gm, '   ');
}

function show(value: unknown): string {
  return (typeof value === 'string' ? value : inspect(value, { depth: 6 })).slice(0, 2000);
}
