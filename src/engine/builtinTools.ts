import type { Clock, FileSearch, FileSystem, PathStyle, ProcessRunner, Web } from './ports';
import { catFileTool, readFileTool } from './tools/files/readFile';
import {
  editFileTool,
  makeFolderTool,
  patchFileTool,
  removeFileTool,
  writeFileTool,
} from './tools/files/changingTools';
import { globFilesTool, grepFilesTool, listFilesTool } from './tools/files/lookingTools';
import { peopleTools } from './tools/people/peopleTools';
import type { BackgroundCommands } from './tools/shell/backgroundCommands';
import { commandTools, runCommandTool } from './tools/shell/commandTools';
import { skillTools } from './tools/skills/skillTools';
import { teamTools } from './tools/team/teamTools';
import { todoTools } from './tools/todos/todoTools';
import { fetchUrlTool } from './tools/web/fetchUrl';
import type { AnyTool } from './tools/tool';

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
  ];
}
