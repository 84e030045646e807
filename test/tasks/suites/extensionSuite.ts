import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { EditorServer } from '../../editor/editorServer';
import { cleanEnvironment } from '../../editor/cleanEnvironment';
import { EditorWindow } from '../../editor/editorWindow';
import { electronEditor } from '../../editor/electronEditor';
import { provisionServer } from '../../editor/provisionServer';
import { repoRoot } from '../../editor/repoRoot';
import { closeSharedBrowser, sharedBrowser } from '../../editor/sharedBrowser';
import { WorkspaceFolder } from '../../editor/workspaceFolder';
import { bundleTests } from '../bundleTests';
import { findTests } from '../findTests';
import type { SuiteResult } from '../suiteResult';
import { readTestReport } from '../testReport';

const NAME = 'extension host';
/** An extension that uses Cairn's API. */
const EXAMPLE = path.join(repoRoot, 'test', 'fixtures', 'extension');
const TIMEOUT_MS = 15 * 60_000;

export interface ExtensionSuiteOptions {
  readonly grep?: string | undefined;
  /** The extension under test, and the folder of `test/` with its tests. */
  readonly developmentPath?: string;
  readonly folder?: string;
}

/** Runs `test/extension` inside the extension host of a real editor. */
export async function extensionSuite(options: ExtensionSuiteOptions = {}): Promise<SuiteResult> {
  const folder = options.folder ?? 'extension';
  const files = findTests(folder);
  if (files.length === 0) {
    console.log(`  ✗ there are no test files in test/${folder}`);
    return { name: NAME, passed: 0, failed: 1, skipped: [] };
  }
  await bundleTests('extension-tests', ['test/extension/runner.ts', ...files], 'cjs');
  const report = path.join(repoRoot, '.build', 'reports', 'extension.json');
  await mkdir(path.dirname(report), { recursive: true });
  await rm(report, { force: true });
  const run: TestRun = {
    developmentPath: options.developmentPath ?? repoRoot,
    testsPath: path.join(repoRoot, '.build', 'extension-tests', 'extension', 'runner.js'),
    workspace: await WorkspaceFolder.create('sample'),
    env: { CAIRN_TEST_REPORT: report, ...(options.grep !== undefined && { CAIRN_TEST_GREP: options.grep }) },
  };
  try {
    const code = await inSomeEditor(run);
    return countTests(report, code);
  } finally {
    await run.workspace.remove();
  }
}

interface TestRun {
  readonly developmentPath: string;
  readonly testsPath: string;
  readonly workspace: WorkspaceFolder;
  readonly env: Readonly<Record<string, string>>;
}

function countTests(report: string, code: number): SuiteResult {
  const counts = readTestReport(report);
  if (counts === undefined) {
    console.log(`  ✗ the extension host ended (${code}) without a report: the tests did not load, or it crashed`);
    return { name: NAME, passed: 0, failed: 1, skipped: [] };
  }
  for (const line of counts.lines) console.log(line);
  const broken = counts.failed === 0 && code !== 0 ? 1 : 0;
  if (broken) console.log(`  ✗ all tests passed, but the editor ended with exit code ${code}`);
  const { passed, failures, skipped } = counts;
  return { name: NAME, passed, failed: counts.failed + broken, failures, skipped };
}

async function inSomeEditor(run: TestRun): Promise<number> {
  const program = await electronEditor(console.log);
  return program === undefined ? inServer(run) : inElectron(run, program);
}

async function inElectron(run: TestRun, program: string): Promise<number> {
  const userData = await mkdtemp(path.join(tmpdir(), 'editor-'));
  try {
    return await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: [run.developmentPath, EXAMPLE],
      extensionTestsPath: run.testsPath,
      extensionTestsEnv: { ...run.env, CAIRN_CONFIG_DIR: path.join(userData, 'config') },
      launchArgs: [
        run.workspace.path,
        '--disable-extensions',
        '--disable-workspace-trust',
        '--user-data-dir',
        userData,
      ],
    });
  } catch {
    return 1; // The report says what failed.
  } finally {
    await rm(userData, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function inServer(run: TestRun): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'editor-'));
  const env = { ...run.env, CAIRN_CONFIG_DIR: path.join(dataDir, 'config') };
  const install = await provisionServer(console.log);
  const server = await EditorServer.start({
    ...{ install, dataDir, extensions: [EXAMPLE] },
    env: { ...cleanEnvironment(), ...env },
  });
  const browser = await (await sharedBrowser()).newContext({ viewport: { width: 1400, height: 900 } });
  try {
    return await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`The extension-host tests took longer than ${TIMEOUT_MS / 1000} s.`)),
        TIMEOUT_MS,
      );
      const finish = (code: number): void => {
        clearTimeout(timer);
        resolve(code);
      };
      const { developmentPath, testsPath } = run;
      const folder = run.workspace.path;
      EditorWindow.open({
        ...{ server, browser, folder, env, developmentPath, testsPath },
        prepare: async (page) => {
          await page.exposeFunction('codeAutomationExit', finish);
          await page.exposeFunction('codeAutomationLog', () => undefined);
        },
      }).catch(reject);
    });
  } finally {
    await browser.close();
    await closeSharedBrowser();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
