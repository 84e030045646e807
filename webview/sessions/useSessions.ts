import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import { errorText } from '../../src/base/errorText';
import type { SessionSummary } from '../../src/protocol/hostApi';
import { usePanel } from '../ui/panelContext';

/** Other sessions run on unseen; whether they do is asked this often while the list is open. */
const AGAIN_MS = 2_000;

export interface Sessions {
  /** Null until they are known. */
  list: readonly SessionSummary[] | null;
  failure: string | null;
  reload: () => Promise<void>;
}

/** The sessions of the workspace, asked again from time to time. */
export function useSessions(): Sessions {
  const { sessions } = usePanel();
  const [list, setList] = useState<readonly SessionSummary[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      setList(await sessions.list());
      setFailure(null);
    } catch (error) {
      setFailure(errorText(error));
    }
  }, [sessions]);
  useLayoutEffect(() => {
    void reload();
    const timer = setInterval(() => void reload(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [reload]);
  return { list, failure, reload };
}
