import { contextWords, meterWords } from '../ui/words';
import { useChat } from '../ui/panelContext';

/** How full the model's window is: a hairline and a number, more of them on hover. Absent while nothing is used. */
export function UsageMeter() {
  const usage = useChat((state) => state.usage);
  const words = contextWords(usage);
  if (words === null || usage.contextWindow === null || usage.contextTokens === 0) return null;
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
      <div class="track">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span aria-hidden="true">{meterWords(share, usage)}</span>
    </div>
  );
}
