import path from 'node:path';
import type { SyntaxTrees } from '../../engine';

const GRAMMARS = { python: 'tree-sitter-python.wasm', typescript: 'tree-sitter-typescript.wasm' } as const;

/** `folder`: absolute, with tree-sitter and its grammars. What a language needs is loaded with its first script. */
export function nodeSyntaxTrees(folder: string): SyntaxTrees {
  const library = import('./treeSitterLibrary').then(async (loaded) => {
    await loaded.Parser.init({ locateFile: (name: string) => path.join(folder, name) });
    return loaded;
  });
  const parsers = new Map<string, ReturnType<typeof parserOf>>();
  const parserOf = async (language: keyof typeof GRAMMARS) => {
    const { Language, Parser } = await library;
    const parser = new Parser();
    parser.setLanguage(await Language.load(path.join(folder, GRAMMARS[language])));
    return parser;
  };
  return {
    async parse(language, text, use) {
      const parser = await (parsers.get(language) ?? keep(language));
      const tree = parser.parse(text);
      if (!tree) throw new Error('Nothing was read.');
      try {
        return use(tree.rootNode);
      } finally {
        tree.delete();
      }
    },
  };
  function keep(language: keyof typeof GRAMMARS) {
    const made = parserOf(language);
    parsers.set(language, made);
    return made;
  }
}
