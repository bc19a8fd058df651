import type { Page } from 'playwright-core';
import type { Person } from './person.js';
import type { JourneyStage } from './stage.js';

export const CREDENTIALS_BANK = 'sandbox-credentials-bank';
export const OAUTH_BANK = 'sandbox-oauth-bank';
export const INSTANT_BANK = 'sandbox-instant-bank';

/** The user's actions after the password, up to the consent screen. */
const FACTORS: Record<string, (person: Person) => Promise<void>> = {
  mfa_sms: async (person) => {
    await person.sees('Enter the code');
    await person.type('000000');
    await person.reads('That code wasn’t accepted. 2 attempts left.');
    await person.type('123456');
  },
  mfa_email: async (person) => {
    await person.sees('Enter the code');
    await person.type('123456');
  },
  mfa_choice: async (person) => {
    await person.sees('Where should the code be sent?');
    await person.frame.getByRole('radio').nth(1).check();
    await person.press('Continue');
    await person.sees('Enter the code');
    await person.type('123456');
  },
  mfa_questions: async (person) => {
    await person.sees('Answer 2 questions');
    await person.type('blue', 'rex');
  },
  mfa_image: async (person) => {
    await person.sees('What do you see?');
    await person.type('7A3F');
  },
  mfa_push: (person) => person.sees('Approve this in the Credentials Bank app'),
  slow_60: (person) => person.sees('Connecting to Credentials Bank'),
};

/** Logins that end with an error screen. */
const PROBLEMS: Record<
  string,
  { title: string; errorId: string; fault: string; linkError: string }
> = {
  locked: {
    title: 'Credentials Bank locked your sign-in',
    errorId: 'account_locked',
    fault: 'user',
    linkError: 'user_error',
  },
  no_accounts: {
    title: 'Credentials Bank shows no accounts for this sign-in',
    errorId: 'no_accounts',
    fault: 'institution',
    linkError: 'institution_error',
  },
  error_incomplete: {
    title: 'One step is left at Credentials Bank',
    errorId: 'incomplete',
    fault: 'user',
    linkError: 'incomplete',
  },
  error_user_error: {
    title: 'Credentials Bank needs something from you',
    errorId: 'user_action_required',
    fault: 'user',
    linkError: 'user_error',
  },
  error_system_error: {
    title: 'Something went wrong on our side',
    errorId: 'internal',
    fault: 'service',
    linkError: 'system_error',
  },
  error_provider_error: {
    title: 'The connection to Credentials Bank isn’t working right now',
    errorId: 'provider_down',
    fault: 'provider',
    linkError: 'provider_error',
  },
  error_institution_error: {
    title: 'Credentials Bank is having problems right now',
    errorId: 'institution_down',
    fault: 'institution',
    linkError: 'institution_error',
  },
};

