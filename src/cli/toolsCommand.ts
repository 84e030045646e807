import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { counted } from '../base/counted';
import { isRecord } from '../base/isRecord';
import { nearest } from '../base/matching';
import { safeLine, safeText } from '../base/shown/safeText';
import {
  AGENT_SCRIPTS,
  isToolName,
  type KnownScript,
  type ScriptLanguage,
  type ScriptTools,
  TOOL_LANGUAGES,
  toolTemplate,
} from '../engine';
import { configFolder } from '../node/configFolder';
import { nodePorts } from '../node/nodePorts';
import { ownEnvironment } from '../node/ownEnvironment';
import { nodeScriptTools } from '../node/scripts/nodeScriptTools';
import type { ScriptPrograms } from '../node/scripts/scriptProgram';
import { EXIT, UsageError, wrongOptions } from './exitStatus';
import { folderTrust } from './folderTrust';
import type { OutputStreams } from './output';
import { refuseEmpty } from './parseArguments';

export const TOOLS_HELP = `Usage:
  cairn tools list           List script tools and their files
  cairn tools check [PATH]   Show what models are told about the scripts in a file or folder, and any problems
  cairn tools new NAME       Create a working tool to start from

Options:
  --language NAME     bash, python, typescript, or javascript (default: bash)
  --here              new: Create it in .cairn/tools of the folder instead of Cairn's configuration folder
  -C, --cwd DIR       Folder (default: the current one)
  --config-dir DIR    Cairn's configuration folder (default: ~/.config/cairn)
  --trust             Trust the folder for this run

Tools are files in tools/ of the configuration folder and in .cairn/tools of a folder, and tools.sh, tools.py, tools.ts, or
tools.js beside an agent. Scripts are described without running them.
`;

const OPTIONS = {
  language: { type: 'string' },
  here: { type: 'boolean' },
  cwd: { type: 'string', short: 'C' },
  'config-dir': { type: 'string' },
  trust: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
const ACTIONS = ['list', 'check', 'new'] as const;
type Action = (typeof ACTIONS)[number];

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Asked {
  action: Action;
  names: readonly string[];
  language: ScriptLanguage;
  isHere: boolean;
  workspace: string;
  configFolder: string;
  isTrusted: boolean;
}

/** Runs `cairn tools` and returns the exit status. Throws UsageError and EngineError. */
export async function toolsCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  programs: ScriptPrograms,
  streams: OutputStreams,
): Promise<number> {
  const asked = parse(argv, env);
  if (asked === 'help') {
    streams.out(TOOLS_HELP);
    return EXIT.completed;
  }
  const tools = scriptTools(asked, env, programs);
  if (asked.action === 'new') return newTool(asked, streams);
  if (asked.action === 'check' && asked.names.length > 0) {
    const found = await Promise.all(asked.names.map((name) => scriptsAt(tools, resolve(asked.workspace, name))));
    return tell(found.flat(), [], streams);
  }
  const say = (line: string) => streams.err(`${line}\n`);
  const at = { folder: asked.workspace, configFolder: asked.configFolder, isNamed: asked.isTrusted, say };
  const isHeard = await folderTrust({ ...at, screen: undefined });
  const { scripts, problems } = await tools.list({ workspace: asked.workspace, isHeard });
  if (asked.action === 'check') return tell(scripts, problems, streams);
  for (const script of scripts) streams.out(`${await listed(tools, script)}\n`);
  for (const problem of problems) streams.err(`cairn: ${safeText(problem)}\n`);
  if (scripts.length + problems.length === 0) {
    streams.err('cairn: there are no script tools yet. Create one with cairn tools new NAME.\n');
  }
  return EXIT.completed;
}

function scriptTools(asked: Asked, processEnv: NodeJS.ProcessEnv, programs: ScriptPrograms): ScriptTools {
  const env = ownEnvironment(processEnv, asked.configFolder);
  return nodeScriptTools({
    configFolder: asked.configFolder,
    ports: nodePorts({ env, ripgrepCandidates: [], watches: false, log: SILENT }),
    env,
    programs,
    // This command never runs a script.
    secrets: { get: () => Promise.resolve(undefined) },
    hide: () => undefined,
  });
}

/** Returns the scripts of a file, a folder of tools, or an agent's folder. */
async function scriptsAt(tools: ScriptTools, path: string): Promise<KnownScript[]> {
  const { scripts, problems } = await tools.files.at(path);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(problem);
  if (scripts.length === 0) throw new UsageError(`there are no scripts (.sh, .py, .ts, or .js) in ${path}`);
  return [...scripts];
}

