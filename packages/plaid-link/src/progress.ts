import type { ConnectError, ConnectEvent } from '@tributary/connect-js';

/** plaid-compat 10.2: what a user who leaves on a screen (connect 3) was asked for. Others ask for nothing. */
const STATUSES: Readonly<Record<string, string>> = {
  credentials: 'requires_credentials',
  bank_redirect: 'requires_oauth',
  code: 'requires_code',
  questions: 'requires_questions',
  picture: 'requires_questions',
  options: 'choose_device',
  accounts: 'requires_account_selection',
  permissions: 'requires_selections',
};

const ANSWERS: ReadonlySet<string> = new Set([
  'submit_credentials',
  'submit_mfa',
  'submit_otp_device',
  'submit_otp',
  'select_institution',
  'open_oauth',
]);

/** How far a flow came: what an exit tells of it. */
export class Progress {
  /** The problem the user has before him; the next answer takes it back. */
  error: ConnectError | null = null;
  private screen: string | null = null;
  private searchedInVain = false;

  get status(): string | null {
    if (this.searchedInVain) return 'institution_not_found';
    return this.screen === null ? null : (STATUSES[this.screen] ?? null);
  }

  follow({ name, properties }: ConnectEvent): void {
    if (ANSWERS.has(name)) this.error = null;
    if (name === 'change_screen') {
      // The question whether to leave hides what was asked; a problem does not.
      const screen = String(properties['current_screen_name']);
      if (screen !== 'leave' && screen !== 'problem') this.screen = screen;
    }
    if (name === 'connect_manually') this.searchedInVain = true;
    if (name === 'select_institution') this.searchedInVain = false;
  }
}
