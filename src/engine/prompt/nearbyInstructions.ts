import { errorText } from '../../base/errors';
import { truncateMiddle } from '../../base/truncate';
import * as z from '../../base/zod';
import { NESTED_RULE_FOLDERS, RULE_FOLDERS } from '../content/contentRoots';
import { filesBelow } from '../content/filesBelow';
import { foreignFrontMatter } from '../content/foreignFrontMatter';
import { flagWord } from '../content/writtenNames';
import { readYaml, yamlReady } from '../content/yamlSource';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import {
  type FoundInstructions,
  type InstructionPlace,
  type Instructions,
  leftOut,
  namesIn,
  pathMatcher,
  readInstructionFile,
  readPersonal,
  shortened,
  withoutCopies,
} from './instructions';

/** Instruction files in subfolders; the one closest to Cairn's own convention comes last. */
const IN_FOLDERS = [
  ...['.goosehints', '.claude/CLAUDE.md', 'GEMINI.md', 'CLAUDE.md', 'AGENT.md', 'AGENTS.md', 'CLAUDE.local.md'],
];

/** Limits for the number of files. */
const MAX_FILES = 24;
const MAX_RULES = 100;
const MAX_DESCRIPTION = 500;

const globs = z.optional(z.nullable(z.union([z.string(), z.array(z.string())])));
const headSchema = z.lazy(() =>
  z.object({
    applyTo: globs,
    paths: globs,
    globs,
    alwaysApply: z.optional(z.nullable(flagWord)),
    trigger: z.catch(z.optional(z.string()), undefined),
    description: z.catch(z.optional(z.string()), undefined),
  }),
);

/** The keys that are read, and `name`, which most files also have. Unquoted `globs: *.ts`, as Cursor writes it, is not valid YAML. */
const HEAD_KEYS = ['applyTo', 'paths', 'globs', 'alwaysApply', 'trigger', 'description', 'name'];

/** A file in a rules folder. */
interface Rule {
  source: string;
  text: string;
  /** Whether the rule applies to a file; null: it applies to every task. */
  matches: ((relative: string) => boolean) | null;
}

/** What a folder of the workspace says about the files in it. */
interface FolderInstructions {
  rules: readonly Rule[];
  files: readonly Instructions[];
}

/**
 * The user's own instructions, and those of a trusted workspace that apply to some of its files only. Read on first use in a run and
 * kept from then on.
 */
export class NearbyInstructions {
  private readonly byFolder = new Map<string, Promise<FolderInstructions>>();
  private personal: Promise<readonly Instructions[]> | undefined;
  private problems: string[] = [];
  private readonly told = new Set<string>();
  /** The first source of each rule's text: many repositories have one rule for several tools. */
  private readonly firstOf = new Map<string, string>();

  constructor(
    private readonly workspace: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
    /** The user's home, for their own instructions. */
    private readonly homeFolder?: string,
    /** Names files by their absolute paths, as the model must write those of a folder other than the first. */
    private readonly isOther = false,
  ) {}

  /**
   * Returns the instructions for the files that the model has seen, given as absolute paths with links resolved, except those with
   * the text of a `known` one. Each problem is returned once.
   */
  async of(seen: readonly string[], known: readonly Instructions[] = []): Promise<FoundInstructions> {
    const { files, paths } = this.ports;
    const home = await files.realPath(this.workspace);
    const relative = seen.map((path) => paths.relative(home, path)).filter((path) => isOwn(path, paths));
    const folders = [...new Set(['', ...relative.flatMap(foldersOf)])].sort();
    const found = await Promise.all(folders.map((folder) => this.ofFolder(folder)));
    const rules = found
      .flatMap((one) => one.rules)
      .filter(({ matches }) => matches === null || relative.some((path) => matches(path)));
    const first = rules.filter(({ source, text }) => this.isFirst(source, text));
    const nested = found.flatMap((one) => one.files);
    const near = [...first, ...nested].map(({ source, text }) => ({ source: this.named(source), text }));
    const own = await (this.personal ??= this.readPersonal());
    const said = [...known, ...near];
    const all = [...own.filter(({ text }) => !said.some((one) => one.text === text)), ...near].filter(
      ({ text }) => !known.some((one) => one.text === text),
    );
    const instructions = all.slice(0, MAX_FILES);
    for (const { source } of all.slice(MAX_FILES)) this.tellOnce(source, `more than ${MAX_FILES} apply at once`);
    return { instructions, problems: this.problems.splice(0) };
  }

