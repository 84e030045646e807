import { t } from '../../base/l10n';
import { CONTENT_KINDS, type ContentKind, type Engine, type Named } from '../../engine';
import { pickRow } from '../shown/pickList';
import { sourceText } from './customizationNode';

/** An agent, skill, or role. */
export interface PickedContent {
  kind: ContentKind;
  item: Named & { description: string };
}

export interface PickOptions {
  title: string;
  kinds: readonly ContentKind[];
  /** Filters which of the items in effect can be picked. */
  fits?: (picked: PickedContent) => boolean;
}

/** Returns the item of the row that a command was invoked on, otherwise asks the user. Returns undefined if the user canceled. */
export async function pickContent(
  engine: Engine,
  argument: unknown,
  { title, kinds, fits = () => true }: PickOptions,
): Promise<PickedContent | undefined> {
  const all = await Promise.all(kinds.map((kind) => itemsOf(engine, kind)));
  const given = await givenContent(engine, argument);
  if (given) return given;
  const picks = all
    .flat()
    .filter(fits)
    .map((one) => ({
      label: one.item.name,
      description:
        kinds.length > 1 ? `${LABELS[one.kind]()} · ${sourceText(one.item.source)}` : sourceText(one.item.source),
      detail: one.item.description,
      content: one,
    }));
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await pickRow(picks, options))?.content;
}

const LABELS: Record<ContentKind, () => string> = {
  agents: () => t('agent'),
  skills: () => t('skill'),
  roles: () => t('role'),
};

async function itemsOf(engine: Engine, kind: ContentKind): Promise<PickedContent[]> {
  const catalog: { list(): Promise<readonly PickedContent['item'][]> } = engine[kind];
  return (await catalog.list()).map((item) => ({ kind, item }));
}

async function givenContent(engine: Engine, argument: unknown): Promise<PickedContent | undefined> {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument && 'name' in argument))
    return undefined;
  const kind = CONTENT_KINDS.find((one) => one === argument.kind);
  if (!kind) return undefined;
  const catalog: { all(): Promise<readonly PickedContent['item'][]> } = engine[kind];
  const named = (await catalog.all()).filter(({ name }) => name === argument.name);
  const path = 'source' in argument ? pathOf(argument.source) : undefined;
  const item = named.find(({ source }) => source.path === path) ?? named.at(-1);
  return item && { kind, item };
}

function pathOf(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'path' in source ? source.path : undefined;
}
