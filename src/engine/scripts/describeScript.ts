import { describeBash } from './bash/describeBash';
import type { DescribeScript } from './scriptDescription';
import type { SyntaxTrees } from './trees/syntaxTree';

/** Returns a describer of scripts. `load` is called once, for the first script that is not bash, and again if it failed. */
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
