import { memoizeByObject } from '../../base/memoizeByObject';
import type { ToolCall, ToolResult } from '../messages/toolCall';

/** The longest cycle of calls that is detected. */
const LONGEST_ROUND = 4;
/** How often the same call may occur in a row, even with a different result each time. */
const MAX_IN_A_ROW = 12;
/** The run ends after this many alerts with no other call in between. */
const MAX_ALERTS = 5;
const KEPT = Math.max(2 * LONGEST_ROUND, MAX_IN_A_ROW);

interface Made {
  call: string;
  result: string;
}

/** Detects a model that repeats the same calls, which would go on forever and cost money each time. */
export class RepeatGuard {
  private made: Made[] = [];
  /** Memoized because it is needed both before and after a call. */
  private readonly keyOf = memoizeByObject(callKey);
  private readonly alerted = new Set<string>();
  private alerts = 0;

  /** True if the model ignores the alerts. */
  get isStuck(): boolean {
    return this.alerts >= MAX_ALERTS;
  }

  /**
   * Returns why a call must not be repeated, worded for the model, or null if it may run. `waits`: the call waits for something,
   * so repeating it may be right.
   */
  check(call: ToolCall, { waits }: { waits: boolean }): string | null {
    const key = this.keyOf(call);
    const text = (waits ? null : this.circling(call, key)) ?? this.tooOften(call, key);
    if (text !== null) this.alerted.add(call.id);
    return text;
  }

  /** Records the results of calls. */
  record(calls: readonly ToolCall[], results: readonly ToolResult[]): void {
    for (const call of calls) {
      const result = results.find(({ callId }) => callId === call.id);
      if (!result) continue;
      if (this.alerted.delete(call.id)) {
        this.alerts++;
        continue;
      }
      this.alerts = 0;
      this.made = [...this.made, { call: this.keyOf(call), result: `${result.status} ${result.text}` }].slice(-KEPT);
    }
  }

  /** Starts over when the user has said something, since the same calls may be right again. */
  reset(): void {
    this.made = [];
    this.alerts = 0;
  }

  private circling(call: ToolCall, key: string): string | null {
    for (let round = 1; round <= LONGEST_ROUND; round++) {
      if (this.isThirdRound(key, round)) return round === 1 ? sameCall(call) : sameRound(call, round);
    }
    return null;
  }

  private tooOften(call: ToolCall, key: string): string | null {
    const last = this.made.slice(-MAX_IN_A_ROW);
    if (last.length < MAX_IN_A_ROW || last.some((one) => one.call !== key)) return null;
    return `You called ${call.name} with the same arguments ${MAX_IN_A_ROW} times in a row, so it was not run again. ${ADVICE}`;
  }

  /** Whether the last two cycles of `round` calls were identical, including results, and this call starts a third. */
  private isThirdRound(key: string, round: number): boolean {
    const last = this.made.slice(-2 * round);
    if (last.length < 2 * round || last[0]?.call !== key) return false;
    return last.slice(0, round).every((one, index) => {
      const again = last[round + index];
      return one.call === again?.call && one.result === again.result;
    });
  }
}

const ADVICE =
  'Do something else: look at what you know already, try another way, or say what is missing and ask the user.';

function sameCall({ name }: ToolCall): string {
  return `You called ${name} twice with the same arguments and the same came of it, so it was not run a third time. ${ADVICE}`;
}

function sameRound({ name }: ToolCall, round: number): string {
  return `You go round in circles: the same ${round} calls came twice with the same results, so ${name} was not run again. ${ADVICE}`;
}

/** Returns a key that is equal for equal arguments, however they are formatted. */
function callKey({ name, arguments: given }: ToolCall): string {
  try {
    return `${name} ${JSON.stringify(sorted(JSON.parse(given)))}`;
  } catch {
    return `${name} ${given}`;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}
