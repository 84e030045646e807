import path from 'node:path';
import type { SyntaxTrees } from '../../engine';
import type * as treeSitterLibrary from './treeSitterLibrary';

const GRAMMARS = { python: 'tree-sitter-python.wasm', typescript: 'tree-sitter-typescript.wasm' } as const;

type Language = keyof typeof GRAMMARS;
type Library = typeof treeSitterLibrary;

/** Initialized once per process, because the library has a single memory for everything it creates. */
let library: Promise<Library> | undefined;

/**
 * Creates the parsers. `folder` is the absolute path of tree-sitter and its grammars. A grammar is loaded with the first script
 * in its language.
 */
export function nodeSyntaxTrees(folder: string): SyntaxTrees {
  const parsers = new Map<Language, ReturnType<typeof parserOf>>();
  const parserFor = (language: Language) => {
    const made = parsers.get(language) ?? parserOf(folder, language);
    parsers.set(language, made);
    return made;
  };
  return {
    async parse(language, text, use) {
      const tree = (await parserFor(language)).parse(text);
      if (!tree) throw new Error('Nothing was read.');
      try {
        return use(tree.rootNode);
      } finally {
        tree.delete();
      }
    },
  };
}

async function parserOf(folder: string, language: Language) {
  library ??= begun(folder).catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  const { Language: Grammar, Parser } = await library;
  const parser = new Parser();
  parser.setLanguage(await Grammar.load(path.join(folder, GRAMMARS[language])));
  return parser;
}

async function begun(folder: string): Promise<Library> {
  const loaded = await import('./treeSitterLibrary');
  await loaded.Parser.init({ locateFile: (name: string) => path.join(folder, name) });
  return loaded;
}
