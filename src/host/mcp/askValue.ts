import { t } from '../../base/l10n';
import { askText } from '../shown/askText';
import { PickList, type PickRow } from '../shown/pickList';

interface AskedValue {
  /** The input box's title, which says who asks. */
  title: string;
  name: string;
  /** What the value means, as described by the server. */
  description: string;
  isRequired: boolean;
  /** Suggestions for a partial value. Never rejects while the box is open. */
  complete: (value: string) => Promise<readonly string[]>;
}

/** Asks the user for a value, with suggestions. Returns '' for no value and undefined if the user canceled. */
export async function askValue(asked: AskedValue): Promise<string | undefined> {
  const { title, name, description, isRequired, complete } = asked;
  const prompt = [name, description, isRequired ? '' : '(optional)'].filter((one) => one !== '').join(' – ');
  const offered = await complete('');
  if (offered.length > 0) return pickValue(asked, prompt, offered);
  return askText({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) => (isRequired && text.trim() === '' ? t('It needs a value for {0}.', name) : undefined),
  });
}

interface ValueRow extends PickRow {
  value: string;
}

/** The typed text can be chosen too, because suggestions need not be exhaustive. */
async function pickValue(
  { title, isRequired, complete }: AskedValue,
  placeholder: string,
  offered: readonly string[],
): Promise<string | undefined> {
  const list = new PickList<ValueRow>({ title, placeholder, ignoreFocusOut: true });
  const show = (typed: string, values: readonly string[]) => {
    // Next to a suggestion that starts with it, the typed text would be mistaken for that suggestion.
    const isOffered = typed === '' ? isRequired : values.some((value) => value.startsWith(typed));
    const own = isOffered ? [] : [typedRow(typed)];
    list.rows = [...values.map((value) => ({ label: value, value, alwaysShow: true })), ...own];
  };
  show('', offered);
  let latest = '';
  list.onQuery((typed) => {
    latest = typed;
    void complete(typed).then((values) => {
      if (latest === typed) show(typed, values);
    });
  });
  return (await list.chosen())?.value;
}

function typedRow(typed: string): ValueRow {
  const label = typed === '' ? t('Leave Empty') : typed;
  return { label, description: typed === '' ? '' : t('As typed'), value: typed, alwaysShow: true };
}
