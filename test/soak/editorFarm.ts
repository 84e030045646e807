import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseHistory } from '../../src/engine/sessions/parseHistory';
import { EditorSession } from '../editor/editorSession';
import { Panel } from '../editor/panel';
import { closeSharedBrowser } from '../editor/sharedBrowser';
import { until } from '../editor/until';
import { startModelServer } from '../support/modelServer/modelServer';
import { seededRandom } from '../support/seededRandom';
import { farmModel } from './farmModel';
import { judgeFarm } from './judgeFarm';
import { leftProcesses } from './leftProcesses';

export interface EditorFarmOptions {
  seed: number;
  kills: number;
  minutes: number;
  onProgress: (text: string) => void;
}

export interface EditorFarmReport {
  kills: number;
  /** Messages that the panel had shown as accepted. */
  shown: number;
  problems: string[];
}

/** The editor's own child processes, such as language servers, end with the editor. */
const OF_EDITOR = /\/lib\/vscode\//;
/** Maximum delay before a host is killed, so that a run is active or has just ended. */
const RUN_MS = 2500;

/**
 * Talks to an agent in a real editor, kills the extension host at random moments, and reopens the window. Then looks for messages
 * that the panel had shown but no session contains, for half-written files, and for processes that are left.
 */
export async function editorFarm(options: EditorFarmOptions): Promise<EditorFarmReport> {
  const random = seededRandom(options.seed);
  const model = farmModel(random);
  const server = await startModelServer(model.story);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'test-key', OLLAMA_HOST: '127.0.0.1:9' };
  const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' };
  const session = await EditorSession.start({ workspace: 'empty', settings, env });
  try {
    const shown = await killHosts(session, options, random);
    model.calmDown();
    await lastMessage(session);
    const { problems } = await judgeFarm(session.configDir, session.workspace.path, []);
    const lost = await missing(session.configDir, shown);
    return {
      kills: shown.length,
      shown: shown.length,
      problems: [...problems, ...lost, ...(await leftProcesses(session.workspace.path, OF_EDITOR))],
    };
  } finally {
    await session.close(true);
    await closeSharedBrowser();
    await server.close();
  }
}

/** Returns the messages that the panel showed, one per kill. */
async function killHosts(
  session: EditorSession,
  { kills, minutes, onProgress }: EditorFarmOptions,
  random: () => number,
): Promise<string[]> {
  const end = performance.now() + minutes * 60_000;
  const window = await session.openWindow();
  const panel = new Panel(window);
  const shown: string[] = [];
  while (shown.length < kills && performance.now() < end) {
    await panel.open();
    const text = `Message ${shown.length + 1} of the editor.`;
    await panel.send(text);
    await panel.waitForText(text, 'user');
    shown.push(text);
    await setTimeout(random() * RUN_MS);
    await window.killExtensionHost();
    await window.page.reload();
    await window.ready();
    if (shown.length % 10 === 0) onProgress(`${shown.length} kills of the extension host`);
  }
  return shown;
}

/** Checks that the session opens again and accepts a message. */
async function lastMessage({ windows, configDir }: EditorSession): Promise<void> {
  const window = windows[0];
  if (!window) throw new Error('The farm has no window.');
  const panel = new Panel(window);
  await panel.open();
  await panel.send('The last one');
  await panel.waitForText('Done.', 'text');
  await until('the last run to end', async () => {
    const files = await readdir(path.join(configDir, 'sessions'), { recursive: true });
    return !files.some((file) => file.endsWith('run.lock'));
  });
}

async function missing(config: string, shown: readonly string[]): Promise<string[]> {
  const root = path.join(config, 'sessions');
  const texts: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const file = path.join(root, entry.name, 'history.jsonl');
    for (const { type, ...rest } of parseHistory(await readFile(file, 'utf8'), file).entries) {
      if (type === 'message') texts.push(JSON.stringify(rest));
    }
  }
  return shown.flatMap((text) => {
    const times = texts.filter((kept) => kept.includes(JSON.stringify(text).slice(1, -1))).length;
    return times === 1 ? [] : [`“${text}” was shown once and is in the sessions ${times} times.`];
  });
}
