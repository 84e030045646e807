import { lateOnRequestTools, onRequestTools, type ToolSource } from '../../src/engine';
import { nodePorts } from '../../src/node/nodePorts';
import { nodeToolPrograms } from '../../src/node/onRequest/nodeOnRequestTools';
import { PAGE_WORKER } from './pageWorker';
import { scriptPrograms } from './scriptPrograms';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The search tools, for agents that name them. They search only where `environment` says. */
export function webTools(environment: Readonly<Record<string, string>>): ToolSource {
  return lateOnRequestTools(() => {
    const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, pageWorker: PAGE_WORKER, log });
    const programs = nodeToolPrograms({ env: process.env, sqliteRunner: scriptPrograms.sqliteRunner });
    const secrets = { get: () => Promise.resolve(undefined) };
    return Promise.resolve(onRequestTools({ ...ports, environment, secrets, programs }));
  });
}
