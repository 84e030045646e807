import type { ContentSource, Engine } from '../engine';
import type { ListChoice } from './parseArguments';

/** One line for each, in columns that a script can split at tabs. */
export async function listThings(choice: ListChoice, engine: Engine, folder: string): Promise<string> {
  switch (choice) {
    case 'agents':
      return table(
        (await engine.agents.list())
          .filter(({ hidden }) => !hidden)
          .map(({ name, mode, source, description }) => [name, mode, source.scope, firstSentence(description)]),
      );
    case 'roles':
      return described(await engine.roles.list());
    case 'skills':
      return described(await engine.skills.list());
    case 'models':
      return table(
        (await engine.models()).map(({ model, provider, ready, needsKey, scripted }) => [
          model.id,
          scripted ? 'scripted, needs no key' : ready ? 'ready' : needsKey ? 'no key' : 'not running',
          provider,
        ]),
      );
    case 'tools':
      return table(
        engine.tools.all.map(({ name, category, description }) => [name, category, firstSentence(description)]),
      );
    case 'sessions': {
      const sessions = (await engine.sessions.list()).filter(({ workspace }) => workspace === folder);
      return table(
        sessions.map(({ id, modifiedAt, name, title }) => [id, new Date(modifiedAt).toISOString(), name ?? '-', title]),
      );
    }
  }
}

function described(items: readonly { name: string; source: ContentSource; description: string }[]): string {
  return table(items.map(({ name, source, description }) => [name, source.scope, firstSentence(description)]));
}

function table(rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => row.map((cell) => cell.replace(/\s+/g, ' ')).join('\t');
  return rows.map((row) => `${line(row)}\n`).join('');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}
