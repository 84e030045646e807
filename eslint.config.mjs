import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', '.build', '.vscode-test', 'node_modules', 'test/fixtures', 'assets/agents'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', 'test/tasks/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // Else the module is loaded for its types alone.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      // Servers that have nothing newer are still to be reached, and our own tools have JSON Schemas, which the newer class does not take.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            { from: 'package', name: 'SSEClientTransport', package: '@modelcontextprotocol/client' },
            { from: 'package', name: 'Server', package: '@modelcontextprotocol/sdk' },
          ],
        },
      ],
      'no-console': 'error',
      // An interface may promise what one of its implementations has at hand.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
    },
  },
  { files: ['src/cli/**', 'test/**', 'esbuild.mjs'], rules: { 'no-console': 'off' } },
  {
    // mocha's describe and it give back promises that mocha itself awaits.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['describe', 'it'] }] },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
