import { safeLine } from '../base/shown/safeText';
import { type Engine, EngineError } from '../engine';

export interface InfoFacts {
  version: string;
  config: string;
  folder: string;
  approve: string;
}

/** Where things are and what is set, a line each. */
export async function infoText(engine: Engine, { version, config, folder, approve }: InfoFacts): Promise<string> {
  const models = await engine.models();
  const ready = [...new Set(models.filter((one) => one.ready && !one.scripted).map(({ provider }) => provider))];
  const rows: readonly (readonly [string, string])[] = [
    ['version', version],
    ['node', process.version],
    ['folder', folder],
    ['configuration', config],
    ['model', await engine.defaultModel().catch(noModel)],
    ['providers with a key', ready.length > 0 ? ready.join(', ') : 'none'],
    ['approve', approve],
    ['tools', String(engine.tools.all.length)],
    [
      'sessions of the folder',
      String((await engine.sessions.list()).filter(({ workspace }) => workspace === folder).length),
    ],
  ];
  return rows.map(([name, value]) => `${name}\t${safeLine(value, 1000, 'exact')}\n`).join('');
}

function noModel(error: unknown): string {
  if (EngineError.is(error, 'no-key')) return 'none (set a key; demo:tour needs none, but must be named)';
  throw error;
}
