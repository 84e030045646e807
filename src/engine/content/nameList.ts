import * as z from 'zod';

/** A list of names, or one string with commas. */
export const nameList = z.union([z.array(z.string().min(1)), z.string().transform(splitNames)]);

function splitNames(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
