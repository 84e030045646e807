import type { Script } from 'node:vm';

// An import of these would have Node list every name they export, which takes longer than all that is done here.
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { isAscii } = process.getBuiltinModule('node:buffer');
const { createRequire } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');
const vm = process.getBuiltinModule('node:vm');

/** A file that was run. */
interface Ran {
  script: Script;
  store: string;
  key: string;
  /** The CPU time of the run that kept its compiled code; undefined when that was not there. */
  keptAfterMs: number | undefined;
}

interface Kept {
  data: Buffer;
  cpuMs: number;
}

/** A run that took this much more than the one that kept the code has compiled what that one never came to. */
const MUCH_MORE = 1.5;
/** After so long V8 has thrown away what it compiled for the beginning, which a start needs most. */
const TOO_LONG_MS = 5000;

const BEFORE = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const AFTER = Buffer.from('\n})');

/**
 * The text of a file as a function, and how many characters were put before it: none where it is written as one. Texts would be
 * joined by copies that stay until all of the memory is gone through.
 */
function functionIn(file: Buffer): { text: string; added: number } {
  const isFunction = file.subarray(0, BEFORE.length).equals(BEFORE);
  const whole = isFunction ? file : Buffer.concat([BEFORE, file, AFTER]);
  const text = isAscii(whole) ? whole.toString('latin1') : whole.toString('utf8');
  return { text, added: isFunction ? 0 : BEFORE.length };
}

/**
 * Runs bundles and keeps what V8 made of them, so that the next start does not compile them again. Node can do that by
 * itself from 22 on, but a start then takes at least a quarter longer (test/bench/RESULTS.md). What is kept belongs to one version of
 * a file and one of V8, both of which are checked; a cache that cannot be read or written changes nothing but the time.
 */
export class CodeCache {
  private readonly ran: Ran[] = [];
  private readonly modules = new Map<string, { exports: unknown }>();

  constructor(private readonly folder: string) {}

  /** What the CommonJS bundle exports; `./name.js` in it is run in the same way. Absolute path. */
  run(bundle: string): unknown {
    const file = path.resolve(bundle);
    const known = this.modules.get(file);
    if (known) return known.exports;
    const { script, ...rest } = this.compile(file);
    this.ran.push({ script, ...rest });
    const module: { exports: unknown } = { exports: {} };
    // What it exports by now counts for parts that it loads before its end.
    this.modules.set(file, module);
    const ofNode = createRequire(file);
    const folder = path.dirname(file);
    const load = (name: string): unknown => (name.startsWith('./') ? this.run(path.join(folder, name)) : ofNode(name));
    const evaluate: unknown = script.runInThisContext();
    if (typeof evaluate !== 'function') throw new Error(`${file} is no bundle.`);
    Reflect.apply(evaluate, module.exports, [module.exports, load, module, file, folder]);
    return module.exports;
  }

  /**
   * Keeps what was compiled of each file, when that was not there, or when this run took much more CPU time than the one that
   * kept it: with it comes what was compiled while it ran. Never throws.
   */
  save(usedMs = 0): void {
    const kept = this.worthKeeping(usedMs);
    if (process.env['NODE_DISABLE_COMPILE_CACHE'] || kept.length === 0) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      for (const { script, store, key } of kept) {
        writeWhole(store, Buffer.concat([Buffer.from(`${key}${usedMs}\n`), script.createCachedData()]));
      }
    } catch {
      // A full disk, or a folder that may not be written: the next start takes longer, and that is all.
    }
  }

  private worthKeeping(usedMs: number): Ran[] {
    const hasMore = (keptAfterMs: number) => usedMs < TOO_LONG_MS && usedMs > keptAfterMs * MUCH_MORE;
    return this.ran.filter(({ keptAfterMs }) => keptAfterMs === undefined || hasMore(keptAfterMs));
  }

  private compile(file: string): Ran {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    const key = `${[process.version, process.arch, process.versions.v8, file, size, mtimeMs, ctimeMs, ino].join(' ')}\n`;
    const store = path.join(this.folder, `${nameOf(`${process.versions.v8} ${process.arch} ${file}`)}.bin`);
    const kept = this.read(store, key);
    const { text, added } = functionIn(readFileSync(file));
    const script = new vm.Script(text, {
      filename: file,
      columnOffset: -added,
      ...(kept && { cachedData: kept.data }),
    });
    return { script, store, key, keptAfterMs: script.cachedDataRejected === true ? undefined : kept?.cpuMs };
  }

  private read(store: string, key: string): Kept | undefined {
    if (process.env['NODE_DISABLE_COMPILE_CACHE']) return undefined;
    try {
      const bytes = readFileSync(store);
      const start = Buffer.byteLength(key);
      const end = bytes.indexOf('\n', start);
      if (end < 0 || bytes.toString('utf8', 0, start) !== key) return undefined;
      return { data: bytes.subarray(end + 1), cpuMs: Number(bytes.toString('utf8', start, end)) };
    } catch {
      return undefined;
    }
  }
}

/** Under another name first, so that nobody reads a part of it. Throws what the file system throws, and leaves nothing. */
function writeWhole(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Short and different for each text; not a secret. */
function nameOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}
