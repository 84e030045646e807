import * as z from 'zod';

/** A list of names, or one string with commas; those inside parentheses belong to a name: `Bash(git add, git diff)`. */
export const nameList = z.union([z.array(z.string().min(1)), z.string().transform(splitNames)]);

function splitNames(names: string): string[] {
  return names
    .split(/,(?![^(]*\))/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
