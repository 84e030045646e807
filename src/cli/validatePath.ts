import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../base/counted';
import { errorText } from '../base/errors';
import { type ContentPlaces, type ContentProblem, problemLine, validateContent } from '../engine';
import { configFileIn } from '../node/config/loadConfig';
import { nodePorts } from '../node/nodePorts';
import { EXIT } from './exitStatus';
import type { OutputStreams } from './output';

/** Validates agents, skills and roles, prints one line per problem, and returns the exit status. */
export async function validatePath(named: string, places: ContentPlaces, { out, err }: OutputStreams): Promise<number> {
  const log = { info: () => undefined, warn: err, error: err };
  const ports = nodePorts({ env: process.env, ripgrepCandidates: [], log });
  const { servers, visibleSkills } = await namesIn(places.configFolder, (why) => err(`cairn: ${why}\n`));
  const known = { ...places, serverNames: () => servers, visibleSkills: () => visibleSkills };
  const { files, problems } = await validateContent(resolve(named), ports, { places: known });
  for (const problem of problems) out(`${problemLine(problem)}\n`);
  if (files === 0) {
    err(`cairn: there are no agents, skills, or roles in ${resolve(named)}.\n`);
    return EXIT.usage;
  }
  const count = (wanted: ContentProblem['severity']) => problems.filter(({ severity }) => severity === wanted).length;
  const errors = count('error');
  out(`${counted(files, 'file')}, ${counted(errors, 'error')}, ${counted(count('warning'), 'warning')}\n`);
  return errors > 0 ? EXIT.usage : EXIT.completed;
}

/** Returns what the settings say about names in graphs: aliases of MCP servers, and visible skills. Nothing if they cannot be read. */
async function namesIn(folder: string | undefined, say: (why: string) => void) {
  const nothing = { servers: {}, visibleSkills: undefined };
  const file = folder === undefined ? undefined : configFileIn(folder);
  if (file === undefined || !existsSync(file)) return nothing;
  const { readGraphNames } = await import('../node/config/readConfig');
  return readGraphNames(file).catch((error: unknown) => {
    say(errorText(error));
    return nothing;
  });
}
