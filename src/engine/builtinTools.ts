import type { FileSearch, FileSystem, PathStyle, ProcessRunner } from './ports';
import { editFileTool } from './tools/files/editFile';
import { globFilesTool } from './tools/files/globFiles';
import { grepFilesTool } from './tools/files/grepFiles';
import { listFilesTool } from './tools/files/listFiles';
import { readFileTool } from './tools/files/readFile';
import { writeFileTool } from './tools/files/writeFile';
import { askUserTool } from './tools/people/askUser';
import { runCommandTool } from './tools/shell/runCommand';
import { todoTools } from './tools/todos/todoTools';
import type { AnyTool } from './tools/tool';

interface ToolPorts {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
  processes: ProcessRunner;
}

/** The tools that every agent may be given, in the order the model is told of them. */
export function builtinTools({ files, paths, search, processes }: ToolPorts): AnyTool[] {
  return [
    readFileTool(files, paths),
    listFilesTool(files, paths),
    globFilesTool(search, paths),
    grepFilesTool(search, paths),
    editFileTool(files, paths),
    writeFileTool(files, paths),
    runCommandTool(processes),
    ...todoTools(),
    askUserTool(),
  ];
}