async function listed(tools: ScriptTools, script: KnownScript): Promise<string> {
  const consent = await tools.consents.stateOf(script);
  const state = { seen: '', unseen: '\tshown before it runs', changed: '\tchanged, shown before it runs' }[consent];
  const names = script.description.functions.map(({ name }) => name).join(', ');
  return `${names === '' ? '(none)' : names}\t${safeLine(script.file.path, 500)}${state}`;
}

function tell(scripts: readonly KnownScript[], unread: readonly string[], { out, err }: OutputStreams): number {
  for (const { file, description } of scripts) {
    for (const { name, description: said, inputSchema, line } of description.functions) {
      out(`${name}\t${file.path}:${line}\n${indented(safeText(said))}\n`);
      out(`${indented(safeText(JSON.stringify(withoutNoise(inputSchema), undefined, 2)))}\n`);
    }
    for (const { severity, line, column, message } of description.problems) {
      out(`${file.path}:${line}:${column}: ${severity}: ${safeText(message)}\n`);
    }
  }
  for (const problem of unread) err(`cairn: ${safeText(problem)}\n`);
  const all = scripts.flatMap(({ description }) => description.problems);
  const errors = all.filter(({ severity }) => severity === 'error').length + unread.length;
  const count = scripts.reduce((sum, { description }) => sum + description.functions.length, 0);
  out(`${counted(count, 'tool')}, ${counted(errors, 'error')}\n`);
  return errors > 0 ? EXIT.usage : EXIT.completed;
}

/** Keeps only `properties` and `required`: no tool accepts other properties, so repeating that is noise. */
function withoutNoise(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(schema).filter(([key]) => key === 'properties' || key === 'required');
  return isRecord(schema) ? Object.fromEntries(shown) : {};
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

async function newTool(
  { names, language, isHere, workspace, configFolder: own }: Asked,
  streams: OutputStreams,
): Promise<number> {
  const [name = ''] = names;
  const env = process.env;
  const { files } = nodePorts({ env, ripgrepCandidates: [], watches: false, log: SILENT });
  const folder = isHere ? join(workspace, '.cairn', 'tools') : join(own, 'tools');
  const path = join(folder, `${name}.${TOOL_LANGUAGES[language]}`);
  if (await files.find(path)) throw new UsageError(`there is a file ${path} already`);
  await files.writeFile(path, new TextEncoder().encode(toolTemplate(language)));
  streams.out(`${path}\n`);
  return EXIT.completed;
}

function parse(argv: readonly string[], env: NodeJS.ProcessEnv): Asked | 'help' {
  const { values, positionals } = parsed(argv);
  refuseEmpty(values, 'cairn tools --help');
  const [action, ...names] = positionals;
  if (values.help || action === undefined) return 'help';
  if (!isAction(action)) {
    const meant = nearest(action, ACTIONS);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new UsageError(`cairn tools takes ${ACTIONS.join(', ')}, not "${action}".${hint}`);
  }
  const { language = 'bash' } = values;
  if (!isLanguage(language)) throw new UsageError(`--language is one of ${Object.keys(TOOL_LANGUAGES).join(', ')}`);
  const [name] = names;
  if (action === 'new' && (names.length !== 1 || name === undefined || !isToolName(name))) {
    throw new UsageError('cairn tools new takes one name: letters, digits, “_”, and “-”, starting with a letter');
  }
  if (action === 'new' && AGENT_SCRIPTS.some((file) => basename(file, '.sh') === name)) {
    throw new UsageError('“tools” is reserved for the scripts of agents; choose another name');
  }
  const idle = action === 'new' ? undefined : (['language', 'here'] as const).find((one) => values[one] !== undefined);
  if (idle !== undefined) throw new UsageError(`--${idle} is for cairn tools new`);
  if (action === 'list' && names.length > 0) throw new UsageError('cairn tools list takes no name');
  return {
    action,
    names,
    language,
    isHere: values.here === true,
    workspace: resolve(values.cwd ?? '.'),
    configFolder: values['config-dir'] === undefined ? configFolder(env) : resolve(values['config-dir']),
    isTrusted: values.trust === true,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrongOptions(error, 'cairn tools');
  }
}

function isAction(text: string): text is Action {
  return ACTIONS.some((one) => one === text);
}

function isLanguage(text: string): text is ScriptLanguage {
  return Object.hasOwn(TOOL_LANGUAGES, text);
}
