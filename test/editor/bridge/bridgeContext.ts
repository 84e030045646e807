import type * as vscode from 'vscode';

/** What a function that a test sends into the extension host is given. */
export interface BridgeContext {
  readonly vscode: typeof vscode;
  readonly require: NodeJS.Require;
  /** The extension under test; undefined while it is not known to the editor. */
  readonly extension: vscode.Extension<unknown> | undefined;
}
