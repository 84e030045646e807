import { safeLine } from '../../src/base/shown/safeText';
import { focusComposer } from '../ui/focus';
import type { MessageItem } from '../../src/protocol/messageItem';
import { Icon } from '../ui/Icon';
import { itemIcon } from '../ui/itemIcon';
import { useItems, usePanel } from '../ui/panelContext';
import { Note } from '../ui/SentItems';
import { RemoveButton } from './RemoveButton';

/** What will go with the message, each of it with a way to take it out. */
export function ItemChips() {
  const items = useItems();
  const { attach } = usePanel();
  if (items.length === 0) return null;
  const remove = (item: MessageItem) => {
    attach.remove(item);
    focusComposer();
  };
  return (
    <ul class="chips" aria-label="Goes with the message">
      {items.map((item) => (
        <Chip key={keyOf(item)} item={item} remove={() => remove(item)} />
      ))}
    </ul>
  );
}

function Chip({ item, remove }: { item: MessageItem; remove: () => void }) {
  const note = item.kind === 'image' ? undefined : item.note;
  return (
    <li class="chip" title={titleOf(item)}>
      {item.kind === 'image' ? <img src={item.thumbnail} alt="" /> : <Icon name={itemIcon(item.kind)} />}
      <span class="chip-label">{safeLine(item.label, 200, 'exact')}</span>
      {note !== undefined && <Note text={note} />}
      <RemoveButton label={`Remove ${safeLine(item.label, 200, 'exact')}`} remove={remove} />
    </li>
  );
}

function titleOf(item: MessageItem): string {
  const label = safeLine(item.label, 1000, 'exact');
  if (item.kind === 'image') return label;
  const lines = item.lines ? `, lines ${item.lines.first}–${item.lines.last}` : '';
  const place = item.target === '' ? label : `${safeLine(item.target, 1000, 'exact')}${lines}`;
  return item.note === undefined ? place : `${place}\n${item.note}`;
}

function keyOf(item: MessageItem): string {
  if (item.kind === 'image') return `image ${item.label} ${item.data.length}`;
  return `${item.kind} ${item.target} ${item.lines?.first ?? ''}-${item.lines?.last ?? ''}`;
}
