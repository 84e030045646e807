import * as z from '../../../base/zod';
import { type Disposable, onDispose } from '../../../base/disposable';
import { callable, checkPlugin } from '../../checkPlugin';
import { EngineError } from '../../engineError';
import type { EngineMiddleware, MiddlewareContext } from './engineMiddleware';
import { PlacedMiddleware } from './placedMiddleware';

const HOOKS = ['onUserMessage', 'beforeModel', 'afterModel'] as const;

/** The middleware of an engine, in the order in which it was added. */
export class MiddlewareChain {
  private all: readonly EngineMiddleware[] = [];

  /** It counts from the next message and the next question on. Throws EngineError `exists` or `invalid-input`. */
  add(middleware: EngineMiddleware): Disposable {
    const hook = z.optional(callable);
    const hooks = { onUserMessage: hook, beforeModel: hook, afterModel: hook };
    checkPlugin('middleware', middleware, z.object({ name: z.string().check(z.minLength(1)), ...hooks }));
    if (this.all.some(({ name }) => name === middleware.name)) {
      const hint = 'Take it out first, or give yours a name of its own.';
      throw new EngineError('exists', `There is a middleware “${middleware.name}” already. ${hint}`);
    }
    if (HOOKS.every((hook) => middleware[hook] === undefined)) {
      const hint = `Give it one of ${HOOKS.join(', ')}.`;
      throw new EngineError('invalid-input', `The middleware “${middleware.name}” has no hook that there is. ${hint}`);
    }
    this.all = [...this.all, middleware];
    return onDispose(() => {
      this.all = this.all.filter((one) => one !== middleware);
    });
  }

  at(context: MiddlewareContext): PlacedMiddleware {
    return new PlacedMiddleware(() => this.all, context);
  }
}
