import * as z from '../../base/zod';

export const todoItemSchema = z.object({ id: z.int(), text: z.string(), done: z.boolean() });
/** A step of the plan that the agent keeps for itself and shows to the user. */
export type TodoItem = z.infer<typeof todoItemSchema>;
