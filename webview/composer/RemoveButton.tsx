import { Icon } from '../ui/Icon';

/** Takes a chip out. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  return (
    <button type="button" class="chip-remove" aria-label={label} title="Remove" onClick={remove}>
      <Icon name="close" />
    </button>
  );
}
