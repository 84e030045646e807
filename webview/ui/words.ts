import { t } from '../../src/base/l10n';
import type { ChatUsage } from '../../src/protocol/chatState';
import { costWords } from '../../src/protocol/costWords';

/** Formats a duration: "0.4 s", "12 s", "2 min 5 s". */
export function durationWords(ms: number): string {
  if (ms < 950) return t('{0} s', (Math.max(ms, 50) / 1000).toFixed(1));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return t('{0} s', seconds);
  const rest = seconds % 60;
  return rest === 0 ? t('{0} min', Math.floor(seconds / 60)) : t('{0} min {1} s', Math.floor(seconds / 60), rest);
}

export function fileWords(count: number): string {
  return count === 1 ? t('1 file') : t('{0} files', count);
}

export function tokenWords(count: number): string {
  return count === 1 ? t('1 token') : t('{0} tokens', shortNumber(count));
}

/** Formats a number: "840", "12.4k", "1.2M". */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 1_000_000) return `${trimZero((value / 1_000).toFixed(value < 100_000 ? 1 : 0))}k`;
  return `${trimZero((value / 1_000_000).toFixed(1))}M`;
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

/** Returns the meter's short text: "48k of 128k · $0.12". */
export function meterWords(window: number, { contextTokens, costUsd }: ChatUsage): string {
  const words = t('{0} of {1}', shortNumber(contextTokens), shortNumber(window));
  return costUsd === null || costUsd === 0 ? words : `${words} · ${costWords(costUsd)}`;
}

/**
 * Returns "38% of context: 48k of 128k tokens", followed by the session's tokens and cost on separate lines; null if the window's
 * size is unknown.
 */
export function contextWords({
  contextTokens,
  contextWindow,
  inputTokens,
  outputTokens,
  costUsd,
}: ChatUsage): string | null {
  if (contextWindow === null || contextWindow <= 0) return null;
  const percent = Math.min(100, Math.round((100 * contextTokens) / contextWindow));
  const session = t('Session: {0} tokens in, {1} out', shortNumber(inputTokens), shortNumber(outputTokens));
  const cost = costUsd === null ? t('Cost unknown: this model has no prices.') : t('Cost: {0}', costWords(costUsd));
  const [used, all] = [shortNumber(contextTokens), shortNumber(contextWindow)];
  return [t('{0}% of context: {1} of {2} tokens', percent, used, all), session, cost].join('\n');
}
