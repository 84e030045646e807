import * as z from '../base/zod';
import { EngineError, engineSettingsSchema, Resources } from '../engine';
import { AgentSet, callable, fields, issuesOf } from '../engine/library';

const text = z.optional(z.string());
const anything = z.optional(z.unknown());
const port = z.optional(z.object({}));
const method = z.optional(callable);

const portsSchema = fields({
  files: port,
  paths: port,
  search: port,
  processes: port,
  web: port,
  clock: port,
  secrets: port,
  log: port,
  fetch: method,
  strike: method,
  strikePieces: method,
  secretsKnown: method,
});

const optionsSchema = fields({
  workspace: text,
  configFolder: text,
  env: z.optional(z.object({})),
  settings: z.optional(fields(engineSettingsSchema.shape)),
  agents: z.optional(z.custom((value) => value instanceof AgentSet, 'expected what AgentRuntimeBuilder.build() gives')),
  rules: z.optional(z.array(z.object({}))),
  sessions: z.optional(
    z.custom(
      (value) => typeof value === 'function',
      'expected a function that creates a store, such as memorySessions()',
    ),
  ),
  approvals: z.optional(z.object({ ask: callable })),
  prompter: z.optional(z.object({ ask: callable })),
  /** Checked in detail where it is stored. */
  metadata: anything,
  resources: z.optional(
    z.custom((value) => value instanceof Resources, 'expected what Resources.none.with(key, value) gives'),
  ),
  toolErrors: method,
  contextStrategy: z.optional(z.object({ name: z.string().check(z.minLength(1)), fit: callable })),
  log: z.optional(z.object({ info: callable, warn: callable, error: callable })),
  ports: z.optional(portsSchema),
});

/** Checks options, which plain JavaScript may pass untyped. Throws EngineError `invalid-input` naming each invalid option. */
export function checkOptions(options: unknown): void {
  const { error } = optionsSchema.safeParse(options);
  if (!error) return;
  throw new EngineError(
    'invalid-input',
    `The engine was not created, because its options are not valid: ${issuesOf(error)}.`,
  );
}
