import '../styles/base.css';
import './pages.css';
import '../graphs/graphs.css';
import { render } from 'preact';
import { isRecord } from '../../src/base/isRecord';
import type { PageAction, PageMessage, PageView } from '../../src/protocol/pages';
import { GraphPage } from '../graphs/GraphPage';
import { connectHost } from '../host';
import { showSafely } from '../ui/showSafely';
import { takeTranslations } from '../ui/takeTranslations';
import { PermissionsPage } from './PermissionsPage';
import { ServersPage } from './ServersPage';
import { UsagePage } from './UsagePage';

/** A shallow check is enough, because host and page are built together. */
function isPageMessage(message: unknown): message is PageMessage {
  return (
    isRecord(message) &&
    (isRecord(message['view']) || isRecord(message['changes']) || typeof message['failure'] === 'string')
  );
}

function main(): void {
  takeTranslations();
  showSafely();
  const { port } = connectHost();
  const act = (action: PageAction) => port.post(action);
  const root = document.createElement('main');
  document.body.append(root);
  let view: PageView | undefined;
  const listening = port.onMessage((message) => {
    if (!isPageMessage(message)) return;
    if ('view' in message) ({ view } = message);
    else if ('changes' in message) view &&= Object.assign({}, view, message.changes);
    const failure = 'failure' in message ? message.failure : undefined;
    render(<Page view={view} failure={failure} act={act} />, root);
  });
  window.addEventListener('pagehide', () => listening.dispose(), { once: true });
  act({ kind: 'ready' });
}

interface PageProps {
  view: PageView | undefined;
  failure: string | undefined;
  act: (action: PageAction) => void;
}

function Page({ view, failure, act }: PageProps) {
  return (
    <>
      {failure !== undefined && (
        <p class="page-problem" role="alert">
          {failure}
        </p>
      )}
      {view?.page === 'usage' && <UsagePage view={view} act={act} />}
      {view?.page === 'graph' && <GraphPage view={view} act={act} />}
      {view?.page === 'permissions' && <PermissionsPage view={view} act={act} />}
      {view?.page === 'servers' && <ServersPage view={view} act={act} />}
    </>
  );
}

main();
