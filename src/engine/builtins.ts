import type { Provider } from './llm/provider';
import { anthropicProvider } from './llm/providers/anthropic';
import { COMPATIBLE_HOSTS, type CompatibleHostId } from './llm/providers/compatibleHosts';
import { demoProvider } from './llm/providers/demo';
import { ollamaProvider } from './llm/providers/ollama';
import { openaiProvider } from './llm/providers/openai';
import { openaiCompatibleProvider } from './llm/providers/openaiCompatible';
import type { SdkTarget } from './llm/sdk/sdkTarget';
import type { Clock, Fetch, FileSearch, FileSystem, PathStyle, ProcessRunner, SecretStore, Web } from './ports';
import type { EngineSettings } from './settings';
import {
  editFileTool,
  makeFolderTool,
  patchFileTool,
  removeFileTool,
  writeFileTool,
} from './tools/files/changingTools';
import { globFilesTool, grepFilesTool, listFilesTool } from './tools/files/lookingTools';
import { catFileTool, readFileTool } from './tools/files/readFile';
import { peopleTools } from './tools/peopleTools';
import type { BackgroundCommands } from './tools/shell/backgroundCommands';
import { commandTools, runCommandTool } from './tools/shell/commandTools';
import { skillTools } from './tools/skillTools';
import { teamTools } from './tools/team/teamTools';
import { todoTools } from './tools/todoTools';
import { advising, type AnyTool } from './tools/tool';
import { fetchUrlTool } from './tools/web/fetchUrl';

interface ToolPorts {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
  processes: ProcessRunner;
  web: Web;
  clock: Clock;
  /** The background commands; their owner ends them. */
  commands: BackgroundCommands;
}

/** Returns the tools that every agent may be given, in the order in which models see them. */
export function builtinTools({ files, paths, search, processes, web, clock, commands }: ToolPorts): AnyTool[] {
  return [
    readFileTool(files, paths),
    catFileTool(files, paths),
    listFilesTool(files, paths),
    globFilesTool(search, files, paths),
    grepFilesTool(search, paths),
    editFileTool(files, paths),
    patchFileTool(files, paths),
    writeFileTool(files, paths),
    makeFolderTool(files, paths),
    removeFileTool(files, paths),
    runCommandTool(processes, commands),
    ...commandTools(commands, clock),
    fetchUrlTool(web),
    ...todoTools(),
    ...peopleTools(),
    ...skillTools(),
    ...teamTools(),
  ].map(advising);
}

interface BuiltinParts extends Pick<SdkTarget, 'proxySignIn'> {
  secrets: SecretStore;
  clock: Clock;
  fetch?: Fetch | undefined;
}

/** Returns all built-in providers. Settings are read on each request, so a change takes effect immediately. */
export function builtinProviders(
  settings: () => EngineSettings,
  { secrets, clock, proxySignIn, fetch }: BuiltinParts,
): Provider[] {
  const idle = { clock, seconds: () => settings().idleTimeout };
  const shared = { proxySignIn, fetch, idle, answered: new Set<string>() };
  const keyOf = (id: string) => () => secrets.get(`apiKey.${id}`);
  const at = (id: CompatibleHostId) => ({
    get baseUrl() {
      return id === 'custom' ? settings().custom.baseUrl : settings().providers.baseUrls[id];
    },
    apiKey: keyOf(id),
    ...shared,
  });
  return [
    openaiProvider({
      get baseUrl() {
        return settings().openai.baseUrl;
      },
      get api() {
        return settings().openai.api;
      },
      apiKey: keyOf('openai'),
      ...shared,
    }),
    anthropicProvider({
      get baseUrl() {
        return settings().anthropic.baseUrl;
      },
      apiKey: keyOf('anthropic'),
      ...shared,
    }),
    ...COMPATIBLE_HOSTS.map((host) => openaiCompatibleProvider(host, at(host.id), clock)),
    ollamaProvider(
      {
        get baseUrl() {
          return settings().ollama.baseUrl;
        },
        apiKey: keyOf('ollama'),
        ...shared,
      },
      clock,
    ),
    demoProvider(clock),
  ];
}
