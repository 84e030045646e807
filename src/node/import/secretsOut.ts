import { isSecretName, tokensIn } from '../../engine';
import { isSecretValue } from '../secretVariables';
import type { Secrets } from './importItem';

/** Names of options with a secret value; `--max-tokens` and `--key-file` do not match. */
const SECRET_OPTION =
  /^--?(?:[\w-]*[-_])?(?:(?:api|access|private|secret|auth)?[-_]?key|apikey|token|secret|passw(?:or)?d|passphrase|credentials?)$/i;
const ASSIGNMENT = /^(--?[\w-]+)=(.+)$/s;
/** A number, switch or path, which is not a secret whatever its name. */
const PLAIN = /^(?:\d{1,7}|true|false|yes|no|on|off|none|auto|(?:~|\.{0,2})\/.*|[A-Za-z]:\\.*)$/is;
const SECRET_PARAMETER = /([?&](?:\w{0,40}(?:key|token|secret|passw|sig)\w{0,40})=)([^&#\s{}]{6,})/gi;
const PASSWORD_IN_ADDRESS = /(:\/\/[^/\s:@]*:)([^/\s@{}]+)(?=@)/g;
/** Names too generic to tell whose secret it is. */
const COMMON = /^(?:X_)?(?:AUTHORIZATION|(?:API_?|ACCESS_)?(?:KEY|TOKEN)|PASSWORD|SECRET)$/;
/** Replacing shorter values would damage ordinary words. */
const MIN_STRUCK = 8;

/** Collects the secrets of one tool's configuration under unique names, and replaces them with placeholders. */
export class SecretsOut {
  private readonly byName = new Map<string, string>();

  /** `known`: additional secrets to redact, such as those in the environment. */
  constructor(private readonly known: readonly string[] = []) {}

  /** Returns the redactor for one item. */
  ofItem(item: string): ItemSecrets {
    return new ItemSecrets(item, (name, value) => this.nameFor(name, value, item));
  }

  /** Returns a function that redacts every secret found, and anything that looks like one. */
  strike(): (text: string) => string {
    const found = [...this.byName.values(), ...this.known].filter((value) => value.length >= MIN_STRUCK);
    const tokens = tokensIn();
    return (text) => {
      const known = found.reduce((all, value) => all.replaceAll(value, '•••'), text);
      return known.replace(tokens, '•••');
    };
  }

  private nameFor(wanted: string, value: string, item: string): string {
    const plain = upper(wanted);
    const full = `${upper(item)}_${plain}`;
    const candidates = COMMON.test(plain) ? [full] : [plain, full];
    for (let count = 2; ; count++) {
      const name = candidates.shift() ?? `${plain}_${count}`;
      if (!isSecretName(name)) continue;
      if ((this.byName.get(name) ?? value) !== value) continue;
      this.byName.set(name, value);
      return name;
    }
  }
}

export class ItemSecrets {
  private readonly taken = new Map<string, string>();

  constructor(
    private readonly item: string,
    private readonly nameFor: (name: string, value: string) => string,
  ) {}

  get all(): Secrets {
    return this.taken;
  }

  /** Returns the value of a setting, variable or header, or its placeholder. */
  value(name: string, value: string): string {
    const [, before = '', secret = value] = /^((?:Bearer|Basic|token) +)([^ \n][^\n]*)$/i.exec(value) ?? [];
    if (isReference(secret)) return value;
    const isBearer = before !== '' || /^authorization$/i.test(name);
    const isSecret = isBearer || (isSecretValue(name, value) && (!PLAIN.test(value) || /PASS/i.test(name)));
    if (!isSecret) return this.text(value);
    return `${before}${this.placeholder(name, secret)}`;
  }

  /** Replaces a key regardless of what it looks like. */
  key(name: string, value: string): string {
    return isReference(value) ? value : this.placeholder(name, value);
  }

  values(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? this.value(name, value) : value,
      ]),
    );
  }

  /** Replaces secrets in the arguments of a command line. */
  words(words: readonly string[]): string[] {
    return words.map((word, at) => {
      const [, option = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
      if (SECRET_OPTION.test(option) && isSecretWord(value)) {
        return `${option}=${this.placeholder(option.replace(/^-+/, ''), value)}`;
      }
      const before = words[at - 1] ?? '';
      if (SECRET_OPTION.test(before) && !word.startsWith('-') && isSecretWord(word)) {
        return this.placeholder(before.replace(/^-+/, ''), word);
      }
      return this.address(word);
    });
  }

  /** Replaces passwords and keys in an address. */
  address(address: string): string {
    const put = (name: string) => (_: string, before: string, value: string) =>
      `${before}${this.placeholder(name, value)}`;
    return this.text(address.replace(SECRET_PARAMETER, put('KEY')).replace(PASSWORD_IN_ADDRESS, put('PASSWORD')));
  }

  /** Replaces tokens in running text, only where they are unmistakable. */
  text(text: string): string {
    return text.replace(tokensIn(), (token) => this.placeholder(`${this.item}_SECRET`, token));
  }

  private placeholder(name: string, value: string): string {
    const named = this.nameFor(name, value);
    this.taken.set(named, value);
    return `{{${named}}}`;
  }
}

function isSecretWord(word: string): boolean {
  return !isReference(word) && !PLAIN.test(word);
}

/** Whether the value refers to a secret instead of containing one. */
function isReference(value: string): boolean {
  return /^\s*(?:\{\{[^{}]+\}\}|\$\{?[\w:.-]+\}?|\{(?:env|file):[^{}]+\})\s*$/.test(value) || value.trim() === '';
}

function upper(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .replaceAll(/^_+|(?<!_)_+$/g, '')
      .toUpperCase()
      .slice(0, 80) || 'SECRET'
  );
}
