import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { EditorServer } from './editorServer';
import type { EditorWindow } from './editorWindow';

type Settings = Readonly<Record<string, unknown>>;

/** Settings that take effect immediately and leave nothing behind, so that they can be restored in an open window. */
const PUT_BACK = /^(cairn\.|workbench\.colorTheme$)/;

/** The stored settings of a user: their own and those of the machine that the extension host runs on. */
export const userSettings = {
  async read(server: EditorServer): Promise<Settings> {
    const files = ['User', 'Machine'].map((scope) => path.join(server.options.dataDir, 'data', scope, 'settings.json'));
    const [user, machine] = await Promise.all(files.map(readSettings));
    return { ...user, ...machine };
  },

  /** Restores the settings that differ from `wanted` through the editor; rejects for a setting of which a window may keep traces. */
  async putBack(server: EditorServer, window: EditorWindow, wanted: Settings): Promise<void> {
    const now = await userSettings.read(server);
    const names = new Set([...Object.keys(now), ...Object.keys(wanted)]);
    const changed = [...names].filter((name) => JSON.stringify(now[name]) !== JSON.stringify(wanted[name]));
    const lasting = changed.find((name) => !PUT_BACK.test(name));
    if (lasting !== undefined) throw new Error(`the setting ${lasting} has changed`);
    for (const name of changed) await window.setSetting(name, wanted[name]);
  },
};

/** Returns no settings if the file does not exist: the editor creates the machine's file with its first setting. */
async function readSettings(file: string): Promise<Settings> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
