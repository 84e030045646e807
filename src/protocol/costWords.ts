import { t } from '../base/l10n';

/** Formats a cost: "$0.12", "$14", "less than $0.01". */
export function costWords(usd: number): string {
  if (usd > 0 && usd < 0.01) return t('less than $0.01');
  return usd < 10 ? `$${usd.toFixed(2)}` : `$${Math.round(usd)}`;
}
