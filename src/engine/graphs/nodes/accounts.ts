import type { Used } from '../desk';
import type { Graph, GraphBudget } from '../graph';
import { NOTHING, type Progress, sum, usedBy, workKey } from '../record/progress';
import type { NodeTurn } from '../runSteps';

type Turn = Pick<NodeTurn, 'node' | 'step' | 'item'>;

/** The owner of an account: a node, or an item of a map. */
interface AccountPlace {
  readonly step: number;
  readonly node: string;
  readonly index?: number;
}

/** The accounts of the nodes in the current step, and of the items of its maps. */
export class Accounts {
  private readonly open = new Map<string, Account>();
  private step: number;

  constructor(
    private readonly graph: Graph,
    private readonly from: Pick<Progress, 'used' | 'settled' | 'position'>,
    private readonly keep: (place: AccountPlace, used: Used) => Promise<void>,
  ) {
    this.step = from.position.step;
  }

  of({ node, step, item }: Turn): Account {
    return item ? this.ofItem(step, item) : this.ofNode(step, node.id);
  }

  private ofItem(step: number, { map, index }: { map: string; index: number }): Account {
    const above = this.ofNode(step, map);
    const known = this.open.get(workKey(map, index));
    if (known) return known;
    const earlier = this.earlier(step).used.get(workKey(map, index)) ?? NOTHING;
    const settled = this.earlier(step).settled.has(map) ? earlier : NOTHING;
    const budget = this.graph.nodes.get(map)?.budget;
    return this.begun({ step, node: map, index }, { earlier, settled, above, ...(budget && { budget }) });
  }

  private ofNode(step: number, node: string): Account {
    if (step !== this.step) this.open.clear();
    this.step = step;
    const known = this.open.get(workKey(node));
    if (known) return known;
    const { used, settled } = this.earlier(step);
    return this.begun({ step, node }, { earlier: usedBy(used, node), settled: settled.get(node) ?? NOTHING });
  }

  private begun(place: AccountPlace, parts: Omit<ConstructorParameters<typeof Account>[0], 'keep'>): Account {
    const account = new Account({ ...parts, keep: (used) => this.keep(place, used) });
    this.open.set(workKey(place.node, place.index), account);
    return account;
  }

  /** Returns the earlier usage for the step in which the run was stopped; nothing for other steps. */
  private earlier(step: number): Pick<Progress, 'used' | 'settled'> {
    const { used, settled, position } = this.from;
    return step === position.step ? { used, settled } : { used: new Map(), settled: new Map() };
  }
}

interface AccountParts {
  /** Usage in this step before the run was stopped. */
  readonly earlier: Used;
  /** The part of it that no longer counts toward a budget, since the node failed and is run again. */
  readonly settled: Used;
  /** For an item: the account of its map. */
  readonly above?: Account;
  /** The budget of the map. */
  readonly budget?: GraphBudget;
  keep(used: Used): Promise<void>;
}

/** The usage of a node, or of an item of a map, including the time before the run was stopped. */
export class Account {
  private used: Used;
  private settled: Used;
  /** Not recorded yet; lost if the process is killed. */
  private unkept = NOTHING;
  private keeping: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: AccountParts) {
    this.used = parts.earlier;
    this.settled = parts.settled;
  }

  get total(): Used {
    return this.used;
  }

  /** Adds usage. `goesOn`: the work continues, so it is recorded immediately; `kept` and `keep` reject if that fails. */
  spend(used: Used, goesOn = false): void {
    this.unkept = sum(this.unkept, used);
    this.count(used);
    if (goesOn) this.along(this.keepNow());
  }

  /** Tracks another write that is in progress while the work continues. */
  along(keeping: Promise<unknown>): void {
    this.keeping = Promise.all([this.keeping, keeping]);
    // The error is reported by `kept` or `keep`, one of which is awaited when the work ends.
    this.keeping.catch(() => undefined);
  }

  /** Usage from now on counts toward a fresh budget. */
  settle(): void {
    this.settled = this.used;
  }

  /** Returns what remains of a budget and of the map's. Throws if nothing remains. */
  left(own: GraphBudget | undefined): GraphBudget | undefined {
    const { above, budget } = this.parts;
    const left = own && this.leftOf(own);
    const leftAbove = above && budget && above.leftOf(budget);
    return left && leftAbove ? lower(left, leftAbove) : (left ?? leftAbove);
  }

  /** Resolves once pending writes are on disk; the remaining usage is recorded with the end of the work. */
  async kept(): Promise<void> {
    await this.keeping;
  }

  /** Resolves once all usage is on disk. */
  async keep(): Promise<void> {
    await Promise.all([this.keeping, this.keepNow()]);
  }

  private async keepNow(): Promise<void> {
    const used = this.unkept;
    this.unkept = NOTHING;
    if (used.tokens > 0 || used.costUsd > 0) await this.parts.keep(used);
  }

  private count(used: Used): void {
    this.used = sum(this.used, used);
    this.parts.above?.count(used);
  }

  private leftOf({ tokens, cost }: GraphBudget): GraphBudget {
    const left: GraphBudget = {
      ...(tokens !== undefined && { tokens: tokens - (this.used.tokens - this.settled.tokens) }),
      ...(cost !== undefined && { cost: cost - (this.used.costUsd - this.settled.costUsd) }),
    };
    if (left.tokens !== undefined && left.tokens <= 0) throw new Error(`It used up its budget of ${tokens} tokens.`);
    if (left.cost !== undefined && left.cost <= 0) throw new Error(`It used up its budget of $${cost}.`);
    return left;
  }
}

function lower(one: GraphBudget, other: GraphBudget): GraphBudget {
  const [tokens, cost] = [least(one.tokens, other.tokens), least(one.cost, other.cost)];
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
