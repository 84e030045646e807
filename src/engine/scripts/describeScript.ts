import { describeBash } from './bash/describeBash';
import type { DescribeScript } from './scriptDescription';

/** Reads what a script says of its tools; what reads its language is loaded with the first script in it. */
export const describeScript: DescribeScript = (file, kind) => {
  switch (file.language) {
    case 'bash':
      return Promise.resolve(describeBash(file, kind));
    case 'python':
    case 'typescript':
    case 'javascript':
      return Promise.resolve({
        ...{ functions: [], hasInstructions: false, variables: [], programs: [] },
        problems: [{ severity: 'error', line: 1, column: 1, message: 'Tools in this language are not read yet.' }],
      });
  }
};
