import { cpSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { EditorServer } from '../editor/editorServer';
import { findOnPath } from '../editor/findOnPath';
import { OwnedProcess } from '../editor/ownedProcess';
import { provisionServer } from '../editor/provisionServer';
import { repoRoot } from '../editor/repoRoot';
import { runCommand } from '../editor/runCommand';
import { windowAddress } from '../editor/windowAddress';
import { desktopEditor } from './desktopEditor';
import { temporaryDir } from './temporaryDir';
import { tourCheck } from './tourCheck';

/**
 * `npm start [-- FOLDER] [-- --headless-check]`: builds Cairn and opens it in an editor, on a copy of the sample project or on
 * FOLDER. With --headless-check, the tour of demo:tour is played and judged without a user.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'headless-check': { type: 'boolean', default: false } },
});

async function main(): Promise<number> {
  console.log('Building Cairn …');
  const build = await runCommand(process.execPath, ['esbuild.mjs'], { cwd: repoRoot, timeoutMs: 120_000, echo: true });
  if (build.code !== 0) {
    console.error(`The build failed (exit code ${build.code}); its messages are above.`);
    return 1;
  }
  if (values['headless-check']) return (await tourCheck()) ? 0 : 1;
  return openForPerson(chooseFolder(positionals[0]));
}

function chooseFolder(given: string | undefined): string {
  if (given === undefined) {
    const folder = path.join(temporaryDir('workspace-'), 'sundial');
    cpSync(path.join(repoRoot, 'test/fixtures/sample-workspace'), folder, { recursive: true });
    console.log(`Copied the sample project to ${folder}`);
    return folder;
  }
  // npm runs scripts in the repository; INIT_CWD is where the user typed the command.
  const folder = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  console.error(`${folder} is not a folder. Give the path of an existing folder, or none for the sample project.`);
  return process.exit(2);
}

async function openForPerson(folder: string): Promise<number> {
  const dataDir = temporaryDir('editor-');
  console.log('Looking for an editor …');
  const desktop = await desktopEditor(folder, dataDir);
  if (desktop) return (await desktop.exited) ?? 1;
  const install = await provisionServer(console.log);
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const server = await EditorServer.start({ install, dataDir, env, bridge: false });
  const address = windowAddress({ host: server.host, folder, developmentPath: repoRoot });
  console.log(`\nCairn is open in an editor at\n\n  ${address}\n`);
  if (!openInBrowser(address)) console.log('There is no display here: open that address in a browser on this machine.');
  console.log('The panel is in the side bar on the right (command "Cairn: Open Chat"). Ctrl+C ends the editor.');
  const code = await server.exited;
  console.error(`The editor ended by itself with exit code ${String(code)}.`);
  return 1;
}

function openInBrowser(address: string): boolean {
  const [command, ...args] = browserCommand();
  if (command === undefined) return false;
  const opener = new OwnedProcess(command, [...args, address], { stdio: 'ignore' });
  return opener.child.pid !== undefined;
}

function browserCommand(): string[] {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['explorer'];
  const hasDisplay = Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  const opener = hasDisplay ? findOnPath('xdg-open') : undefined;
  return opener === undefined ? [] : [opener];
}

process.exit(await main());
