import type { Used } from '../desk';
import type { Graph } from '../graph';
import { type Progress, usedBy, workKey } from '../record/progress';
import { NOTHING } from '../record/used';
import type { NodeTurn } from '../schedule/runSteps';
import { Account } from './account';

type Turn = Pick<NodeTurn, 'node' | 'step' | 'item'>;

/** Whose account it is: a node, or an item of a map. */
export interface AccountPlace {
  readonly step: number;
  readonly node: string;
  readonly index?: number;
}

/** The accounts of the nodes of the step at hand, and of the items of its maps. */
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

  /** Of the step in which the run was stopped. */
  private earlier(step: number): Pick<Progress, 'used' | 'settled'> {
    const { used, settled, position } = this.from;
    return step === position.step ? { used, settled } : { used: new Map(), settled: new Map() };
  }
}
