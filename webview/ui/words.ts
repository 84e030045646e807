import type { ChatUsage } from '../../src/protocol/chatState';
import { costWords } from '../../src/protocol/costWords';

/** "0.4 s", "12 s", "2 min 5 s". */
export function durationWords(ms: number): string {
  if (ms < 950) return `${(Math.max(ms, 50) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/** "1 file", "4 files". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** "840", "12.4k", "1.2M". */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 1_000_000) return `${trimZero((value / 1_000).toFixed(value < 100_000 ? 1 : 0))}k`;
  return `${trimZero((value / 1_000_000).toFixed(1))}M`;
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

/** The meter's short words: "48k of 128k · $0.12". */
export function meterWords(window: number, { contextTokens, costUsd }: ChatUsage): string {
  const words = `${shortNumber(contextTokens)} of ${shortNumber(window)}`;
  return costUsd === null || costUsd === 0 ? words : `${words} · ${costWords(costUsd)}`;
}

/** "38% of context: 48k of 128k tokens", with the session's tokens and its cost below it; or null when the window is not known. */
export function contextWords({
  contextTokens,
  contextWindow,
  inputTokens,
  outputTokens,
  costUsd,
}: ChatUsage): string | null {
  if (contextWindow === null || contextWindow <= 0) return null;
  const percent = Math.min(100, Math.round((100 * contextTokens) / contextWindow));
  const session = `Session: ${shortNumber(inputTokens)} tokens in, ${shortNumber(outputTokens)} out`;
  const cost = costUsd === null ? 'Cost unknown: this model has no prices.' : `Cost: ${costWords(costUsd)}`;
  return `${percent}% of context: ${shortNumber(contextTokens)} of ${shortNumber(contextWindow)} tokens\n${session}\n${cost}`;
}
