// The parts of a Node module that Cairn uses and that the types of Node 20 do not include.

declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(file: string, options: { readOnly: boolean });
    exec(sql: string): void;
    prepare(sql: string): {
      setReadBigInts(on: boolean): void;
      iterate(): Iterable<Readonly<Record<string, unknown>>>;
      /** Absent before Node 22.16. */
      columns?(): readonly { name: string }[];
    };
  }
}
