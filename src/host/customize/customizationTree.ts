import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeLabel, safeLine, safeText } from '../../base/shown/safeText';
import { CONTENT_KINDS, type ContentKind, type Engine } from '../../engine';
import { CONTENT_SCHEME } from '../contributionPoints';
import { contentUri } from './contentDocuments';
import {
  type BrokenNode,
  type CatalogContents,
  type CustomizationNode,
  customizationRows,
  type GroupNode,
  type ItemNode,
  nodeText,
} from './customizationNode';

const GROUPS: Record<ContentKind, { label: string; icon: string }> = {
  agents: {
    get label() {
      return t('Agents');
    },
    icon: 'robot',
  },
  skills: {
    get label() {
      return t('Skills');
    },
    icon: 'lightbulb',
  },
  roles: {
    get label() {
      return t('Roles');
    },
    icon: 'person',
  },
};

/** The children of a row; the groups if `node` is undefined. */
export async function customizationChildren(
  engine: Engine,
  node: CustomizationNode | undefined,
): Promise<CustomizationNode[]> {
  if (node === undefined) return Promise.all(CONTENT_KINDS.map((kind) => groupOf(engine, kind)));
  return node.type === 'group' ? customizationRows(await contentsOf(engine, node.kind)) : [];
}

export function customizationItem(node: CustomizationNode): vscode.TreeItem {
  switch (node.type) {
    case 'group':
      return groupItem(node);
    case 'item':
      return contentItem(node);
    case 'broken':
      return brokenItem(node);
  }
}

async function groupOf(engine: Engine, kind: ContentKind): Promise<GroupNode> {
  return { type: 'group', kind, count: (await engine[kind].list()).length };
}

async function contentsOf({ agents, skills, roles }: Engine, kind: ContentKind): Promise<CatalogContents> {
  switch (kind) {
    case 'agents': {
      const all = (await agents.all()).map((agent) => ({ ...agent, agent }));
      return { kind, all, problems: await agents.problems() };
    }
    case 'skills':
      return { kind, all: await skills.all(), problems: await skills.problems() };
    case 'roles':
      return { kind, all: await roles.all(), problems: await roles.problems() };
  }
}

function groupItem({ kind, count }: GroupNode): vscode.TreeItem {
  const { label } = GROUPS[kind];
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, kind === 'agents' ? Expanded : Collapsed);
  item.id = kind;
  item.description = String(count);
  item.contextValue = `group ${kind}`;
  item.accessibilityInformation = { label: `${label}, ${count}` };
  return item;
}

function contentItem(node: ItemNode): vscode.TreeItem {
  const { kind, name, source, replacedBy, startedBy } = node;
  const item = new vscode.TreeItem(safeLabel(name));
  const text = nodeText(node);
  const uri = contentUri(source);
  item.id = `${kind} ${source.path} ${name}`;
  item.description = text;
  item.tooltip = tooltipOf(node, text);
  item.iconPath = new vscode.ThemeIcon(replacedBy ? 'circle-slash' : GROUPS[kind].icon);
  // The editor marks files that have problems by itself. Items not in effect are dimmed through Cairn's own URI scheme.
  const isDimmed = replacedBy !== undefined || startedBy === 'nobody' || startedBy === 'off';
  if (isDimmed) item.resourceUri = vscode.Uri.file(source.path).with({ scheme: CONTENT_SCHEME, authority: 'dimmed' });
  else if (source.scope !== 'builtin') item.resourceUri = uri;
  item.contextValue = ['item', kind, source.scope, replacedBy ? 'replaced' : (startedBy ?? 'counts')].join(' ');
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [uri] };
  item.accessibilityInformation = { label: [safeLine(name), text, ...warningsText(node)].join(', ') };
  return item;
}

function tooltipOf({ description, source, replacedBy, warnings }: ItemNode, text: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  if (description !== '') tooltip.appendText(safeText(description)).appendMarkdown('\n\n');
  tooltip.appendText(`${text}\n${safeLine(source.path, 1000, 'exact')}`);
  if (replacedBy) tooltip.appendText(`\n${t('In effect instead: {0}', safeLine(replacedBy.path, 1000, 'exact'))}`);
  for (const { line, message } of warnings)
    tooltip.appendMarkdown('\n\n').appendText(t('Line {0}: {1}', line, safeLine(message, 1000)));
  return tooltip;
}

function warningsText({ warnings }: ItemNode): string[] {
  if (warnings.length === 0) return [];
  return [warnings.length === 1 ? t('1 warning') : t('{0} warnings', warnings.length)];
}

function brokenItem({ kind, path, problem }: BrokenNode): vscode.TreeItem {
  const name = safeLabel(shortName(path));
  const message = safeLine(problem.message, 1000);
  const item = new vscode.TreeItem(name);
  item.id = `${kind} broken ${path}`;
  item.description = safeLabel(message, 1000);
  item.tooltip = t('{0}\nLine {1}: {2}', safeLine(path, 1000, 'exact'), problem.line, message);
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.resourceUri = vscode.Uri.file(path);
  item.contextValue = `broken ${kind}`;
  const place = new vscode.Position(problem.line - 1, problem.column - 1);
  const selection = new vscode.Range(place, place);
  item.command = { command: 'vscode.open', title: t('Open'), arguments: [item.resourceUri, { selection }] };
  item.accessibilityInformation = { label: t('{0}, cannot be used: {1}', name, message) };
  return item;
}

/** A file with a generic name is shown with its folder. */
function shortName(path: string): string {
  const file = basename(path);
  return file === 'SKILL.md' || file === 'config.yaml' ? `${basename(dirname(path))}/${file}` : file;
}
