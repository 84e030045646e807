import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import {
  type PageAction,
  type ServerRow,
  type ServerToolRow,
  TOOL_OFFERS,
  type ToolOffer,
} from '../../src/protocol/pages';
import { shortNumber } from '../ui/words';
import { Choice } from './Choice';

const OFFER_WORDS: Readonly<Record<ToolOffer, () => string>> = {
  always: () => t('Always'),
  search: () => t('By search'),
  off: () => t('Off'),
};

const AS_THE_SERVER: Readonly<Record<ToolOffer, () => string>> = {
  always: () => t('As the server (always)'),
  search: () => t('As the server (by search)'),
  off: () => t('As the server (off)'),
};

interface ServerToolsProps {
  server: ServerRow;
  act: (action: PageAction) => void;
}

/** The tools of a server, and how models learn about each. */
export function ServerTools({ server: { id, tools, offer, tokens }, act }: ServerToolsProps) {
  if (!tools) return null;
  const choose = (tool: string | null, chosen: string) =>
    act({ kind: 'offer-tools', server: id, tool, offer: TOOL_OFFERS.find((one) => one === chosen) ?? null });
  return (
    <details class="server-tools">
      <summary>
        {tools.length === 1 ? t('1 tool') : t('{0} tools', tools.length)}
        <span class="page-why"> · {tokenWords(tokens)}</span>
      </summary>
      <div class="page-bar">
        <Choice
          label={t('Models are told about its tools')}
          value={offer ?? ''}
          options={[['', t('By their size')], ...TOOL_OFFERS.map((one) => [one, OFFER_WORDS[one]()] as const)]}
          onChoose={(chosen) => choose(null, chosen)}
        />
      </div>
      {tools.map((tool) => (
        <Tool key={tool.name} tool={tool} onChoose={(chosen) => choose(tool.name, chosen)} />
      ))}
    </details>
  );
}

function Tool({ tool, onChoose }: { tool: ServerToolRow; onChoose: (chosen: string) => void }) {
  const name = safeLine(tool.name, 200, 'exact');
  const others = TOOL_OFFERS.map((one) => [one, OFFER_WORDS[one]()] as const);
  return (
    <div class="server-tool">
      <div class="page-rule-words">
        <code class="page-code">{name}</code>
        <span class="page-why server-description">{safeLine(tool.description, 600)}</span>
      </div>
      <div class="server-hidden-label">
        <Choice
          label={t('Models are told about {0}', name)}
          value={tool.isChosen ? tool.offer : ''}
          options={[['', tool.isChosen ? t('As the server') : AS_THE_SERVER[tool.offer]()], ...others]}
          onChoose={onChoose}
        />
      </div>
    </div>
  );
}

function tokenWords(tokens: number): string {
  return tokens === 0 ? t('nothing of them in requests') : t('about {0} tokens in each request', shortNumber(tokens));
}
