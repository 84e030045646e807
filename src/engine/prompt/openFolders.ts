import type { FileSystem, PathStyle } from '../ports';
import { type FoundInstructions, type Instructions, withoutCopies } from './instructions';
import { NearbyInstructions } from './nearbyInstructions';

/** The user's own instructions, and those of all open folders that apply to some of their files only. */
export class OpenFolders {
  private readonly readers: readonly NearbyInstructions[];

  constructor(folders: readonly string[], ports: { files: FileSystem; paths: PathStyle }, homeFolder?: string) {
    this.readers = folders.map(
      (folder, at) => new NearbyInstructions(folder, ports, at === 0 ? homeFolder : undefined, at > 0),
    );
  }

  /** As `NearbyInstructions.of`. */
  async of(seen: readonly string[], known: readonly Instructions[]): Promise<FoundInstructions> {
    const all = await Promise.all(this.readers.map((reader) => reader.of(seen, known)));
    return {
      instructions: withoutCopies(all.flatMap(({ instructions }) => instructions)),
      problems: all.flatMap(({ problems }) => problems),
    };
  }
}
