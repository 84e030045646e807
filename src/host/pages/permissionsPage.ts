import { t } from '../../base/l10n';
import type { LiveChat } from '../../chat/liveChat';
import { commandWords, EngineError, narrowRule, type OwnRule, type PermissionRule, ruleText } from '../../engine';
import type { NewRule, PermissionsView, RuleGroup, RuleRow } from '../../protocol/pages';
import type { Command, Host } from '../host';
import { PagePanel } from './pagePanel';
import { ruleUses, type RuleUse, useKey } from './ruleUses';

const DAYS = 30;

const pages = new WeakMap<Host['chats'], PermissionsPage>();

/** Shows every rule in effect in the chat used last, with its recent decisions. */
export function showPermissions(host: Host): Command {
  return {
    async run() {
      const page = pages.get(host.chats) ?? new PermissionsPage(host);
      pages.set(host.chats, page);
      await page.show();
    },
  };
}

class PermissionsPage {
  private readonly panel: PagePanel;
  /** The user's rules in the current view, by id. */
  private own = new Map<string, OwnRule>();
  private chat: LiveChat | undefined;
  private tried: PermissionsView['tried'] = null;

  constructor(private readonly host: Host) {
    const { extensionUri, log } = host;
    this.panel = new PagePanel({
      type: 'cairn.permissions',
      title: t('Cairn Permissions'),
      extensionUri,
      log,
      view: () => this.view(),
      act: async (action) => {
        if (action.kind === 'add-rule') await this.add(action.rule);
        else if (action.kind === 'remove-rule') await this.replace(action.id, () => []);
        else if (action.kind === 'narrow-rule') await this.replace(action.id, (rule) => [narrowRule(rule) ?? rule]);
        else if (action.kind === 'try-command') await this.tryCommand(action.line);
        else if (action.kind === 'edit-rules') await this.editRules();
      },
    });
  }

  async show(): Promise<void> {
    const chat = await this.host.currentChat();
    if (chat !== this.chat) this.tried = null;
    this.chat = chat;
    await this.panel.show();
  }

  private async view(): Promise<PermissionsView> {
    const { engine } = this.host;
    const { session, state } = await this.current();
    const rules = await engine.rules.inForce(session.id);
    const uses = await ruleUses(engine.audit.path, Date.now() - DAYS * 86_400_000);
    const nameOf = await engine.audit.ruleNames();
    const usesOf = (scope: string, rule: PermissionRule) => uses.get(useKey(scope, nameOf(rule))) ?? null;
    this.own = new Map();
    const rows = (scope: RuleGroup['scope'], of: readonly PermissionRule[]): RuleGroup => ({
      scope,
      rules: of.map((rule, at) => this.row(`${scope} ${at}`, scope, rule, usesOf)),
    });
    return {
      page: 'permissions',
      session: state.title,
      workspace: session.metadata.workspace,
      agent: rules.agentName,
      groups: [
        rows('user', rules.user),
        rows('session', rules.session),
        rows('workspace', rules.workspace),
        rows('repository', rules.repository),
        rows('agent', rules.agent),
      ],
      tried: this.tried,
      days: DAYS,
      problems: rules.problems,
    };
  }

  private row(
    id: string,
    scope: RuleGroup['scope'],
    rule: PermissionRule,
    usesOf: (scope: string, rule: PermissionRule) => RuleUse | null,
  ): RuleRow {
    const isOwn = scope === 'user' || scope === 'workspace' || scope === 'session';
    if (isOwn) this.own.set(id, { scope, sessionId: this.chat?.session.id ?? '', rule });
    const narrower = isOwn ? narrowRule(rule) : undefined;
    const judged = scope === 'repository' ? 'workspace' : scope;
    return {
      id,
      text: ruleText(rule),
      action: rule.action,
      because: rule.because ?? '',
      used: usesOf(judged, rule),
      isOwn,
      narrower: narrower ? ruleText(narrower) : null,
    };
  }

  private async replace(id: string, by: (rule: PermissionRule) => PermissionRule[]): Promise<void> {
    const own = this.own.get(id);
    if (!own) throw new EngineError('not-found', t('This rule was changed or removed in the meantime.'));
    await this.host.engine.rules.replace(own, by(own.rule));
  }

  private async add(wanted: NewRule): Promise<void> {
    const { session } = await this.current();
    const rule = ruleOf(wanted);
    if (wanted.scope === 'session') await session.addRule(rule);
    else await this.host.engine.permissions.add(wanted.scope, session.metadata.workspace, [rule]);
  }

  private async tryCommand(command: string): Promise<void> {
    const { session } = await this.current();
    const { action, reason } = await this.host.engine.rules.check(
      'execute_command',
      { command },
      { sessionId: session.id },
    );
    this.tried = { line: command, action, reason };
  }

  private async editRules(): Promise<void> {
    const { editPermissionRules } = await import('../commands/showFiles');
    await editPermissionRules(this.host).run(undefined);
  }

  private async current(): Promise<LiveChat> {
    return (this.chat ??= await this.host.currentChat());
  }
}

/** A rule that allows a command allows only options known to be harmless. It can be widened in the file. */
function ruleOf({ action, subject, text }: NewRule): PermissionRule {
  // An empty rule would make the file invalid.
  if (text.trim() === '') throw new EngineError('invalid-input', t('Enter what the rule applies to.'));
  switch (subject) {
    case 'command': {
      const words = commandWords(text, process.platform === 'win32' ? 'windows' : 'posix');
      if (!words) throw new EngineError('invalid-input', t('Enter one simple command, such as npm test.'));
      const rest = action === 'allow' ? { rest: 'harmless' as const } : undefined;
      return { tool: 'execute_command', action, argument: Object.assign({ kind: 'command' as const, words }, rest) };
    }
    case 'path':
      return { tool: 'category:write', action, argument: { kind: 'path', pattern: text.trim() } };
    case 'host':
      return { tool: 'fetch_url', action, argument: { kind: 'host', pattern: text.trim() } };
    case 'tool':
      return { tool: text.trim(), action };
  }
}
