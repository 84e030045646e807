import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ReviewLedger } from './reviewLedger';
import { ReviewLenses } from './reviewLenses';
import { ReviewScm } from './reviewScm';

/** Shows what is left to review as lenses in the files and in the source control view. */
export function leftToReview(ledger: ReviewLedger): Disposable {
  const parts = new DisposableStore();
  parts.add(new ReviewLenses(ledger));
  parts.add(new ReviewScm(ledger));
  return parts;
}
