import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import { type ContextItem, MAX_PINNED, type MessageItem, sameItem } from '../../src/protocol/messageItem';
import { focusComposer } from '../ui/focus';
import { Icon, RemoveButton } from '../ui/Icon';
import { useChat, useItems, useNearby, usePanel } from '../ui/panelContext';
import { itemIcon, Note } from '../ui/SentItems';

/** Items of the message: pinned to the session, added to this message, and suggested. */
export function ItemChips() {
  const { attach, view } = usePanel();
  const items = useItems();
  const { pinned, setPinned } = usePins();
  const added = items.filter((item) => !pinned.some((one) => sameItem(one, item)));
  const then = (act: () => unknown) => () => {
    act();
    focusComposer();
  };
  const drop = (item: ContextItem) => view.setItems(view.items.filter((one) => !sameItem(one, item)));
  const pin = async (item: ContextItem) => {
    if (await setPinned([...pinned, item])) drop(item);
  };
  const unpin = (item: ContextItem) => setPinned(pinned.filter((one) => !sameItem(one, item)));
  /** Unpins an item but keeps it for this message. Added first: a message sent in between must have it too. */
  const keep = async (item: ContextItem) => {
    attach.add([item]);
    if (!(await unpin(item))) drop(item);
  };
  const mayPin = pinned.length < MAX_PINNED;
  return (
    <div class="chip-row">
      {pinned.length + added.length > 0 && (
        <ul class="chips" aria-label={t('Attachments')}>
          {pinned.map((item) => (
            <Chip
              key={`pinned ${keyOf(item)}`}
              item={item}
              isPinned
              pin={then(() => keep(item))}
              remove={then(() => unpin(item))}
            />
          ))}
          {added.map((item) => (
            <Chip
              key={keyOf(item)}
              item={item}
              isPinned={false}
              pin={mayPin && isLasting(item) ? then(() => pin(item)) : null}
              remove={then(() => attach.remove(item))}
            />
          ))}
        </ul>
      )}
      <NearbyChip pin={mayPin ? (item) => then(() => pin(item))() : null} />
    </div>
  );
}

function usePins() {
  const { setup } = usePanel();
  const pinned = useChat((state) => state.setup.pinned);
  return { pinned, setPinned: (items: readonly ContextItem[]) => setup.pin(items) };
}

/** Whether an item can be read again with each message. */
function isLasting(item: MessageItem): item is ContextItem {
  return item.kind !== 'image' && item.kind !== 'terminal';
}

/** What the user is looking at in the editor. It is attached or pinned only by a click. */
function NearbyChip({ pin }: { pin: ((item: ContextItem) => void) | null }) {
  const { attach } = usePanel();
  const item = useNearby();
  if (!item) return null;
  const add = () => {
    attach.add([item]);
    focusComposer();
  };
  const label = safeLine(item.label, 200, 'exact');
  return (
    <span class="chip nearby">
      <button
        type="button"
        class="chip-open"
        aria-label={t('Add {0}', label)}
        title={t('Add {0}', titleOf(item))}
        onClick={add}
      >
        <Icon name="add" />
        <span class="chip-label">{label}</span>
      </button>
      {pin && <PinButton label={label} isPinned={false} press={() => pin(item)} />}
    </span>
  );
}

interface ChipProps {
  item: MessageItem;
  isPinned: boolean;
  /** Null if it cannot be pinned. */
  pin: (() => void) | null;
  remove: () => void;
}

function Chip({ item, isPinned, pin, remove }: ChipProps) {
  const note = item.kind === 'image' ? undefined : item.note;
  const label = safeLine(item.label, 200, 'exact');
  return (
    <li class={isPinned ? 'chip pinned' : 'chip'} title={titleOf(item)}>
      {item.kind === 'image' ? <img src={item.thumbnail} alt="" /> : <Icon name={itemIcon(item.kind)} />}
      <span class="chip-label">{label}</span>
      {note !== undefined && <Note text={note} />}
      {pin && <PinButton label={label} isPinned={isPinned} press={pin} />}
      <RemoveButton label={t('Remove {0}', label)} remove={remove} />
    </li>
  );
}

function PinButton({ label, isPinned, press }: { label: string; isPinned: boolean; press: () => void }) {
  return (
    <button
      type="button"
      class="chip-remove chip-pin"
      aria-label={t('Pin {0}', label)}
      aria-pressed={isPinned}
      title={isPinned ? t('Unpin: send with this message only') : t('Pin: send with every message of this session')}
      onClick={press}
    >
      <Icon name={isPinned ? 'pinned' : 'pin'} />
    </button>
  );
}

function titleOf(item: MessageItem): string {
  const label = safeLine(item.label, 1000, 'exact');
  if (item.kind === 'image') return label;
  const target = safeLine(item.target, 1000, 'exact');
  const whole = item.lines ? t('{0}, lines {1}–{2}', target, item.lines.first, item.lines.last) : target;
  const place = item.target === '' || item.kind === 'terminal' ? label : whole;
  const server = item.server === undefined ? [] : [t('of the MCP server {0}', safeLine(item.server, 200, 'exact'))];
  return [place, ...server, ...(item.note === undefined ? [] : [item.note])].join('\n');
}

function keyOf(item: MessageItem): string {
  if (item.kind === 'image') return `image ${item.label} ${item.data.length}`;
  return `${item.kind} ${item.server ?? ''} ${item.target} ${item.lines?.first ?? ''}-${item.lines?.last ?? ''}`;
}
