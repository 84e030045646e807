import { Icon } from './Icon';

interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  /** The tooltip, when it says more than the label: the key. */
  title?: string;
  expanded?: boolean;
}

export function IconButton({ icon, label, onClick, title, expanded }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={title ?? label}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
