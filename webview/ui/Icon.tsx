import { t } from '../../src/base/l10n';
import type { AllowProps } from '../transcript/ask/AlwaysList';

interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  /** The tooltip, when it says more than the label: the key. */
  title?: string;
  expanded?: boolean;
  /** Seen only while its block is pointed at or has the focus; it takes no room before. */
  quiet?: boolean;
  /** Of one that allows something. */
  allow?: AllowProps;
}

export function IconButton({ icon, label, onClick, title, expanded, quiet, allow }: IconButtonProps) {
  return (
    <button
      type="button"
      class={quiet ? 'icon-button on-hover' : 'icon-button'}
      aria-label={label}
      title={title ?? label}
      aria-expanded={expanded}
      {...allow}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/**
 * A codicon, or `stop`: the filled square, which the codicons only have as a frame. Decoration: its meaning is always
 * said in words as well.
 */
export function Icon({ name, class: extra }: { name: string; class?: string }) {
  if (name === 'stop') return <span class="stop-icon" aria-hidden="true" />;
  return <span class={`codicon codicon-${name}${extra ? ` ${extra}` : ''}`} aria-hidden="true" />;
}

/** Takes a chip out. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  return (
    <button type="button" class="chip-remove" aria-label={label} title={t('Remove')} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}
