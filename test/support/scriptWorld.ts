import { nodePorts } from '../../src/node/nodePorts';
import { LateScriptTools } from '../../src/node/scripts/lateScriptTools';
import { nodeScriptTools } from '../../src/node/scripts/nodeScriptTools';
import { type ApprovalRequest, joinedSources, type ToolSource } from '../../src/engine';
import { temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder';
import { type EngineWorld, type WorldOptions, withWorld } from './engineWorld';
import { scriptPrograms } from './scriptPrograms';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Scripts extends WorldOptions {
  /** Files in Cairn's configuration folder. */
  own?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** Tools other than scripts. */
  beside?: ToolSource;
}

export interface ScriptWorld extends Omit<EngineWorld, 'play' | 'read' | 'restart'> {
  play: (...given: Parameters<EngineWorld['play']>) => ReturnType<EngineWorld['play']>;
  read: (file: string) => Promise<string>;
  restart: () => Promise<EngineWorld>;
  own: TemporaryFolder;
  asked: ApprovalRequest[];
  /** Values given to scripts that must not be shown. */
  hidden: string[];
  /** The results of calls that the model received. */
  heard: () => string[];
  /** The tools offered to the model at first. */
  offered: () => readonly string[];
}

/** An engine with scripts, which asks nothing about what may run without approval. */
export async function withScripts(options: Scripts, use: (world: ScriptWorld) => Promise<void>): Promise<void> {
  const own = await temporaryFolder();
  await own.write(options.own ?? {});
  const env = { ...process.env, ...options.env };
  const ports = nodePorts({ env, ripgrepCandidates: [], watches: false, log });
  const secrets = { get: (name: string) => Promise.resolve(options.secrets?.[name]) };
  const scripts = new LateScriptTools(own.path, ports, () =>
    Promise.resolve(nodeScriptTools({ configFolder: own.path, secrets, ports, env, programs: scriptPrograms, hide })),
  );
  const hidden: string[] = [];
  const hide = (value: string) => void hidden.push(value);
  const toolSource = joinedSources([scripts, ...(options.beside ? [options.beside] : [])]);
  const asked: ApprovalRequest[] = [];
  const { approve = () => ({ kind: 'once' }) as const } = options;
  const asking: WorldOptions['approve'] = (request, signal) => {
    asked.push(request);
    return approve(request, signal);
  };
  try {
    await withWorld({ ...options, approve: asking, agents: { toolSource } }, (world) => {
      const heard = () =>
        (world.server.requests.at(-1)?.messages ?? []).flatMap(({ results }) => results.map(({ text }) => text));
      const bound = {
        play: world.play.bind(world),
        read: world.read.bind(world),
        restart: world.restart.bind(world),
      };
      return use({
        ...world,
        ...bound,
        own,
        asked,
        hidden,
        heard,
        offered: () => world.server.requests[0]?.tools ?? [],
      });
    });
  } finally {
    await own.remove();
  }
}

/** The warnings shown to the user. */
export const warnings = (events: readonly { type: string }[]) =>
  events.flatMap((event) => (event.type === 'notice' && 'text' in event ? [String(event.text)] : []));
