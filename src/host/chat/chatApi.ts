import type { Handlers } from '../../protocol/hostApi';
import { approvalHandlers } from '../../chat/handlers/approvalHandlers';
import { branchHandlers } from './handlers/branchHandlers';
import { codeHandlers } from './handlers/codeHandlers';
import { contextHandlers } from './handlers/contextHandlers';
import { editorHandlers } from './handlers/editorHandlers';
import { reviewHandlers } from './handlers/reviewHandlers';
import { runHandlers } from '../../chat/handlers/runHandlers';
import { setupHandlers } from './handlers/setupHandlers';
import { sessionHandlers } from './handlers/sessionHandlers';
import type { ChatApiParts } from './handlers/chatApiParts';

/** Everything that a panel may ask for. */
export function chatApi(parts: ChatApiParts): Handlers {
  return {
    ...sessionHandlers(parts),
    ...runHandlers(parts),
    ...setupHandlers(parts),
    ...approvalHandlers(parts),
    ...editorHandlers(parts),
    ...branchHandlers(parts),
    ...codeHandlers(parts),
    ...contextHandlers(parts),
    ...reviewHandlers(parts),
  } satisfies Handlers;
}
