import * as z from '../../base/zod';
import { readYaml, yamlReady } from '../content/yamlSource';
import { EngineError } from '../engineError';
import { type Graph, jsonSchema, type JsonValue } from './graph';

/** Answers by node. A list has one for each visit; the last one repeats. */
export type WrittenAnswers = ReadonlyMap<string, JsonValue>;

const answersSchema = z.nullable(z.record(z.string(), jsonSchema));

/** Reads the answers from YAML. Rejects with EngineError `invalid-input`, whose message says what is wrong. */
export async function readAnswers(
  text: string,
  path: string,
  { nodes }: Pick<Graph, 'nodes'>,
): Promise<WrittenAnswers> {
  await yamlReady(text);
  const { data, problems } = readYaml(text, { path });
  const [problem] = problems;
  if (problem) throw new EngineError('invalid-input', `${path}:${problem.line}:${problem.column}: ${problem.message}`);
  const read = answersSchema.safeParse(data ?? null);
  if (!read.success) {
    throw new EngineError('invalid-input', `${path} must map nodes to answers, such as “plan: The text”.`);
  }
  const answers = new Map(Object.entries(read.data ?? {}));
  const unknown = [...answers.keys()].find((id) => !nodes.has(id));
  if (unknown === undefined) return answers;
  throw new EngineError('invalid-input', `${path} has an answer for “${unknown}”, but the graph has no such node.`);
}

/** Returns the answers one by one. */
export class DryAnswers {
  private readonly taken = new Map<string, number>();

  constructor(private readonly written: WrittenAnswers) {}

  /** Returns the next answer of a node; undefined if the author wrote none. */
  next(node: string): JsonValue | undefined {
    const written = this.written.get(node);
    const times = this.taken.get(node) ?? 0;
    this.taken.set(node, times + 1);
    return Array.isArray(written) ? written[Math.min(times, written.length - 1)] : written;
  }

  has(node: string): boolean {
    return this.written.has(node);
  }

  /** The nodes whose answers were never used. */
  get unused(): string[] {
    return [...this.written.keys()].filter((node) => !this.taken.has(node));
  }
}
