import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { SentItem } from '../../src/protocol/chatState';
import { Icon } from './Icon';

/** The items sent with a message. */
export function SentItems({ items }: { items: readonly SentItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul class="chips sent" aria-label={t('Attachments')}>
      {items.map((item, at) => (
        <Sent key={at} item={item} />
      ))}
    </ul>
  );
}

function Sent({ item: { kind, label: foreign, thumbnail, note } }: { item: SentItem }) {
  const label = safeLine(foreign, 200, 'exact');
  return (
    <li class={thumbnail === null ? 'chip' : 'chip picture'} title={note ?? label}>
      {thumbnail === null ? (
        <>
          <Icon name={itemIcon(kind)} />
          <span class="chip-label">{label}</span>
        </>
      ) : (
        <img src={thumbnail} alt={label} />
      )}
      {note !== null && <Note text={note} />}
    </li>
  );
}

/** Notes that something is incomplete. */
export function Note({ text }: { text: string }) {
  return (
    <>
      <Icon name="info" />
      <span class="visually-hidden">{text}</span>
    </>
  );
}

const ICONS: Record<SentItem['kind'], string> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  changes: 'git-commit',
  terminal: 'output',
  page: 'globe',
  resource: 'plug',
  agent: 'robot',
  input: 'file',
  command: 'terminal',
  image: 'file-media',
};

export function itemIcon(kind: SentItem['kind']): string {
  return ICONS[kind];
}
