import type { MutatedModule } from './mutatedModule';

/** The modules of the parts around the engine, and those of the engine that came later. */
export const frontModules: readonly MutatedModule[] = [
  {
    name: 'session files',
    files: [
      ...['cutHistory', 'guardedStore', 'memorySessions', 'processHolds', 'sessionCatalog', 'sessionEntry'],
      ...['sessionStore', 'exportSession'],
    ].map((file) => `src/engine/sessions/${file}.ts`),
    tests: ['test/engine/sessions', 'test/engine/run/cutOffRuns.test.ts'],
  },
  {
    name: 'locks',
    files: ['locks/inTurnByFile', 'locks/lockFile', 'writeAtomically'].map((file) => `src/node/${file}.ts`),
    tests: ['test/node/locks', 'test/node/files', 'test/node/nodeFileSystem.test.ts'],
  },
  {
    name: 'config.yaml',
    files: ['configSchema', 'effectiveConfig', 'loadConfig', 'readConfig']
      .map((file) => `src/node/config/${file}.ts`)
      .concat('src/cli/withConfig.ts'),
    tests: ['test/node/config'],
  },
];
