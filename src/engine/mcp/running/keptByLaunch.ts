import type { FileSystem, PathStyle } from '../../ports';

/** Says what a text from the disk means; undefined for what is no such thing. */
type Parse<T> = (data: unknown) => T | undefined;

/** What is known by the key of a launch, also after a restart. Nothing that a person wrote: a file that cannot be read is as none. */
export class KeptByLaunch<T> {
  private readonly known = new Map<string, T>();

  constructor(
    /** Absolute. */
    private readonly folder: string,
    /** Of the files within it. */
    private readonly ending: string,
    private readonly parse: Parse<T>,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** What is in memory. */
  at(key: string): T | undefined {
    return this.known.get(key);
  }

  /** The same, also from the disk. */
  async get(key: string): Promise<T | undefined> {
    const known = this.known.get(key);
    if (known) return known;
    const { files } = this.ports;
    const path = this.pathOf(key);
    const read = await files
      .find(path)
      .then((found) => found && files.readFile(path))
      .catch(() => undefined);
    const value = read && this.parsed(new TextDecoder().decode(read));
    if (value !== undefined) this.known.set(key, value);
    return value;
  }

  /** Rejects with what the file system rejects; it is known all the same until we end. */
  async keep(key: string, value: T): Promise<void> {
    if (JSON.stringify(this.known.get(key)) === JSON.stringify(value)) return;
    this.known.set(key, value);
    await this.write(key, value);
  }

  /** Rejects with what the file system rejects. */
  async forget(key: string): Promise<void> {
    if (this.known.delete(key)) await this.write(key, null);
  }

  private async write(key: string, value: T | null): Promise<void> {
    await this.ports.files.writeFile(this.pathOf(key), new TextEncoder().encode(JSON.stringify(value)));
  }

  private parsed(text: string): T | undefined {
    try {
      return this.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  private pathOf(key: string): string {
    return this.ports.paths.resolve(this.folder, `${key}${this.ending}`);
  }
}