/** Exactly ConnectInstitution and ConnectAccount of connect 9.1. */
export const institution = (id: string, name: string) => ({
  institution_id: id,
  name,
  country: 'US',
  domain: expect.any(String),
  color: expect.stringMatching(/^#/),
  color_dark: expect.stringMatching(/^#/),
  logo_url: expect.stringMatching(/\/connect\/logos\/[0-9a-f]{64}\.png$/),
});
const account = (name: string, mask: string, type: string) => ({
  account_id: expect.stringMatching(/^acc_/),
  account_type: type,
  name,
  account_mask: mask,
});
export const TWO = [
  account('Everyday Checking', '1101', 'depository.checking'),
  account('Rainy Day Savings', '2202', 'depository.savings'),
];
export const THREE = [...TWO, account('Rewards Card', '3303', 'liability.credit_card')];
export const newLink = (id: string, name: string, accounts: unknown[]) => ({
  name: 'success',
  payload: {
    mode: 'link',
    exchangeable_token: expect.stringMatching(/^sandbox_xt_/),
    expires_in: expect.any(Number),
    session_id: expect.stringMatching(/^ses_/),
    institution: institution(id, name),
    accounts: expect.arrayContaining(accounts),
  },
});

/** The steps that the journeys at the sandbox banks share. */
export function atTheBanks(stage: JourneyStage) {
  const exchange = async (person: Person): Promise<string> => {
    const { payload } = await person.ending();
    const { status, body } = await stage.app.exchange(String(payload['exchangeable_token']));
    expect({ status, state: body.link.state }).toEqual({ status: 201, state: 'connected' });
    return body.link_id;
  };
  const atCredentialsBank = async (
    userName: string,
    fields: Record<string, unknown> = {},
  ): Promise<Person> => {
    const person = await stage.open(
      await stage.session({ institution_id: CREDENTIALS_BANK, ...fields }),
    );
    await person.sees('Sign in to your bank');
    await person.signIn(userName);
    return person;
  };
  /** Opens the bank's own pages in their window, and decides there. */
  const atOAuthBank = async (
    person: Person,
    decision: 'Approve' | 'Deny',
    act: (bank: Page) => Promise<void> = async () => undefined,
  ): Promise<void> => {
    await person.sees('You’ll sign in at OAuth Bank');
    const opened = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    const bank = await opened;
    await bank.getByRole('heading', { name: /Share your accounts/ }).waitFor();
    await person.sees('Finish in your bank’s window');
    await act(bank);
    await bank.getByRole('button', { name: decision }).click();
  };
  /** Answers the questions of the bank to this user after the password, up to a new link. */
  const passesFactors = async (userName: string): Promise<void> => {
    const person = await atCredentialsBank(userName);
    await FACTORS[userName]?.(person);
    await person.allowAndShare();
    expect(await person.ending()).toEqual(newLink(CREDENTIALS_BANK, 'Credentials Bank', THREE));
    // connect 13, check 3: with institution_id there is no finder.
    expect((await person.screens())[0]).toBe('credentials');
  };
  /** Sees the error screen, and leaves. */
  const isTurnedAway = async (userName: string): Promise<void> => {
    const { title, errorId, fault, linkError } = PROBLEMS[userName] ?? {
      title: '',
      errorId: '',
      fault: '',
      linkError: '',
    };
    const person = await atCredentialsBank(userName);
    await person.sees(title);
    await person.press('Close');
    const error = {
      error_id: `connect_error.${errorId}`,
      displayed_message: expect.any(String),
      request_id: null,
      fault,
      link_error: linkError,
    };
    expect(await person.ending()).toEqual({
      name: 'exit',
      payload: {
        reason: 'error',
        error,
        session_id: expect.stringMatching(/^ses_/),
        institution: institution(CREDENTIALS_BANK, 'Credentials Bank'),
        search_term: null,
      },
    });
    expect((await person.callbacks('error')).map(({ payload }) => payload)).toEqual([error]);
    await person.page.locator('iframe').waitFor({ state: 'detached' });
  };
  /** Breaks a link, and repairs it in a session that opens at its bank. */
  const repairs = async (bank: string): Promise<void> => {
    const first = await stage.open(await stage.session({ institution_id: bank }));
    await signsIn(first, bank);
    if (bank !== INSTANT_BANK) await first.allowAndShare();
    const linkId = await exchange(first);
    await stage.app.call('POST', `/links/${linkId}/reset`);
    const again = await stage.open(await stage.session({ existing_link_id: linkId }));
    await signsIn(again, bank);
    const { name, payload } = await again.ending();
    expect({ name, keys: Object.keys(payload).sort() }).toEqual({
      name: 'success',
      keys: ['accounts', 'institution', 'mode', 'session_id'],
    });
    expect(payload).toMatchObject({ mode: 'relink', institution: { institution_id: bank } });
    expect((await again.screens())[0]).toBe(
      {
        [INSTANT_BANK]: 'done',
        [CREDENTIALS_BANK]: 'credentials',
        [OAUTH_BANK]: 'bank_redirect',
      }[bank],
    );
    expect(await stage.app.link(linkId)).toMatchObject({ state: 'connected', error_code: null });
  };
  const signsIn = async (person: Person, bank: string): Promise<void> => {
    if (bank === OAUTH_BANK) return atOAuthBank(person, 'Approve');
    if (bank === INSTANT_BANK) return;
    await person.sees('Sign in to your bank');
    await person.signIn('user_good');
  };
  return { exchange, atCredentialsBank, atOAuthBank, passesFactors, isTurnedAway, repairs };
}
