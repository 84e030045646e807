import type { AllowProps } from '../transcript/ask/useAllow';
import { Icon } from './Icon';

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
