import type { Found } from './importItem';
import type { SecretsOut } from './secretsOut';
import type { SourceFolder } from './sourceFolder';

/** Where other tools keep their folders on this machine. */
export interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Cairn's own folder, from which nothing is imported. */
  own: string;
}

/** Another tool whose things can be brought over. */
export interface ImportTool {
  /** In commands, and in second names. */
  id: string;
  /** As people call it. */
  name: string;
  /** Absolute folders where it keeps things by itself, most likely first. */
  folders(places: Places): readonly string[];
  /** Whether a folder that a person named is one of its own. */
  owns(source: SourceFolder): Promise<boolean>;
  /** Everything in it. Rejects only when the folder cannot be read at all. */
  scan(source: SourceFolder, context: ScanContext): Promise<Found>;
}

export interface ScanContext {
  secrets: SecretsOut;
  /** The tool's own folder in the person's home, which Cairn may read by itself; else one that a person named. */
  isHome: boolean;
}
