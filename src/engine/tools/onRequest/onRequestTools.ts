import type { Clock, Web } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import type { AnyTool } from '../tool';
import { currentTimeTool } from './currentTime';
import { searchArxivTool } from './search/searchArxiv';
import { searchWikipediaTool } from './search/searchWikipedia';
import { webSearchTool } from './search/webSearch';

export interface OnRequestParts {
  web: Web;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  /** The keys of search services. */
  secrets: SecretValues;
}

/** Every tool that only those have who name it. */
export function onRequestTools({ web, clock, environment, secrets }: OnRequestParts): AnyTool[] {
  const tools = [
    webSearchTool({ web, environment, secrets }),
    searchArxivTool(web),
    searchWikipediaTool(web),
    currentTimeTool(clock),
  ];
  return tools.map((tool) => ({ ...tool, traits: { ...tool.traits, isOnRequest: true } }));
}
