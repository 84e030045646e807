import type { ContentKind } from '../content/contentRoots';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns why the name is invalid; undefined if it is valid. */
export function contentNameProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return name === '' ? 'Give it a name.' : 'Use up to 64 letters, digits, dashes and underscores.';
}

/** Returns the path of the file for content of that name in a folder. */
export function contentFile(kind: ContentKind, folder: string, name: string): string {
  return kind === 'skills' ? `${folder}/${name}/SKILL.md` : `${folder}/${name}.md`;
}
