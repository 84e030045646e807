/**
 * Runs one task of the repository: `node test/tasks/run.mjs <task> [arguments]`.
 *
 * This is the one file that must work in a fresh clone, before anything is installed, so it is plain JavaScript and uses
 * nothing but Node itself. It installs the dependencies when they are missing or out of date, bundles
 * `test/tasks/<task>.ts` and runs it in this process.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

function fail(message) {
  console.error(message);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Cairn needs Node 20.19 or newer, and this is Node ${process.versions.node}. Install a newer Node and try again.`,
  );
}

/** The stamp is written after a successful install only, so an interrupted one is done again. */
function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.cairn-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  if (isInstalledAsLocked()) {
    writeFileSync(stamp, lock);
    return;
  }
  console.log('Installing the development dependencies (npm ci), because package-lock.json is new or has changed …');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    fail(
      `npm ci failed in ${root} (${result.error?.message ?? `exit code ${result.status}`}). See its messages above.`,
    );
  }
  writeFileSync(stamp, lock);
}

/** Someone may have run npm by hand: what npm says it installed is compared with the lock before all of it is done again. */
function isInstalledAsLocked() {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, entry]) => name === '' || entry.optional || present[name]?.version === entry.version,
  );
}

async function bundleTask(task) {
  const source = path.join(root, 'test', 'tasks', `${task}.ts`);
  if (!/^\w+$/.test(task) || !existsSync(source)) fail(`There is no task "${task}": ${source} does not exist.`);
  const { build } = await import('esbuild');
  const outfile = path.join(root, '.build', 'tasks', `${task}.mjs`);
  const { outputFiles } = await build({
    entryPoints: [source],
    outfile,
    write: false,
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  mkdirSync(path.dirname(outfile), { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    // Under another name first: a task may be started twice at the same time, and must never meet a part of a file.
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  }
  return outfile;
}

const [task, ...args] = process.argv.slice(2);
if (task === undefined) fail('Usage: node test/tasks/run.mjs <task> [arguments]');
checkNode();
installDependencies();
process.setSourceMapsEnabled(true);
process.chdir(root);
const bundle = await bundleTask(task);
process.argv = [process.argv[0], bundle, ...args];
await import(pathToFileURL(bundle).href);
