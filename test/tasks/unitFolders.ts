/** The folders of `test/` whose tests need neither an editor nor a browser. */
export const unitFolders: readonly string[] = [
  'architecture',
  'base',
  'engine',
  'node',
  'protocol',
  'chat',
  'host',
  'cli',
  'library',
  'docs',
  'support',
  'editor',
  'tasks',
  'mutants',
  'bench',
];
