import type { ContentProblem } from '../content/contentProblem';
import type { ContentPlaces } from '../content/contentRoots';
import type { FileSystem, PathStyle } from '../ports';
import { languageOf } from '../scripts/scriptDescription';
import { OWN_TOOL_FOLDERS, WORKSPACE_TOOL_FOLDER } from '../scripts/scriptPlaces';

/** Returns the tool folders of Cairn's configuration folder, or of a folder with the same layout. */
export function ownToolFolders(folder: string | undefined, paths: PathStyle): string[] {
  return folder === undefined ? [] : OWN_TOOL_FOLDERS.map((one) => paths.resolve(folder, one));
}

/** Returns the absolute paths of the folders whose scripts are tools of the user or of the open folders. */
export function toolFoldersOf({ configFolder, workspaceFolders }: ContentPlaces, paths: PathStyle): string[] {
  return [
    ...ownToolFolders(configFolder, paths),
    ...workspaceFolders.map((folder) => paths.resolve(folder, WORKSPACE_TOOL_FOLDER)),
  ];
}

/** Returns the names of the tools that the scripts in these folders are, by their files alone. */
export async function toolsIn(folders: readonly string[], files: FileSystem): Promise<string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const found = await files.find(folder).catch(() => undefined);
      return found?.kind === 'directory' ? files.readDirectory(folder).catch(() => []) : [];
    }),
  );
  return listed
    .flat()
    .filter(({ name }) => languageOf(name) !== undefined)
    .map(({ name }) => toolName(name.replace(/\.\w+$/, '')));
}

/** Leaves out the problems about tools that something else provides: `tools` by name, or the scripts of the folders. */
export async function withoutProvided(
  problems: readonly ContentProblem[],
  { tools, folders }: { tools: readonly string[]; folders: readonly string[] },
  files: FileSystem,
): Promise<readonly ContentProblem[]> {
  if (problems.every(({ lacksTool }) => lacksTool === undefined)) return problems;
  const provided = new Set([...tools, ...(await toolsIn(folders, files))]);
  return problems.filter(({ lacksTool }) => lacksTool === undefined || !provided.has(toolName(lacksTool)));
}

/** A script's name may have dashes, but not that of its tool. */
const toolName = (script: string) => script.replaceAll('-', '_');
