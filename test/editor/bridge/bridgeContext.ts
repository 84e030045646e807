import type * as vscode from 'vscode';

/** What the bridge passes to a function that a test sends into the extension host. */
export interface BridgeContext {
  readonly vscode: typeof vscode;
  readonly require: NodeJS.Require;
  /** The extension under test; undefined until the editor knows it. */
  readonly extension: vscode.Extension<unknown> | undefined;
}
