import {
  atTheBanks,
  CREDENTIALS_BANK,
  newLink,
  OAUTH_BANK,
  THREE,
} from './support/at-the-banks.js';
import { describeJourneys } from './support/stage.js';

// A password, a bank's own pages and a repair; banks.long.test.ts covers every user. In long runs, axe
// checks every screen that the user sees (Person.sees).
describeJourneys('Journeys at the sandbox banks (connect 13, checks 1 and 2)', (stage) => {
  const { exchange, atOAuthBank, repairs } = atTheBanks(stage);

  it('link Credentials Bank with a password, consent and accounts, and make every callback of the contract', async () => {
    const person = await stage.open(await stage.session(), { sdk: { closeOnSuccess: false } });
    await person.chooseBank('Credentials Bank');
    await person.sees('Sign in to your bank');
    await person.signIn('user_good');
    await person.allowAndShare();
    await person.sees('Connected');
    expect(await person.ending()).toEqual(newLink(CREDENTIALS_BANK, 'Credentials Bank', THREE));
    expect((await person.screens()).slice(0, 3)).toEqual(['finder', 'credentials', 'permissions']);
    const callbacksbacks = await person.callbacks();
    const [opened] = await person.callbacks('event');
    expect(opened?.payload).toEqual({
      name: 'open',
      properties: {},
      meta: {
        link_type: 'link',
        timestamp: expect.any(String),
        link_session_id: expect.stringMatching(/^ses_/),
      },
    });
    expect(callbacksbacks.at(-1)?.name).toBe('success');
    expect(callbacksbacks.at(-2)?.payload).toEqual({
      name: 'success',
      properties: {},
      meta: {
        link_type: 'link',
        timestamp: expect.any(String),
        link_session_id:
          opened === undefined
            ? ''
            : (opened.payload['meta'] as Record<string, unknown>)['link_session_id'],
        institution_id: CREDENTIALS_BANK,
        institution_name: 'Credentials Bank',
      },
    });
    expect(JSON.stringify(await person.callbacks('event'))).not.toMatch(
      /user_good|pass_good|1101|Everyday|_xt_|_ls_/,
    );
    await person.press('Done');
    await person.page.locator('iframe').waitFor({ state: 'detached' });
    await exchange(person);
  });

  it('link OAuth Bank in a popup when the user approves (connect 13, check 4)', async () => {
    const person = await stage.open(await stage.session());
    await person.chooseBank('OAuth Bank');
    await atOAuthBank(person, 'Approve');
    await person.allowAndShare();
    expect(await person.ending()).toEqual(newLink(OAUTH_BANK, 'OAuth Bank', THREE));
    await exchange(person);
  });

  it('open at the bank of a broken link and repair it without a token (connect 13, checks 2 and 3)', () =>
    repairs(CREDENTIALS_BANK));
});
