import * as z from '../../../base/zod';
import type { Clock, FileSystem, PathStyle, Web } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import { advising, type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolOutput';
import type { ToolPrograms } from './onRequest';
import { sqliteQueryTool } from './querySqlite';
import { searchCodeTool } from './searchCode';
import { searchArxivTool, searchWikipediaTool } from './searchSources';
import { webSearchTool } from './webSearch';

export interface OnRequestParts {
  files: FileSystem;
  paths: PathStyle;
  web: Web;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  /** The keys of search services. */
  secrets: SecretValues;
  programs: ToolPrograms;
}

/** Returns all tools that are only available to agents that name them. */
export function onRequestTools(parts: OnRequestParts): AnyTool[] {
  const { files, paths, web, clock, environment, secrets, programs } = parts;
  const tools = [
    webSearchTool({ web, environment, secrets }),
    searchArxivTool(web),
    searchWikipediaTool(web),
    currentTimeTool(clock),
    sqliteQueryTool(programs, files, paths),
    searchCodeTool(programs, files, paths),
  ];
  return tools.map(advising).map((tool) => ({ ...tool, traits: { ...tool.traits, isOnRequest: true } }));
}

const timeInput = z.strictObject({
  timezone: z
    .optional(z.string().check(z.minLength(1)))
    .check(z.describe('Such as Europe/Paris or UTC, default the time zone of this machine')),
});
type TimeInput = z.infer<typeof timeInput>;

/** `get_current_time`: reads this machine's clock. */
function currentTimeTool(clock: Clock): AnyTool {
  return defineTool<TimeInput>({
    name: 'get_current_time',
    description: 'Gives the current date and time with the day of the week and the offset from UTC.',
    category: 'read',
    traits: { doing: 'Reading' },
    input: timeInput,
    title: ({ timezone }) => `Read the time${timezone === undefined ? '' : ` in ${timezone}`}`,
    permission: () => ({ tool: 'get_current_time', category: 'read' }),
    run: async ({ timezone }) => ({ text: timeText(clock.now(), timezone) }),
  });
}

/** Returns `Tuesday 2026-11-24 05:03:09 GMT+01:00 (Europe/Paris)`. */
function timeText(now: number, timeZone: string | undefined): string {
  const format = formatOf(timeZone);
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? '';
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  return `${part('weekday')} ${date} ${time} ${part('timeZoneName')} (${format.resolvedOptions().timeZone})`;
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const twoDigits = {
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const zone = timeZone === undefined ? {} : { timeZone };
  const other = { weekday: 'long', year: 'numeric', hourCycle: 'h23', timeZoneName: 'longOffset' } as const;
  try {
    return new Intl.DateTimeFormat('en', { ...twoDigits, ...other, ...zone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolFailure('failed', `There is no time zone “${timeZone ?? ''}”. Write it as Europe/Paris or UTC.`);
  }
}
