/** A sequence of numbers with running sums, in which every query and update costs O(log n). */
export class SumTree {
  private values = new Float64Array(64);
  /** A Fenwick tree: slot k contains the sum of the last lowbit(k) values up to the k-th. */
  private tree = new Float64Array(65);
  private count = 0;

  get length(): number {
    return this.count;
  }

  get total(): number {
    return this.before(this.count);
  }

  /** Replaces all values. */
  fill(values: readonly number[]): void {
    this.count = 0;
    for (const value of values) this.push(value);
  }

  at(index: number): number {
    return this.values[index] ?? 0;
  }

  push(value: number): void {
    if (this.count === this.values.length) this.grow();
    const place = ++this.count;
    this.values[place - 1] = value;
    let sum = value;
    for (let step = 1; step < lowbit(place); step *= 2) sum += this.tree[place - step] ?? 0;
    this.tree[place] = sum;
  }

  /** Sets a value. Returns false if it is unchanged. */
  set(index: number, value: number): boolean {
    const change = value - this.at(index);
    if (change === 0 || index >= this.count) return false;
    this.values[index] = value;
    for (let place = index + 1; place <= this.count; place += lowbit(place)) {
      this.tree[place] = (this.tree[place] ?? 0) + change;
    }
    return true;
  }

  /** Returns the sum of all values before `index`. */
  before(index: number): number {
    let sum = 0;
    for (let place = Math.min(index, this.count); place > 0; place -= lowbit(place)) sum += this.tree[place] ?? 0;
    return sum;
  }

  /** Returns the last index preceded by at most `sum`: if the values are heights, the item at that offset. */
  indexAt(sum: number): number {
    let place = 0;
    let rest = sum;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const part = this.tree[place + step] ?? 0;
      if (place + step > this.count || part > rest) continue;
      place += step;
      rest -= part;
    }
    return Math.max(0, Math.min(place, this.count - 1));
  }

  private grow(): void {
    const { values, tree } = this;
    this.values = new Float64Array(values.length * 2);
    this.values.set(values);
    this.tree = new Float64Array(values.length * 2 + 1);
    this.tree.set(tree);
  }
}

function lowbit(place: number): number {
  return place & -place;
}
