import type { ConnectError, ConnectEvent } from '@tributary/connect-js';

/**
 * plaid-compat 10.2: the input that a screen requests from the user (connect 3). Other screens request
 * none.
 */
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

/** The progress of a flow, as an exit reports it. */
export class Progress {
  /** The problem that the user sees; the next answer clears it. */
  error: ConnectError | null = null;
  private screen: string | null = null;
  private searchedInVain = false;

  get status(): string | null {
    if (this.searchedInVain) return 'institution_not_found';
    return this.screen === null ? null : (STATUSES[this.screen] ?? null);
  }

  loaded(): void {
    if (this.error?.error_id === 'connect_error.frame_unavailable') this.error = null;
  }

  follow({ name, properties }: ConnectEvent): void {
    if (ANSWERS.has(name)) this.error = null;
    if (name === 'change_screen') {
      // The question whether to leave hides the question below it, but not a problem.
      const screen = String(properties['current_screen_name']);
      if (screen !== 'leave' && screen !== 'problem') this.screen = screen;
    }
    if (name === 'connect_manually') this.searchedInVain = true;
    if (name === 'select_institution') this.searchedInVain = false;
  }
}
