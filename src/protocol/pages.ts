import * as z from 'zod/mini';
import { graphActions, type GraphView } from './graphPage';

/** What usage is grouped by in the plot and the table below it. */
export const USAGE_GROUPS = ['model', 'agent', 'folder'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** So many days can be looked at, today among them. */
export const USAGE_DAYS = [7, 30, 90, 365] as const;

const named = z.nullable(z.string().check(z.maxLength(4000)));

const usageFilter = z.object({
  days: z.union(USAGE_DAYS.map((days) => z.literal(days))),
  by: z.enum(USAGE_GROUPS),
  measure: z.enum(['cost', 'tokens']),
  /** Null: every one. */
  model: named,
  agent: named,
  folder: named,
});
export type UsageFilter = z.infer<typeof usageFilter>;

const ruleText = z.string().check(z.minLength(1), z.maxLength(1000));

/** What a rule that a person adds is about. */
export const RULE_SUBJECTS = ['command', 'path', 'host', 'tool'] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];
export const RULE_ACTIONS = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

const newRule = z.object({
  scope: z.enum(['user', 'workspace', 'session']),
  action: z.enum(RULE_ACTIONS),
  subject: z.enum(RULE_SUBJECTS),
  text: ruleText,
});
export type NewRule = z.infer<typeof newRule>;

/** How models hear of the tools of an MCP server. */
export const TOOL_OFFERS = ['always', 'search', 'off'] as const;
export type ToolOffer = (typeof TOOL_OFFERS)[number];

/** What can be done with an MCP server. */
export const SERVER_ACTS = ['allow', 'sign-in', 'start', 'stop', 'log', 'open', 'sign-out', 'forbid'] as const;
export type ServerAct = (typeof SERVER_ACTS)[number];

const serverId = z.string().check(z.maxLength(1000));

/** What a page in an editor tab asks its host for. */
export const pageAction = z.discriminatedUnion('kind', [
  /** The page is there and wants to be told what to show. */
  z.object({ kind: z.literal('ready') }),
  /** Only what is chosen: more may be chosen before the view of it is there. */
  z.object({ kind: z.literal('filter-usage'), change: z.partial(usageFilter) }),
  z.object({ kind: z.literal('export-usage') }),
  /** By the id that the view gave it. */
  z.object({ kind: z.literal('remove-rule'), id: z.string() }),
  z.object({ kind: z.literal('narrow-rule'), id: z.string() }),
  z.object({ kind: z.literal('add-rule'), rule: newRule }),
  z.object({ kind: z.literal('try-command'), line: ruleText }),
  z.object({ kind: z.literal('edit-rules') }),
  ...graphActions,
  z.object({ kind: z.literal('act-on-server'), server: serverId, act: z.enum(SERVER_ACTS) }),
  z.object({
    kind: z.literal('offer-tools'),
    server: serverId,
    /** Null: all that have no choice of their own. */
    tool: z.nullable(z.string().check(z.maxLength(200))),
    /** Null: as it would be if nobody had chosen. */
    offer: z.nullable(z.enum(TOOL_OFFERS)),
  }),
  z.object({ kind: z.literal('add-server') }),
  z.object({ kind: z.literal('edit-servers') }),
]);
export type PageAction = z.infer<typeof pageAction>;

/** All that has a name in common. */
export interface UsageRow {
  name: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** As far as prices are known. */
  costUsd: number;
  /** Requests whose price is not known. */
  unpriced: number;
}

export interface UsageView {
  page: 'usage';
  filter: UsageFilter;
  /** What can be chosen, most costly first. */
  choices: Readonly<Record<UsageGroup, readonly string[]>>;
  /** What the colours of the plot stand for; the last may be all others together. */
  series: readonly string[];
  /** Each day of the period, in order, with a value for each of the series. */
  plot: readonly { day: string; values: readonly number[] }[];
  /** Days without requests are left out. */
  days: readonly UsageRow[];
  rows: readonly UsageRow[];
  total: UsageRow;
  /** What could not be read. */
  problems: readonly string[];
}

export interface RuleRow {
  /** For the page that shows it. */
  id: string;
  /** "allow execute_command: npm test with harmless options" */
  text: string;
  action: RuleAction;
  /** Where it comes from, in the words of whoever wrote it; may be empty. */
  because: string;
  /** How often it decided lately, and what it decided on last; null when it did not. */
  used: { times: number; last: string; at: number } | null;
  /** The person wrote it, and can take it back here. */
  isOwn: boolean;
  /** What it would be with one step less; null when there is no such step. */
  narrower: string | null;
}

export interface RuleGroup {
  scope: 'user' | 'session' | 'workspace' | 'repository' | 'agent';
  rules: readonly RuleRow[];
}

export interface PermissionsView {
  page: 'permissions';
  /** Of the session in which they hold. */
  session: string;
  workspace: string;
  agent: string;
  groups: readonly RuleGroup[];
  /** What would become of a command line now. */
  tried: { line: string; action: RuleAction; reason: string } | null;
  /** How many days of decisions were looked at. */
  days: number;
  /** What is wrong with files of rules. */
  problems: readonly string[];
}

export interface ServerToolRow {
  name: string;
  /** In the words of the server. */
  description: string;
  offer: ToolOffer;
  /** Somebody chose that for this tool alone. */
  isChosen: boolean;
}

/**
 * `waits` and `changed` to be allowed; `configured`: its tools are not known; `known`: it does not run; `started`: it runs and
 * was not called.
 */
export type ServerStateName =
  | ('waits' | 'changed' | 'denied' | 'off')
  | ('configured' | 'known' | 'starting' | 'started' | 'called')
  | ('failed' | 'sign-in');

export interface ServerRow {
  id: string;
  state: ServerStateName;
  /** Why it failed, and what can be done; else empty. */
  why: string;
  /** What the person allowed before it was changed; null when it was not. */
  before: string | null;
  /** All that is started, or reached. */
  launch: string;
  /** "mcp.json:3" */
  source: string;
  from: 'person' | 'program' | 'workspace';
  calls: number;
  /** Of these. */
  failures: number;
  /** How long one took; null while none is over. */
  averageMs: number | null;
  last: { tool: string; at: number; ms: number; hasFailed: boolean } | null;
  /** Null: by the size of its tools. */
  offer: ToolOffer | null;
  /** Null: not known yet. */
  tools: readonly ServerToolRow[] | null;
  /** Of what models are told with each request, about. */
  tokens: number;
  resources: number;
  prompts: number;
  acts: readonly ServerAct[];
}

export interface ServersView {
  page: 'servers';
  servers: readonly ServerRow[];
  /** What is wrong with files of servers. */
  problems: readonly string[];
}

/** All that a page shows. */
export type PageView = UsageView | PermissionsView | GraphView | ServersView;

/** What the host tells a page: all of its view at first, then what of it is not as before, as whole values. */
export type PageMessage = { view: PageView } | { changes: Partial<PageView> } | { failure: string };