  private named(source: string): string {
    return this.isOther ? this.ports.paths.resolve(this.workspace, source) : source;
  }

  private isFirst(source: string, text: string): boolean {
    const first = this.firstOf.get(text) ?? source;
    this.firstOf.set(text, first);
    return first === source;
  }

  private ofFolder(folder: string): Promise<FolderInstructions> {
    const known = this.byFolder.get(folder);
    if (known) return known;
    const found = this.readFolder(folder);
    this.byFolder.set(folder, found);
    return found;
  }

  private async readFolder(folder: string): Promise<FolderInstructions> {
    const isRoot = folder === '';
    // Other instruction files in the workspace root are part of every session.
    const names = isRoot ? ['.claude/CLAUDE.md'] : IN_FOLDERS;
    const ruleFolders = isRoot ? RULE_FOLDERS : NESTED_RULE_FOLDERS;
    const present = await namesIn(isRoot ? '.' : folder, [...names, ...ruleFolders], this.place);
    const at = (name: string) => (isRoot ? name : `${folder}/${name}`);
    const files = Promise.all(present.filter((name) => names.includes(name)).map((name) => this.read(at(name))));
    const rules = this.readRules(
      folder,
      present.filter((name) => ruleFolders.includes(name)),
    );
    return { files: withoutCopies((await files).flat()), rules: await rules };
  }

  private async readPersonal(): Promise<readonly Instructions[]> {
    if (this.homeFolder === undefined) return [];
    const { instructions, problems } = await readPersonal(this.homeFolder, this.ports);
    this.problems.push(...problems);
    return instructions;
  }

  private async read(source: string): Promise<Instructions[]> {
    const text = await this.textOf(source);
    return text === '' ? [] : [{ source, text: shortened(text) }];
  }

  private get place(): InstructionPlace {
    return { workspace: this.workspace, ports: this.ports };
  }

  private async textOf(source: string): Promise<string> {
    const { text, problems } = await readInstructionFile(source, this.place);
    this.problems.push(...problems);
    return text;
  }

  /** Reads the rules of a folder of the workspace, in the given folders of it. */
  private async readRules(base: string, ruleFolders: readonly string[]): Promise<readonly Rule[]> {
    const { files, paths } = this.ports;
    const found = await Promise.all(
      ruleFolders.map(async (folder) => {
        const onUnreadable = (path: string, error: unknown) => this.tell(path, errorText(error));
        const options = { within: this.workspace, levels: 4, onUnreadable };
        try {
          return await filesBelow(paths.resolve(this.workspace, base, folder), files, paths, options);
        } catch (error) {
          if (!EngineError.is(error)) throw error;
          onUnreadable(folder, error);
          return [];
        }
      }),
    );
    const own = found.flat().map((path) => paths.relative(this.workspace, path));
    const rules = own.filter((source) => isRule(inside(source, base)));
    if (rules.length > MAX_RULES) this.tell(`all but ${MAX_RULES} files of rules`, 'there are too many');
    return (await Promise.all(rules.slice(0, MAX_RULES).map((source) => this.readRule(source, base)))).flat();
  }

