import type { SentItem } from '../../src/protocol/chatState';
import { Icon } from './Icon';
import { itemIcon } from './itemIcon';

/** What went with a message. */
export function SentItems({ items }: { items: readonly SentItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul class="chips sent" aria-label="Sent along">
      {items.map((item, at) => (
        <li key={at} class={item.thumbnail === null ? 'chip' : 'chip picture'} title={item.note ?? item.label}>
          {item.thumbnail === null ? (
            <>
              <Icon name={itemIcon(item.kind)} />
              <span class="chip-label">{item.label}</span>
            </>
          ) : (
            <img src={item.thumbnail} alt={item.label} />
          )}
          {item.note !== null && <Note text={item.note} />}
        </li>
      ))}
    </ul>
  );
}

/** That something is not all there. */
export function Note({ text }: { text: string }) {
  return (
    <>
      <Icon name="info" />
      <span class="visually-hidden">{text}</span>
    </>
  );
}
