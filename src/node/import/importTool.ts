import type { Found } from './importItem';
import type { SecretsOut } from './secretsOut';
import type { SourceFolder } from './sourceFolder';

/** Where other tools' folders may be on this machine. */
export interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Cairn's folder, from which nothing is imported. */
  own: string;
}

/** Another tool to import from. */
export interface ImportTool {
  /** Used on the command line and as a suffix for names that are taken. */
  id: string;
  /** Display name. */
  name: string;
  /** Returns the tool's default folders, absolute, most likely first. */
  folders(places: Places): readonly string[];
  /** Whether a folder named by the user belongs to this tool. */
  owns(source: SourceFolder): Promise<boolean>;
  /** Finds everything in the folder. Rejects only if the folder cannot be read at all. */
  scan(source: SourceFolder, context: ScanContext): Promise<Found>;
}

export interface ScanContext {
  secrets: SecretsOut;
  /** True for the tool's folder in the user's home, which Cairn may also read on its own; false for one the user named. */
  isHome: boolean;
}
