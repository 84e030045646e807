/** User settings for a quiet editor: a trusted folder, no distractions, no network access. */
export const editorSettings: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.editor.useModal': 'off',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'git.openRepositoryInParentFolders': 'never',
  // In a browser the editor saves automatically after a second, which no story waits for.
  'files.autoSave': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
};
