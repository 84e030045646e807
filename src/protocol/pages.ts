import * as z from 'zod/mini';
import { graphActions, type GraphView } from './graphPage';

/** How usage is grouped in the plot and the table below it. */
export const USAGE_GROUPS = ['model', 'agent', 'folder'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The available periods in days, including today. */
export const USAGE_DAYS = [7, 30, 90, 365] as const;

const named = z.nullable(z.string().check(z.maxLength(4000)));

const usageFilter = z.object({
  days: z.union(USAGE_DAYS.map((days) => z.literal(days))),
  by: z.enum(USAGE_GROUPS),
  measure: z.enum(['cost', 'tokens']),
  /** Null for all. */
  model: named,
  agent: named,
  folder: named,
});
export type UsageFilter = z.infer<typeof usageFilter>;

const ruleText = z.string().check(z.minLength(1), z.maxLength(1000));

/** What a rule added by the user applies to. */
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

/** How models learn about the tools of an MCP server. */
export const TOOL_OFFERS = ['always', 'search', 'off'] as const;
export type ToolOffer = (typeof TOOL_OFFERS)[number];

/** Actions on an MCP server. */
const SERVER_ACTS = ['allow', 'sign-in', 'start', 'stop', 'log', 'open', 'sign-out', 'forbid'] as const;
export type ServerAct = (typeof SERVER_ACTS)[number];

const serverId = z.string().check(z.maxLength(1000));

/** What a page in an editor tab requests from its host. */
export const pageAction = z.discriminatedUnion('kind', [
  /** The page is loaded and asks what to show. */
  z.object({ kind: z.literal('ready') }),
  /** Contains only the changed filters, because more may change before the view is updated. */
  z.object({ kind: z.literal('filter-usage'), change: z.partial(usageFilter) }),
  z.object({ kind: z.literal('export-usage') }),
  /** By the id from the view. */
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
    /** Null: all tools without a choice of their own. */
    tool: z.nullable(z.string().check(z.maxLength(200))),
    /** Null: back to the default. */
    offer: z.nullable(z.enum(TOOL_OFFERS)),
  }),
  z.object({ kind: z.literal('add-server') }),
  z.object({ kind: z.literal('edit-servers') }),
]);
export type PageAction = z.infer<typeof pageAction>;

/** Totals of everything with the same name. */
export interface UsageRow {
  name: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** As far as prices are known. */
  costUsd: number;
  /** Number of requests with an unknown price. */
  unpriced: number;
}

export interface UsageView {
  page: 'usage';
  filter: UsageFilter;
  /** Available choices, most expensive first. */
  choices: Readonly<Record<UsageGroup, readonly string[]>>;
  /** What the plot's colors represent; the last may combine all others. */
  series: readonly string[];
  /** Every day of the period, in order, with a value per series. */
  plot: readonly { day: string; values: readonly number[] }[];
  /** Days without requests are left out. */
  days: readonly UsageRow[];
  rows: readonly UsageRow[];
  total: UsageRow;
  /** What could not be read. */
  problems: readonly string[];
}

export interface RuleRow {
  /** Identifies it on its page. */
  id: string;
  /** For example "allow execute_command: npm test with harmless options". */
  text: string;
  action: RuleAction;
  /** Its origin, as stated by its author; may be empty. */
  because: string;
  /** How often it decided recently, and its last decision; null if none. */
  used: { times: number; last: string; at: number } | null;
  /** The user added it and can remove it here. */
  isOwn: boolean;
  /** The rule narrowed by one step; null if there is no such step. */
  narrower: string | null;
}

export interface RuleGroup {
  scope: 'user' | 'session' | 'workspace' | 'repository' | 'agent';
  rules: readonly RuleRow[];
}

export interface PermissionsView {
  page: 'permissions';
  /** The session the rules apply to. */
  session: string;
  workspace: string;
  agent: string;
  groups: readonly RuleGroup[];
  /** The current decision on a command line. */
  tried: { line: string; action: RuleAction; reason: string } | null;
  /** Number of days of decisions that were evaluated. */
  days: number;
  /** Problems in rule files. */
  problems: readonly string[];
}

export interface ServerToolRow {
  name: string;
  /** As described by the server. */
  description: string;
  offer: ToolOffer;
  /** Chosen for this tool individually. */
  isChosen: boolean;
}

/** `waits` and `changed`: to be allowed; `configured`: tools unknown; `known`: not running; `started`: running, not called yet. */
export type ServerStateName =
  | ('waits' | 'changed' | 'denied' | 'off')
  | ('configured' | 'known' | 'starting' | 'started' | 'called')
  | ('failed' | 'sign-in');

export interface ServerRow {
  id: string;
  state: ServerStateName;
  /** Why it failed and what to do; otherwise empty. */
  why: string;
  /** What the user had allowed before it changed; null if it did not change. */
  before: string | null;
  /** Everything that is started or connected to. */
  launch: string;
  /** For example "mcp.json:3". */
  source: string;
  from: 'person' | 'program' | 'workspace';
  calls: number;
  /** Number of failed calls. */
  failures: number;
  /** Average duration of a call; null until one has finished. */
  averageMs: number | null;
  last: { tool: string; at: number; ms: number; hasFailed: boolean } | null;
  /** Null: depends on the size of its tools. */
  offer: ToolOffer | null;
  /** Null while unknown. */
  tools: readonly ServerToolRow[] | null;
  /** Approximate size of what models are told with each request. */
  tokens: number;
  resources: number;
  prompts: number;
  acts: readonly ServerAct[];
}

export interface ServersView {
  page: 'servers';
  servers: readonly ServerRow[];
  /** Why servers of the workspace may be missing; empty if none are. */
  unread: string;
  /** Problems in server files. */
  problems: readonly string[];
}

/** Everything a page shows. */
export type PageView = UsageView | PermissionsView | GraphView | ServersView;

/** What the host sends a page: first the whole view, then changed properties with their full values. */
export type PageMessage = { view: PageView } | { changes: Partial<PageView> } | { failure: string };
