import { t } from '../../base/l10n';
import { askText } from '../shown/askText';
import { PickList, type PickRow } from '../shown/pickList';

export interface AskedValue {
  /** Of the box: who asks. */
  title: string;
  name: string;
  /** What it means, in the words of whoever asks. */
  description: string;
  isRequired: boolean;
  /** What is offered for the beginning of a value. Never rejects while the box is open. */
  complete: (value: string) => Promise<readonly string[]>;
}

/** Has the person give a value, with what is offered for it; empty for none, undefined when they left. */
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

/** What was typed can be taken too: what is offered need not be all that there is. */
async function pickValue(
  { title, isRequired, complete }: AskedValue,
  placeholder: string,
  offered: readonly string[],
): Promise<string | undefined> {
  const list = new PickList<ValueRow>({ title, placeholder, ignoreFocusOut: true });
  const show = (typed: string, values: readonly string[]) => {
    // Beside what it begins, it would be taken for that.
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
