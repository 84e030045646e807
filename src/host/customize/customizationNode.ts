import { t } from '../../base/l10n';
import {
  type AgentDefinition,
  type ContentKind,
  type ContentProblem,
  type ContentSource,
  type Named,
  WORLD_NAMES,
} from '../../engine';

/** A row of the Customizations view. */
export type CustomizationNode = GroupNode | ItemNode | BrokenNode;

export interface GroupNode {
  type: 'group';
  kind: ContentKind;
  /** The number of items in effect, without those that are replaced. */
  count: number;
}

/** An agent, skill, or role. */
export interface ItemNode {
  type: 'item';
  kind: ContentKind;
  name: string;
  description: string;
  source: ContentSource;
  /** The item with the same name that takes precedence. */
  replacedBy: ContentSource | undefined;
  /** Who may start it. Set for agents only. */
  startedBy: 'people' | 'agents' | 'nobody' | 'off' | undefined;
  warnings: readonly ContentProblem[];
}

/** A file that cannot be used. */
export interface BrokenNode {
  type: 'broken';
  kind: ContentKind;
  path: string;
  problem: ContentProblem;
}

export interface CatalogContents {
  kind: ContentKind;
  /** In order of precedence. */
  all: readonly (Named & { description: string; agent?: AgentDefinition })[];
  problems: readonly ContentProblem[];
}

/** The rows of a group, sorted by name. An item in effect comes before those it replaces; unusable files come last. */
export function customizationRows({ kind, all, problems }: CatalogContents): (ItemNode | BrokenNode)[] {
  const winners = new Map(all.map((item) => [item.name, item]));
  const order = new Map(all.map((item, index) => [item, index]));
  const place = (item: CatalogContents['all'][number]) => order.get(item) ?? 0;
  const items = [...all]
    .sort((a, b) => (a.name === b.name ? place(b) - place(a) : a.name.localeCompare(b.name)))
    .map((item): ItemNode => {
      const winner = winners.get(item.name);
      return {
        type: 'item',
        kind,
        name: item.name,
        description: item.description,
        source: item.source,
        replacedBy: winner === undefined || winner === item ? undefined : winner.source,
        startedBy: item.agent && starterOf(item.agent),
        warnings: problems.filter(({ path, severity }) => path === item.source.path && severity !== 'note'),
      };
    });
  const read = new Set(all.map(({ source }) => source.path));
  const broken = problems.filter(({ path, severity }) => severity === 'error' && !read.has(path));
  const first = new Map([...broken].reverse().map((problem) => [problem.path, problem]));
  const files = [...first].sort(([a], [b]) => a.localeCompare(b));
  return [...items, ...files.map(([path, problem]): BrokenNode => ({ type: 'broken', kind, path, problem }))];
}

function starterOf({ hidden, mode, disabled }: AgentDefinition): ItemNode['startedBy'] {
  if (disabled) return 'off';
  if (mode === 'subagent') return 'agents';
  if (hidden) return mode === 'all' ? 'agents' : 'nobody';
  return 'people';
}

const SCOPES: Record<ContentSource['scope'], () => string> = {
  builtin: () => t('built-in'),
  user: () => t('yours'),
  workspace: () => t('workspace'),
};

/** The source and its convention, such as "workspace, Claude". */
export function sourceText({ scope, world }: ContentSource): string {
  return [SCOPES[scope](), WORLD_NAMES[world]].filter((part) => part !== '').join(', ');
}

/** The text after the name. */
export function nodeText({ source, replacedBy, startedBy }: ItemNode): string {
  const from = sourceText(source);
  if (replacedBy)
    return t(
      '{0} · replaced by {1}',
      from,
      replacedBy.scope === source.scope ? sourceText(replacedBy) : SCOPES[replacedBy.scope](),
    );
  if (startedBy === 'agents') return t('{0} · for other agents', from);
  if (startedBy === 'off') return t('{0} · turned off', from);
  return startedBy === 'nobody' ? t('{0} · hidden', from) : from;
}