  private async readRule(source: string, base: string): Promise<Rule[]> {
    const whole = await this.textOf(source);
    const { head, headLine, body } = foreignFrontMatter(whole);
    await yamlReady(head ?? '');
    const yaml = readYaml(head ?? '', { path: source, firstLine: headLine, lenient: true, mendBy: HEAD_KEYS });
    const said = headSchema.safeParse(yaml.data ?? {});
    const problem = yaml.problems.find(({ severity }) => severity === 'error');
    if (problem || !said.success) {
      this.tell(source, problem?.message ?? 'the files it applies to must be a text or a list of texts');
      return [];
    }
    const text = shortened(body.trim());
    const matches = await matcherOf(inside(source, base), said.data);
    if (text === '') return [];
    if (matches === undefined) return onRequest(source, this.named(source), said.data);
    // The patterns of a rule in a subfolder mean paths in it, or paths in the workspace.
    const isMatch = matches && base !== '' ? within(base, matches) : matches;
    return [{ source, text, matches: isMatch }];
  }

  private tellOnce(source: string, why: string): void {
    if (this.told.has(source)) return;
    this.told.add(source);
    this.tell(source, why);
  }

  private tell(source: string, why: string): void {
    this.problems.push(leftOut(source, why));
  }
}

/** Whether a path is inside the workspace and not part of an installed package or `.git`. */
function isOwn(relative: string, paths: PathStyle): boolean {
  return (
    !/^\.\.(?:\/|$)/.test(relative) && !paths.isAbsolute(relative) && !/(?:^|\/)(?:node_modules|\.git)\//.test(relative)
  );
}

/** `src/a/b.ts` → `src`, `src/a`. */
function foldersOf(relative: string): string[] {
  const parts = relative.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** `src/.cursor/rules/a.mdc` in `src` → `.cursor/rules/a.mdc`. */
function inside(source: string, base: string): string {
  return base === '' ? source : source.slice(base.length + 1);
}

function within(base: string, matches: (relative: string) => boolean): (relative: string) => boolean {
  return (path) => path.startsWith(`${base}/`) && (matches(inside(path, base)) || matches(path));
}

function isRule(source: string): boolean {
  if (source.startsWith('.github/')) return source.endsWith('.instructions.md');
  // Cline keeps its workflows, hooks, and skills in the same folder.
  if (source.startsWith('.clinerules/'))
    return /\.(?:md|txt)$/.test(source) && !/^\.clinerules\/(?:workflows|hooks|skills)\//.test(source);
  if (/^\.(?:kilocode|roo)\//.test(source)) return /\.(?:md|txt)$/.test(source);
  return source.endsWith('.md') || (source.startsWith('.cursor/') && source.endsWith('.mdc'));
}

/** Returns a rule that applies if its description matches the task, which the model decides itself. */
function onRequest(source: string, named: string, { description = '', trigger }: z.infer<typeof headSchema>): Rule[] {
  const when = truncateMiddle(description.trim(), MAX_DESCRIPTION).text;
  return when === '' || trigger === 'manual'
    ? []
    : [{ source, text: `${when}\n\nRead ${named} first where this fits the task.`, matches: null }];
}

/** Folders in which a rule without conditions applies to every task. */
const OPEN = /^\.(?:claude|clinerules|kilocode|roo|windsurf)\//;

/** Returns which files a rule applies to; null: every task; undefined: only when it is mentioned explicitly. */
async function matcherOf(source: string, said: z.infer<typeof headSchema>): Promise<Rule['matches'] | undefined> {
  if (said.alwaysApply === true || said.trigger === 'always_on') return null;
  if (said.trigger === 'manual' || said.trigger === 'model_decision') return undefined;
  const patterns = [said.applyTo ?? said.paths ?? said.globs ?? []].flat().flatMap(splitPatterns);
  if (patterns.length === 0) return OPEN.test(source) ? null : undefined;
  if (patterns.some((pattern) => /^\*(?:\*(?:\/\*)?)?$/.test(pattern))) return null;
  return pathMatcher(patterns);
}

/** Splits at commas outside braces. */
function splitPatterns(written: string): string[] {
  return written
    .split(/,(?![^{]*\})/)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}
