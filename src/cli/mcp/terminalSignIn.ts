import { AbortError } from '../../base/abort';
import { safeLine } from '../../base/shown/safeText';
import type { SignInPage } from '../../engine';
import type { Terminal } from '../terminal';

/**
 * Shows the address; the person opens it. Where their browser does not come back to this machine they may paste where it ended.
 * `say` is for when nobody is at a terminal.
 */
export function terminalSignIn(screen: Terminal | undefined, say: (line: string) => void): SignInPage {
  return {
    async show(address, signal) {
      const tell = (line: string) => (screen ? screen.say(line) : say(line));
      tell('Open this address in your browser, and sign in:');
      tell('');
      tell(`  ${safeLine(address.href, address.href.length, 'exact')}`);
      tell('');
      if (!screen) return new Promise(() => undefined);
      const prompt =
        'Waiting for you to come back. If your browser is on another machine, paste the address it ends at: ';
      const typed = await screen.ask(prompt, signal);
      if (typed === undefined) throw new AbortError();
      return typed;
    },
  };
}
