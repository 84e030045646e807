import { t } from '../../src/base/l10n';
import type { AllowProps } from '../transcript/ask/AlwaysList';

interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  /** The tooltip, if it says more than the label, such as the key. */
  title?: string;
  expanded?: boolean;
  /** Visible only while its block is hovered or focused; takes no space otherwise. */
  quiet?: boolean;
  /** For a button that allows something. */
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
 * A codicon, or `stop`: the filled square, which the codicons only have as an outline. Decorative: its meaning is always stated
 * in words as well.
 */
export function Icon({ name, class: extra }: { name: string; class?: string }) {
  if (name === 'stop') return <span class="stop-icon" aria-hidden="true" />;
  return <span class={`codicon codicon-${name}${extra ? ` ${extra}` : ''}`} aria-hidden="true" />;
}

/** Removes a chip. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  return (
    <button type="button" class="chip-remove" aria-label={label} title={t('Remove')} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}
