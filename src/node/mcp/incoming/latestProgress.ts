import type { Progress } from '@modelcontextprotocol/client';
import { safeLine } from '../../../base/shown/safeText';

/** The maximum length of a progress message. */
const MAX_PROGRESS = 500;

/**
 * Returns a handler for a server's progress messages that passes on the latest of those that arrive together: a server may send
 * any number of any length.
 */
export function latestProgress(onProgress: (text: string) => void): {
  onprogress: (one: Progress) => void;
  end: () => void;
} {
  let latest: string | undefined;
  let isOver = false;
  const tell = () => {
    if (latest !== undefined && !isOver) onProgress(latest);
    latest = undefined;
  };
  return {
    onprogress: ({ message, progress, total }) => {
      if (latest === undefined) setImmediate(tell);
      const text = message ?? (total === undefined ? String(progress) : `${progress} of ${total}`);
      latest = safeLine(text, MAX_PROGRESS);
    },
    end: () => (isOver = true),
  };
}
