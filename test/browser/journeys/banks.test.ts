import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { operate } from '../../support/operator.js';
import type { Person } from './support/person.js';
import { describeJourneys } from './support/stage.js';

const CREDENTIALS_BANK = 'sandbox-credentials-bank';
const OAUTH_BANK = 'sandbox-oauth-bank';
const INSTANT_BANK = 'sandbox-instant-bank';

/** What a person does after the password, to the screen where everybody is asked what to share. */
const FACTORS: Record<string, (person: Person) => Promise<void>> = {
  mfa_sms: async (person) => {
    await person.sees('Enter the code');
    await person.type('000000');
    await person.reads('That code was not accepted. 2 tries left.');
    await person.type('123456');
  },
  mfa_email: async (person) => {
    await person.sees('Enter the code');
    await person.type('123456');
  },
  mfa_choice: async (person) => {
    await person.sees('Where should the code go?');
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
  mfa_push: (person) => person.sees('Waiting for your approval in the bank’s app'),
  slow_60: (person) => person.sees('Signing in'),
};

/** Logins that end with a screen of their own. */
const PROBLEMS: Record<string, { title: string; errorId: string; fault: string; linkError: string }> = {
  locked: { title: 'Your sign-in is locked', errorId: 'account_locked', fault: 'user', linkError: 'user_error' },
  no_accounts: { title: 'No accounts found', errorId: 'no_accounts', fault: 'institution', linkError: 'institution_error' },
  error_incomplete: { title: 'One step is left at your bank', errorId: 'incomplete', fault: 'user', linkError: 'incomplete' },
  error_user_error: { title: 'Credentials Bank needs something from you', errorId: 'user_action_required', fault: 'user', linkError: 'user_error' },
  error_system_error: { title: 'This did not work', errorId: 'internal', fault: 'service', linkError: 'system_error' },
  error_provider_error: { title: 'Credentials Bank cannot be reached', errorId: 'provider_down', fault: 'provider', linkError: 'provider_error' },
  error_institution_error: { title: 'Credentials Bank does not answer', errorId: 'institution_down', fault: 'institution', linkError: 'institution_error' },
};

/** ConnectInstitution and ConnectAccount of connect 9.1, and nothing beside them. */
const institution = (id: string, name: string) => ({
  institution_id: id, name, country: 'US', domain: expect.any(String), color: expect.stringMatching(/^#/), color_dark: expect.stringMatching(/^#/), logo_url: null,
});
const account = (name: string, mask: string, type: string) => ({ account_id: expect.stringMatching(/^acc_/), account_type: type, name, account_mask: mask });
const TWO = [account('Everyday Checking', '1101', 'depository.checking'), account('Rainy Day Savings', '2202', 'depository.savings')];
const THREE = [...TWO, account('Rewards Card', '3303', 'liability.credit_card')];
const newLink = (id: string, name: string, accounts: unknown[]) => ({
  name: 'success',
  payload: { mode: 'link', exchangeable_token: expect.stringMatching(/^sandbox_xt_/), expires_in: expect.any(Number), session_id: expect.stringMatching(/^ses_/), institution: institution(id, name), accounts: expect.arrayContaining(accounts) },
});

// axe looks at every screen somebody sees (Person.sees).
describeJourneys('connect 13, checks 1 and 2: linking at the sandbox banks', (stage) => {
  const exchange = async (person: Person): Promise<string> => {
    const { payload } = await person.ending();
    const { status, body } = await stage.app.exchange(String(payload['exchangeable_token']));
    expect([status, body.link.state]).toEqual([201, 'connected']);
    return body.link_id;
  };
  const atCredentialsBank = async (userName: string, fields: Record<string, unknown> = {}): Promise<Person> => {
    const person = await stage.open(await stage.session({ institution_id: CREDENTIALS_BANK, ...fields }));
    await person.sees('Sign in to your bank');
    await person.signIn(userName);
    return person;
  };
  /** Goes to the bank's own pages in their window, and decides there. */
  const atOAuthBank = async (person: Person, decision: 'Approve' | 'Deny', act: (bank: Page) => Promise<void> = async () => undefined): Promise<void> => {
    await person.sees('You will sign in at OAuth Bank');
    const opened = person.page.context().waitForEvent('page');
    await person.press(/^Continue to OAuth Bank/);
    const bank = await opened;
    await bank.getByRole('heading', { name: /Share your accounts/ }).waitFor();
    await person.sees('Finish in the bank’s window');
    await act(bank);
    await bank.getByRole('button', { name: decision }).click();
  };

  it('Instant Bank asks nothing', async () => {
    const person = await stage.open(await stage.session());
    await person.chooseBank('Instant Bank');
    expect(await person.ending()).toEqual(newLink(INSTANT_BANK, 'Instant Bank', TWO));
    expect((await person.screens())[0]).toBe('finder');
    expect((await stage.app.link(await exchange(person))).institution_id).toBe(INSTANT_BANK);
  });

  it('Credentials Bank: user name, password, consent, accounts; every callback as the contract has it', async () => {
    const person = await stage.open(await stage.session(), { sdk: { closeOnSuccess: false } });
    await person.chooseBank('Credentials Bank');
    await person.sees('Sign in to your bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await person.sees('Connected');
    expect(await person.ending()).toEqual(newLink(CREDENTIALS_BANK, 'Credentials Bank', THREE));
    expect(await person.screens()).toEqual(['finder', 'credentials', expect.stringMatching(/progress|permissions/), ...(await person.screens()).slice(3)]);
    const told = await person.told();
    const [opened] = await person.told('event');
    expect(opened?.payload).toEqual({ name: 'open', properties: {}, meta: { link_type: 'link', timestamp: expect.any(String), link_session_id: expect.stringMatching(/^ses_/) } });
    expect(told.at(-1)?.name).toBe('success');
    expect(told.at(-2)?.payload).toEqual({
      name: 'success', properties: {},
      meta: { link_type: 'link', timestamp: expect.any(String), link_session_id: opened === undefined ? '' : (opened.payload['meta'] as Record<string, unknown>)['link_session_id'], institution_id: CREDENTIALS_BANK, institution_name: 'Credentials Bank' },
    });
    expect(JSON.stringify(await person.told('event'))).not.toMatch(/user_good|pass_good|1101|Everyday|_xt_|_ls_/);
    await person.press('Done');
    await person.page.locator('iframe').waitFor({ state: 'detached' });
    await exchange(person);
  });

  describe('a user of Credentials Bank', () => {
    it.each(Object.keys(FACTORS))('%s', async (userName) => {
      const person = await atCredentialsBank(userName);
      await FACTORS[userName]?.(person);
      await person.allowAndShare();
      expect(await person.ending()).toEqual(newLink(CREDENTIALS_BANK, 'Credentials Bank', THREE));
      // connect 13, check 3: with institution_id there is no finder.
      expect((await person.screens())[0]).toBe('credentials');
    });

    it.each(Object.keys(PROBLEMS))('%s', async (userName) => {
      const { title, errorId, fault, linkError } = PROBLEMS[userName] ?? { title: '', errorId: '', fault: '', linkError: '' };
      const person = await atCredentialsBank(userName);
      await person.sees(title);
      await person.press('Leave');
      const error = { error_id: `connect_error.${errorId}`, displayed_message: expect.any(String), request_id: null, fault, link_error: linkError };
      expect(await person.ending()).toEqual({
        name: 'exit', payload: { reason: 'error', error, session_id: expect.stringMatching(/^ses_/), institution: institution(CREDENTIALS_BANK, 'Credentials Bank'), search_term: null },
      });
      expect((await person.told('error')).map(({ payload }) => payload)).toEqual([error]);
      await person.page.locator('iframe').waitFor({ state: 'detached' });
    });

    it('who types a wrong password three times is told, and may try again', async () => {
      const person = await stage.open(await stage.session({ institution_id: CREDENTIALS_BANK }));
      await person.sees('Sign in to your bank');
      await person.signIn('user_good', 'wrong-1');
      await person.reads('That sign-in was not accepted. 2 tries left.');
      await person.signIn('user_good', 'wrong-2');
      await person.reads('That sign-in was not accepted. 1 try left.');
      await person.signIn('user_good', 'wrong-3');
      await person.sees('The sign-in did not work');
      expect((await person.told('error')).map(({ payload }) => payload['error_id'])).toEqual(Array(3).fill('connect_error.invalid_credentials'));
      await person.press('Try again');
      await person.sees('Sign in to your bank');
      await person.signIn('user_good');
      await person.allowAndShare();
      expect((await person.ending()).name).toBe('success');
    });
  });

  it('OAuth Bank, approved (connect 13, check 4: popup)', async () => {
    const person = await stage.open(await stage.session());
    await person.chooseBank('OAuth Bank');
    await atOAuthBank(person, 'Approve');
    await person.allowAndShare();
    expect(await person.ending()).toEqual(newLink(OAUTH_BANK, 'OAuth Bank', THREE));
    await exchange(person);
  });

  it('OAuth Bank, denied (connect 13, check 4)', async () => {
    const person = await stage.open(await stage.session({ institution_id: OAUTH_BANK }));
    await atOAuthBank(person, 'Deny');
    await person.sees('Access was not allowed');
    await person.press('Leave');
    expect(await person.ending()).toMatchObject({ name: 'exit', payload: { reason: 'error', error: { error_id: 'connect_error.oauth_denied', fault: 'user', link_error: 'user_error' } } });
  });

  describe('connect 13, checks 2 and 3: a broken link', () => {
    const repair: Record<string, (person: Person) => Promise<void>> = {
      [INSTANT_BANK]: async () => undefined,
      [CREDENTIALS_BANK]: async (person) => {
        await person.sees('Sign in to your bank');
        await person.signIn('user_good');
      },
      [OAUTH_BANK]: (person) => atOAuthBank(person, 'Approve'),
    };
    it.each(Object.keys(repair))('of %s opens at that bank and is repaired without a token', async (bank) => {
      const first = await stage.open(await stage.session({ institution_id: bank }));
      await repair[bank]?.(first);
      if (bank !== INSTANT_BANK) await first.allowAndShare();
      const linkId = await exchange(first);
      await stage.app.call('POST', `/links/${linkId}/reset`);
      const again = await stage.open(await stage.session({ existing_link_id: linkId }));
      await repair[bank]?.(again);
      const { name, payload } = await again.ending();
      expect([name, Object.keys(payload).sort()]).toEqual(['success', ['accounts', 'institution', 'mode', 'session_id']]);
      expect(payload).toMatchObject({ mode: 'relink', institution: { institution_id: bank } });
      expect((await again.screens())[0]).toBe({ [CREDENTIALS_BANK]: 'credentials', [OAUTH_BANK]: 'bank_redirect' }[bank]);
      expect(await stage.app.link(linkId)).toMatchObject({ state: 'connected', error_code: null });
    });

    it('is asked about products that are new', async () => {
      const first = await atCredentialsBank('user_good', { settings: undefined, products_settings: {} });
      await first.allowAndShare();
      const linkId = await exchange(first);
      const again = await stage.open(await stage.session({ existing_link_id: linkId }));
      await again.sees('Sign in to your bank');
      await again.signIn('user_good');
      await again.sees(/^What .+ will see$/);
      await again.reads('Allowed earlier');
      await again.press('Allow');
      expect((await again.ending()).payload).toMatchObject({ mode: 'relink' });
      expect(Object.keys((await stage.app.link(linkId)).products)).toContain('transactions');
    });
  });

  it('who has a connection there is asked before the login, and renews it', async () => {
    const customer_user = { id: randomUUID() };
    const first = await atCredentialsBank('user_good', { customer_user });
    await first.allowAndShare();
    const linkId = await exchange(first);
    await operate(stage.service.dataDir, 'app', 'update', stage.service.app.app_id, '--feature', 'duplicate_institution_warning');
    const again = await stage.open(await stage.session({ customer_user, connect_features: { duplicate_institution_warning: true } }));
    await again.chooseBank('Credentials Bank');
    await again.sees('You are already connected');
    await again.press('Continue');
    await again.reads('Choose 1.');
    await again.frame.getByRole('radio', { name: /^Connect once more/ }).check();
    await again.frame.getByRole('radio', { name: /^Renew this connection/ }).check();
    await again.press('Continue');
    await again.sees('Sign in to your bank');
    await again.signIn('user_good');
    const { name, payload } = await again.ending();
    expect([name, Object.keys(payload).sort()]).toEqual(['success', ['accounts', 'existing_link_id', 'institution', 'mode', 'session_id']]);
    expect(payload).toMatchObject({ mode: 'relink', existing_link_id: linkId });
    expect((await again.screens()).slice(0, 3)).toEqual(['finder', 'options', 'credentials']);
  });

  it('is done with a keyboard alone', async () => {
    const person = await stage.open(await stage.session());
    const { keyboard } = person.page;
    const focused = (): Promise<string> => person.frame.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 20; presses += 1) {
        await keyboard.press('Tab');
        if (name.test(await focused())) return;
      }
      throw new Error(`The keyboard does not reach ${String(name)}.`);
    };
    await person.sees('Choose your bank');
    await keyboard.type('cred');
    await person.frame.getByRole('option', { name: 'Credentials Bank' }).waitFor();
    await person.frame.getByRole('option', { name: 'Instant Bank' }).waitFor({ state: 'detached' });
    await keyboard.press('Enter');
    await person.sees('Sign in to your bank');
    await person.frame.waitForFunction(() => document.activeElement?.tagName === 'H1');
    const nameField = await person.frame.getByLabel('User name').elementHandle();
    for (let presses = 0; presses < 10 && !(await nameField?.evaluate((field) => field === document.activeElement)); presses += 1) await keyboard.press('Tab');
    await keyboard.type('mfa_sms');
    await keyboard.press('Tab');
    await keyboard.type('pass_good');
    await keyboard.press('Enter');
    await person.sees('Enter the code');
    const codeField = await person.frame.getByRole('textbox').elementHandle();
    for (let presses = 0; presses < 10 && !(await codeField?.evaluate((field) => field === document.activeElement)); presses += 1) await keyboard.press('Tab');
    await keyboard.type('123456');
    await keyboard.press('Enter');
    await person.sees(/^What .+ will see$/);
    await tabTo(/^Allow$/);
    await keyboard.press('Enter');
    await person.sees('Choose accounts to share');
    await tabTo(/^Share/);
    await keyboard.press('Enter');
    expect((await person.ending()).name).toBe('success');
  });
});
