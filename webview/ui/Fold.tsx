import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';

interface FoldProps {
  open: boolean;
  /** Undefined if there is nothing to expand. */
  onToggle: ((open: boolean) => void) | undefined;
  /** What precedes the line: a spinner, an icon, or the fold's arrow. */
  lead: 'arrow' | 'busy' | { icon: string };
  children: ComponentChildren;
}

/** A line that expands the content below it. */
export function Fold({ open, onToggle, lead, children }: FoldProps) {
  const content = (
    <>
      <span class="lead">{leadIcon(lead, open, onToggle !== undefined)}</span>
      {children}
    </>
  );
  if (!onToggle) return <div class="fold">{content}</div>;
  return (
    <button type="button" class="fold" aria-expanded={open} onClick={() => onToggle(!open)}>
      {content}
    </button>
  );
}

function leadIcon(lead: FoldProps['lead'], open: boolean, foldable: boolean) {
  if (lead === 'busy') return <Icon name="loading" class="spin" />;
  if (lead !== 'arrow') return <Icon name={lead.icon} />;
  return <Icon name={foldable ? (open ? 'chevron-down' : 'chevron-right') : 'circle-small-filled'} />;
}
