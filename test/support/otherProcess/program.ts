import { Deferred } from '../../../src/base/async';
import { errorText } from '../../../src/base/errors';
import { newId } from '../../../src/base/newId';
import type { FileLock } from '../../../src/engine';
import { PermissionStore } from '../../../src/engine/permissions/permissionStore';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { SessionCatalog } from '../../../src/engine/sessions/sessionCatalog';
import type { SessionHold } from '../../../src/engine/sessions/sessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { type Order, orderSchema } from './order';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ports = nodePorts({ env: process.env, ripgrepCandidates: [], watches: false, log: quiet });
const stores = new Map<string, FileSessionStore>();
let lock: FileLock | null = null;
let hold: SessionHold | null = null;
let change: { done: Deferred<void>; over: Promise<void> } | null = null;

function storeIn(root: string): FileSessionStore {
  const store = stores.get(root) ?? new FileSessionStore(root, ports);
  stores.set(root, store);
  return store;
}

async function carryOut(order: Order): Promise<string> {
  switch (order.do) {
    case 'lock':
      while (Date.now() < (order.at ?? 0)) continue;
      lock = await ports.files.lock(order.file);
      return lock ? 'held' : 'refused';
    case 'is-held':
      return String(lock?.isHeld() ?? false);
    case 'release':
      await lock?.release();
      await hold?.release();
      change?.done.resolve();
      await change?.over;
      return 'released';
    case 'change': {
      const [begun, done] = [new Deferred<void>(), new Deferred<void>()];
      const work = () => {
        begun.resolve();
        return done.promise;
      };
      change = { done, over: ports.files.inTurn([order.file], work, new AbortController().signal) };
      await begun.promise;
      return 'begun';
    }
    case 'append':
      await ports.files.appendLine(order.file, 'y'.repeat(order.length));
      return 'added';
    case 'deny': {
      const permissions = new PermissionStore(order.config, ports);
      for (const tool of order.tools) await permissions.add('user', order.workspace, [{ tool, action: 'deny' }]);
      return 'added';
    }
    case 'hold':
      hold = await storeIn(order.root).hold(order.session);
      return hold ? 'held' : 'refused';
    case 'say': {
      const parts = [{ type: 'text' as const, text: order.text }];
      const message = { role: 'user' as const, id: newId('message'), time: 0, steering: false, parts };
      await storeIn(order.root).append(order.session, { id: newId('entry'), type: 'message', message });
      return 'kept';
    }
    case 'set': {
      const store = storeIn(order.root);
      for (let time = 1; time <= order.times; time++) {
        const { variables } = (await store.open(order.session)).metadata;
        await store.changeMetadata(order.session, { variables: { ...variables, [order.key]: String(time) } });
      }
      return 'set';
    }
    case 'open-named': {
      const sessions = new SessionCatalog(storeIn(order.root), ports.clock, quiet);
      while (Date.now() < order.at) continue;
      const fresh = { workspace: order.root, model: null, approvalMode: 'nothing' as const };
      return (await sessions.openOrCreate(order.name, fresh)).id;
    }
  }
}

process.on('message', (message) => {
  carryOut(orderSchema.parse(message)).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ reply: `failed: ${errorText(error)}` }),
  );
});
