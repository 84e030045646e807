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
  {
    name: 'pages',
    files: ['NewRuleForm', 'PermissionsPage', 'ServerTools', 'ServersPage', 'UsagePage', 'UsagePlot'].map(
      (file) => `webview/pages/${file}.tsx`,
    ),
    tests: ['test/webview/pages.test.ts'],
    inPanel: true,
  },
  {
    name: 'answers on a terminal',
    files: ['exitStatus', 'folderTrust', 'output', 'terminal', 'terminalApprovals', 'vault/hiddenInput'].map(
      (file) => `src/cli/${file}.ts`,
    ),
    tests: ['folderTrust', 'jsonOutput', 'terminalAnswers', 'terminalQuestions', 'terminalScreen'].map(
      (file) => `test/cli/${file}.test.ts`,
    ),
  },
  {
    name: 'import',
    files: [
      ...['claudeSession', 'claudeTool', 'coyoteSession', 'coyoteTool', 'geminiTool', 'gooseTool', 'importLedger'],
      ...['importReport', 'importSources', 'openCodeSession', 'openCodeTool', 'placeFiles', 'readData', 'scanContent'],
      ...['secretsOut', 'serverItems', 'sourceFolder', 'writeItems'],
    ].map((file) => `src/node/import/${file}.ts`),
    tests: ['test/node/import'],
  },
  {
    name: 'page of a graph run',
    files: [
      ...['runComparison', 'runOfGraph'].map((file) => `src/host/graphs/${file}.ts`),
      ...['clipText', 'graphMoves', 'graphWords', 'linePath', 'listRows', 'timeParts', 'visitWords'].map(
        (file) => `webview/graphs/${file}.ts`,
      ),
    ],
    tests: [
      'test/host/graphs',
      ...['FileWords', 'Parts', 'Times', 'Words'].map((name) => `test/webview/graph${name}.test.ts`),
    ],
  },
];
