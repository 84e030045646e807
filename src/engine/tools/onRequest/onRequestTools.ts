import type { Clock, FileSystem, PathStyle, Web } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import type { AnyTool } from '../tool';
import { currentTimeTool } from './currentTime';
import type { ToolPrograms } from './programs';
import { searchCodeTool } from './searchCode';
import { searchArxivTool } from './search/searchArxiv';
import { searchWikipediaTool } from './search/searchWikipedia';
import { webSearchTool } from './search/webSearch';
import { sqliteQueryTool } from './querySqlite';

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
  return tools.map((tool) => ({ ...tool, traits: { ...tool.traits, isOnRequest: true } }));
}
