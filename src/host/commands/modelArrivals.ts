/**
 * The models of an open list, in an order in which no row ever changes its place: the editor knows a row that is clicked by
 * its number, so a row that moved at that moment would be taken for another.
 */
export class ModelArrivals<Listing extends { model: { id: string } }> {
  private early: readonly Listing[] = [];
  private late: readonly Listing[] = [];

  /** `known` are all that are known by now, in the order wanted; it is kept as long as nothing `isShown`. */
  add(known: readonly Listing[], isShown: boolean): void {
    if (!isShown) {
      this.early = known;
      return;
    }
    const news = new Map(known.map((listing) => [listing.model.id, listing]));
    const renew = (listing: Listing) => news.get(listing.model.id) ?? listing;
    this.early = this.early.map(renew);
    this.late = this.late.map(renew);
    for (const { model } of [...this.early, ...this.late]) news.delete(model.id);
    this.late = [...this.late, ...news.values()];
  }

  rows(): { early: readonly Listing[]; late: readonly Listing[] } {
    return { early: this.early, late: this.late };
  }
}
