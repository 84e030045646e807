import { contextWords } from '../../words';
import { useChat } from '../panelContext';

/** How full the model's window is, as a hairline; the numbers on hover. */
export function UsageMeter() {
  const usage = useChat((state) => state.usage);
  const words = contextWords(usage);
  if (words === null || usage.contextWindow === null) return null;
  const share = Math.min(1, usage.contextTokens / usage.contextWindow);
  return (
    <div
      class={share > 0.85 ? 'meter nearly-full' : 'meter'}
      role="meter"
      title={words}
      aria-label="Context used"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={words}
    >
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
}
