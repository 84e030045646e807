import { describeBash } from './bash/describeBash';
import type { DescribeScript } from './scriptDescription';
import type { SyntaxTrees } from './trees/syntaxTree';

/** What describes scripts; `load` is asked once, with the first one that is not in bash, and again where it failed. */
export function scriptDescriber(load: () => Promise<SyntaxTrees>): DescribeScript {
  let loaded: Promise<SyntaxTrees> | undefined;
  const trees = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  return async (file, kind) => {
    switch (file.language) {
      case 'bash':
        return describeBash(file, kind);
      case 'python': {
        const { describePython } = await import('./code/describePython');
        return (await trees()).parse('python', file.text, (root) => describePython(file, kind, root));
      }
      case 'typescript':
      case 'javascript': {
        const { describeTypescript } = await import('./code/describeTypescript');
        return (await trees()).parse('typescript', file.text, (root) => describeTypescript(file, kind, root));
      }
    }
  };
}
