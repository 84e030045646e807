import * as vscode from 'vscode';
import { errorText } from '../../base/errorText';
import { safeFileName } from '../../base/shown/safeLabel';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { EffectivePrompt, Engine } from '../../engine';
import { CONTENT_SCHEME } from '../contributionPoints';
import type { ContentProblems } from './contentProblems';

/** The file of a built-in, to be read only; any other as it is. */
export function contentUri({ scope, path }: { scope: string; path: string }): vscode.Uri {
  if (scope !== 'builtin') return vscode.Uri.file(path);
  return vscode.Uri.file(path).with({ scheme: CONTENT_SCHEME, authority: 'builtin' });
}

/** The document with what an agent is told, and with which tools. */
export function effectivePromptUri(agent: string): vscode.Uri {
  const path = `/Effective prompt of ${safeFileName(agent)}.md`;
  return vscode.Uri.from({ scheme: CONTENT_SCHEME, authority: 'prompt', path, query: agent });
}

/** The text of such a document: of what comes with Cairn, or of an effective prompt. */
export async function contentDocument(engine: Engine, uri: vscode.Uri, workspace: string): Promise<string> {
  // In Markdown the editor itself marks nothing that is not seen.
  if (uri.authority === 'prompt') return safeText(await promptText(engine, uri.query, workspace));
  // Only what comes with Cairn has documents of that kind.
  const file = vscode.Uri.file(uri.path);
  if (engine.content.placeOf(file.fsPath)?.root.scope !== 'builtin') return '';
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

async function promptText(engine: Engine, agent: string, workspace: string): Promise<string> {
  try {
    return promptDocument(agent, await engine.effectivePrompt(agent, { workspace }));
  } catch (error) {
    return `# Effective prompt of ${agent}\n\n${errorText(error)}\n`;
  }
}

function promptDocument(agent: string, { prompt, tools, model }: EffectivePrompt): string {
  const listed = tools.map(({ name, description }) => `- \`${name}\`: ${description.split('\n', 1)[0] ?? ''}`);
  return [
    `# Effective prompt of ${agent}`,
    'What the agent receives with its first request in a new session here. Nothing was run.',
    `Model: \`${model}\``,
    `## Tools (${tools.length})`,
    listed.join('\n') || 'None.',
    '## Prompt',
    prompt,
    '',
  ].join('\n\n');
}

/** Puts the word that was meant in the place of the one that was written. */
export function contentFixes(
  problems: ContentProblems,
  document: vscode.TextDocument,
  range: vscode.Range,
): vscode.CodeAction[] {
  const here = problems.corrections(document.uri).filter((one) => one.range.intersection(range) !== undefined);
  return here.map(({ range: wrong, instead }) => {
    const fix = new vscode.CodeAction(`Change to “${safeLine(instead, 100, 'exact')}”`, vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, wrong, instead);
    fix.isPreferred = here.length === 1;
    fix.diagnostics = vscode.languages.getDiagnostics(document.uri).filter((one) => one.range.isEqual(wrong));
    return fix;
  });
}
