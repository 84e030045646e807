import type { ComponentChildren } from 'preact';
import type { ToolGroup } from '../toolGroups';
import { Fold } from '../../ui/Fold';
import { useOpen } from '../../ui/panelContext';

/** The line of a group; its first tool stands below it, the others are entries of their own. */
export function GroupLine({ group, children }: { group: ToolGroup; children: ComponentChildren }) {
  const [open, setOpen] = useOpen(`group:${group.id}`, false);
  return (
    <>
      <Fold open={open} onToggle={setOpen} lead="arrow">
        <span class="fold-title">{group.summary}</span>
      </Fold>
      {open && <div class="group-first">{children}</div>}
    </>
  );
}
