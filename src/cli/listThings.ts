import { safeText } from '../base/shown/safeText';
import { type Engine, type Named, takenName } from '../engine';
import type { ListChoice } from './parseArguments';

/** One line for each, in columns that a script can split at tabs. */
export async function listThings(choice: ListChoice, engine: Engine, folder: string): Promise<string> {
  switch (choice) {
    case 'agents': {
      const all = await engine.agents.all();
      return table(
        (await engine.agents.list())
          .filter(({ hidden }) => !hidden)
          .map((agent) => [agent.name, agent.mode, whose(agent, all), firstSentence(agent.description)]),
      );
    }
    case 'roles':
      return described(await engine.roles.list(), await engine.roles.all());
    case 'skills':
      return described(await engine.skills.list(), await engine.skills.all());
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

function described(items: readonly (Named & { description: string })[], all: readonly Named[]): string {
  return table(items.map((item) => [item.name, whose(item, all), firstSentence(item.description)]));
}

/** Who brought it, and whose of the same name it replaces. */
function whose(item: Named, all: readonly Named[]): string {
  const taken = takenName(item, all);
  return taken === undefined ? item.source.scope : `${item.source.scope}, replaces ${taken}`;
}

function table(rows: readonly (readonly string[])[]): string {
  // The first is the name, by which it would be started.
  const shown = (cell: string, at: number) => safeText(cell, at === 0 ? 'exact' : 'prose').replace(/\s+/g, ' ');
  const line = (row: readonly string[]) => row.map(shown).join('\t');
  return rows.map((row) => `${line(row)}\n`).join('');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}
