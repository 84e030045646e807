import { useLayoutEffect } from 'preact/hooks';
import { usePanel, useRedraw } from '../../ui/panelContext';

/** What a button has that allows something. `askGuard` keeps it from being pressed, so it stays in reach of the keyboard. */
export interface AllowProps {
  'data-allows': '';
  'aria-disabled': 'true' | undefined;
  'aria-description': string | undefined;
  title: string | undefined;
}

/** `hint` says what to do first while the end of one of the requests was not seen; `title` is the tooltip afterwards. */
export function useAllow(approvalIds: readonly string[], hint: string, title?: string): AllowProps {
  const { ends } = usePanel();
  const redraw = useRedraw();
  useLayoutEffect(() => {
    const listening = ends.onChange(redraw);
    return () => listening.dispose();
  }, [ends, redraw]);
  const isSeen = approvalIds.every((id) => ends.has(id));
  return {
    'data-allows': '',
    'aria-disabled': isSeen ? undefined : 'true',
    'aria-description': isSeen ? undefined : hint,
    title: isSeen ? title : hint,
  };
}
