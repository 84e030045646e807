import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { CONTENT_KINDS, type EffectivePrompt, type Engine } from '../../engine';
import { CONTENT_SCHEME } from '../contributionPoints';

/** The file of a built-in, to be read only; any other as it is. */
export function contentUri({ scope, path }: { scope: string; path: string }): vscode.Uri {
  if (scope !== 'builtin') return vscode.Uri.file(path);
  return vscode.Uri.file(path).with({ scheme: CONTENT_SCHEME, authority: 'builtin' });
}

/** The document with what an agent is told, and with which tools. */
export function effectivePromptUri(agent: string): vscode.Uri {
  const path = `/Effective prompt of ${agent.replaceAll('/', ' ')}.md`;
  return vscode.Uri.from({ scheme: CONTENT_SCHEME, authority: 'prompt', path, query: agent });
}

/** Documents that can only be read: what comes with Cairn, and effective prompts, which follow every change of a file. */
export class ContentDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly engine: Engine,
    private readonly workspace: () => string,
  ) {
    for (const kind of CONTENT_KINDS) this.disposables.add(engine[kind].onChanged(() => this.promptsChanged()));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.authority === 'prompt') return this.promptText(uri.query);
    // Only what comes with Cairn has documents of that kind.
    const { fsPath } = vscode.Uri.file(uri.path);
    if (this.engine.content.placeOf(fsPath)?.root.scope !== 'builtin') return '';
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(fsPath));
    return new TextDecoder().decode(bytes);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async promptText(agent: string): Promise<string> {
    try {
      return promptDocument(agent, await this.engine.effectivePrompt(agent, { workspace: this.workspace() }));
    } catch (error) {
      return `# Effective prompt of ${agent}\n\n${errorText(error)}\n`;
    }
  }

  private promptsChanged(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === CONTENT_SCHEME && uri.authority === 'prompt') this.changes.fire(uri);
    }
  }
}

function promptDocument(agent: string, { prompt, tools, model }: EffectivePrompt): string {
  const listed = tools.map(({ name, description }) => `- \`${name}\`: ${description.split('\n', 1)[0] ?? ''}`);
  return [
    `# Effective prompt of ${agent}`,
    'What the agent is told with its first request in a new session here. Nothing was run.',
    `Model: \`${model}\``,
    `## Tools (${tools.length})`,
    listed.join('\n') || 'None.',
    '## Prompt',
    prompt,
    '',
  ].join('\n\n');
}
