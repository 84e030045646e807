import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import ts from 'typescript';
import { repoRoot } from '../editor/repoRoot';

export interface SourceImport {
  /** Path relative to the repository for Cairn's own files, otherwise the package's specifier. */
  target: string;
  ours: boolean;
  /** True if the compiler erases the import. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string;
  text: string;
  tree: ts.SourceFile;
  imports: readonly SourceImport[];
}

type Specifier = Pick<SourceImport, 'typeOnly'> & { specifier: string };
type ParsedSource = Pick<SourceFile, 'text' | 'tree'> & { specifiers: readonly Specifier[] };

/** Cached because several tests of a process read the same files. */
const parsed = new Map<string, ParsedSource>();

/** Returns Cairn's TypeScript files below these folders of the repository. */
export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(folder, name).split(sep).join('/')),
  );
  const known = new Set(paths);
  return paths.sort().map((path) => readSource(path, known));
}

function readSource(path: string, known: ReadonlySet<string>): SourceFile {
  const source = parsed.get(path) ?? parse(path);
  parsed.set(path, source);
  const imports = source.specifiers.map(({ specifier, typeOnly }) => {
    const ours = specifier.startsWith('.');
    return { target: ours ? resolveOurs(path, specifier, known) : specifier, ours, typeOnly };
  });
  return { path, text: source.text, tree: source.tree, imports };
}

function parse(path: string): ParsedSource {
  const text = readFileSync(join(repoRoot, path), 'utf8');
  const tree = treeOf(path, text);
  return { text, tree, specifiers: specifiersOf(tree) };
}

/** Parses a source text with the TypeScript compiler. */
export function treeOf(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function specifiersOf(tree: ts.SourceFile): Specifier[] {
  const found: Specifier[] = [];
  const add = (specifier: string, typeOnly: boolean) => found.push({ specifier, typeOnly });
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument)) add(argument.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  return (
    !name &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((one) => one.isTypeOnly)
  );
}

function resolveOurs(from: string, specifier: string, known: ReadonlySet<string>): string {
  const base = normalize(join(dirname(from), specifier))
    .split(sep)
    .join('/');
  const candidates = [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`];
  return candidates.find((one) => known.has(one)) ?? base;
}
