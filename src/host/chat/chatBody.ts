import { t } from '../../base/l10n';
import { EARLY_BOX, messageHint, NARROW_PANEL, TRANSLATIONS } from '../../protocol/panelDocument';

/**
 * The body of the panel's document. The editor shows a document only once it has loaded, so the panel's script is requested after
 * that. Until the script has run and knows its session, the user types into this box. The text is stored like the panel's drafts,
 * so that it survives a view that is closed right away. Enter does nothing here, because only the panel can send. `bundle` holds
 * translations for the panel.
 */
export function chatBody(nonce: string, script: string, bundle?: unknown): string {
  return `<div class="early" data-role="early">
      <div class="dock">
        <div class="composer">
          <textarea data-role="${EARLY_BOX}" aria-label="${inMarkup(t('Message'))}" dir="auto" rows="1" placeholder="${inMarkup(messageHint(false))}" data-short="${inMarkup(messageHint(true))}"></textarea>
          <div class="composer-row"></div>
        </div>
        <div class="meter"></div>
      </div>
    </div>
    ${translationsBlock(bundle)}
    <script nonce="${nonce}">${startPanel(nonce, script)}</script>`;
}

/** A string, because it runs in the page before any of Cairn's files. */
const startPanel = (nonce: string, script: string): string => `(() => {
  const api = acquireVsCodeApi();
  window.acquireVsCodeApi = () => api;
  const box = document.querySelector('[data-role=${EARLY_BOX}]');
  if (matchMedia('${NARROW_PANEL}').matches) box.placeholder = box.dataset.short;
  const saved = () => Object(api.getState());
  const draft = Object(saved().drafts).message;
  box.value = typeof draft === 'string' ? draft : '';
  box.addEventListener('input', () => {
    const drafts = Object.assign({}, saved().drafts, { message: box.value });
    api.setState(Object.assign({}, saved(), { drafts }));
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) event.preventDefault();
  });
  const takeFocus = () => {
    if (box.isConnected && document.hasFocus()) box.focus();
  };
  takeFocus();
  window.addEventListener('focus', takeFocus);
  window.addEventListener('load', () => {
    const panel = document.createElement('script');
    panel.nonce = '${nonce}';
    panel.src = ${JSON.stringify(script)};
    document.body.append(panel);
  }, { once: true });
})()`;

/** Escapes text for HTML, including attribute values in quotes. */
export function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * The element that passes a translation bundle to a document's scripts, as data that browsers do not execute. Empty for English,
 * which has no bundle.
 */
export function translationsBlock(bundle: unknown): string {
  if (bundle === undefined) return '';
  // Escaped so that no translation can close the element.
  const json = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-role="${TRANSLATIONS}">${json}</script>`;
}
