import fc from 'fast-check';
import { expectStatus } from '../../../support/actors/link-journey.js';
import { opened, refusal } from './personal-browser.js';
import { eventually } from '../../../support/assertions/eventually.js';
import { SEED } from '../../../support/runner/seed.js';
import { LIVE_BANKS } from '../../../support/services/live-simulators.js';
import { representatives } from '../../../support/runner/representatives.js';
import {
  REDIRECTS,
  REDIRECT_URI,
  app,
  plaid,
  appId,
  startTwoCustomers,
  newBrowser,
  masksOf,
  stored,
  goAndSignIn,
  finishAfterQuestions,
  userOf,
  linkOf,
  attackersSession,
  hostedToken,
  type Vendor,
  type Person,
} from './two-customers.js';
import { orders, Play } from './swap-play.js';
import { live, truth } from './live-service.js';

/** No account of one customer gets into a link of another one, in any sequence of actions. */
export function describeSessionSwapping(): void {
  startTwoCustomers();

  const CHOSEN = representatives(REDIRECTS, (vendor) => vendor === 'fdx');

  describe.each(CHOSEN)('A bank login at %s that another person completed', (vendor) => {
    let linkId: string;
    const suffix = `of ${vendor}`;
    beforeAll(async () => {
      linkId = await linkOf('attacker', vendor, suffix);
      await app.untilRefreshed(linkId, 'transactions');
    });

    it('does not change the link that its sender was repairing', async () => {
      const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
      const before = await stored(linkId);
      expect(before?.masks).toEqual(await masksOf('attacker', vendor));

      const address = await goAndSignIn(visit, vendor, 'victim');
      const landed = opened(await newBrowser().land(address));
      const result = await finishAfterQuestions(landed);

      expect(result).toMatchObject({ mode: 'relink', accounts: [] });
      expect(result).not.toHaveProperty('exchangeable_token');
      expect(await stored(linkId)).toEqual(before);
      // The app's back end names the user who is signed in where the flow ended.
      const { confirmation_token: token = '' } = result;
      const victim = { expected_customer_user_id: userOf('victim', suffix).id };
      expect(await app.exchange(token, victim)).toMatchObject({
        status: 403,
        body: { error_code: 'link_error.forbidden_action' },
      });
      expect(await app.exchange(token)).toMatchObject({
        status: 403,
        body: { error_code: 'link_error.forbidden_action' },
      });
      expect(await stored(linkId)).toEqual(before);
    });

    it('does not change that link when its accounts are listed only at the second attempt', async () => {
      const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
      const before = await stored(linkId);
      const address = await goAndSignIn(visit, vendor, 'victim');
      const path = vendor === 'fdx' ? '/first-fdx/*accounts' : '/accounts/*';
      await live.simulators[vendor].script('status_500', { path, method: 'GET' });
      const landed = opened(await newBrowser().land(address));
      expect((await landed.settle()).step.kind).toBe('error');
      // The sender's window can neither try again nor log in with the data that was received.
      const retry = { kind: 'error', action: 'retry' };
      expect(await visit.submit(retry, { seq: landed.view.seq })).toMatchObject({
        status: 409,
        body: { error_code: 'connect_error.session_moved' },
      });
      await landed.answer(retry);
      const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
      expect(await app.exchange(token)).toMatchObject({ status: 403 });
      expect(await stored(linkId)).toEqual(before);
    });

    it('does not change the link that its sender was offered to extend', async () => {
      const browser = newBrowser();
      const { visit } = await attackersSession(
        vendor,
        {
          customer_user: userOf('attacker', suffix),
          connect_features: { duplicate_institution_warning: true },
        },
        browser,
      );
      await visit.answer({ kind: 'choice', option_ids: ['connect.extend_existing'] });
      const before = await stored(linkId);

      const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
      const result = await finishAfterQuestions(landed);

      expect(result).toMatchObject({ mode: 'relink', existing_link_id: linkId });
      expect(await stored(linkId)).toEqual(before);
      expect(await app.exchange(result.confirmation_token ?? '')).toMatchObject({ status: 403 });
      expect(await stored(linkId)).toEqual(before);
    });

    it('creates no link of its sender until the app names that user', async () => {
      const { visit, token: sessionToken } = await attackersSession(vendor, {
        customer_user: userOf('attacker', `new ${suffix}`),
      });
      const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
      const { exchangeable_token: token } = await finishAfterQuestions(landed);
      const made = (await truth.linkOfSession(landed.view.session_id))?.link_id ?? '';

      expect(await stored(made)).toMatchObject({ state: 'connecting', reference: null, masks: [] });
      expect(await app.exchange(token)).toMatchObject({ status: 403 });
      const victim = { expected_customer_user_id: userOf('victim', suffix).id };
      expect(await app.exchange(token, victim)).toMatchObject({ status: 403 });
      expect(await stored(made)).toMatchObject({ state: 'connecting', reference: null, masks: [] });
      // The sender's token and window have lost the session.
      expect(refusal(await newBrowser().open(sessionToken))).toEqual([
        401,
        'connect_error.invalid_session_token',
      ]);
      expect(await visit.finishCall()).toMatchObject({
        status: 409,
        body: { error_code: 'connect_error.session_moved' },
      });
    });

    it('is refused in a tab that keeps the token of another session', async () => {
      const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
      const { browser } = await attackersSession(vendor, {
        customer_user: userOf('victim', suffix),
      });
      const before = await stored(linkId);
      expect(refusal(await browser.land(await goAndSignIn(visit, vendor, 'victim')))).toEqual([
        422,
        'connect_error.oauth_state_invalid',
      ]);
      expect(await stored(linkId)).toEqual(before);
    });

    it('is refused in any browser other than the one that opened the hosted page', async () => {
      const { token } = await hostedToken('attacker');
      const visit = opened(await newBrowser().openHosted(token));
      await visit.select(LIVE_BANKS[vendor].id);
      const address = await goAndSignIn(visit, vendor, 'victim');
      expect(refusal(await newBrowser().land(address))).toEqual([
        422,
        'connect_error.oauth_state_invalid',
      ]);
      const { data } = await plaid.linkTokenGet({ link_token: token });
      expect(data.link_sessions?.map(({ results }) => results)).toEqual([null]);
    });

    it('is refused for a link_token of the Plaid-compatible layer that the window does not provide', async () => {
      const { token } = await hostedToken('attacker', null);
      const visit = opened(await newBrowser().open(token));
      await visit.select(LIVE_BANKS[vendor].id);
      const address = await goAndSignIn(visit, vendor, 'victim');
      expect(refusal(await newBrowser().land(address))).toEqual([
        422,
        'connect_error.oauth_state_invalid',
      ]);
    });
  });

  describe.each(CHOSEN)('A user of %s who returns without the token of the session', (vendor) => {
    const suffix = `honest at ${vendor}`;
    const expected = { expected_customer_user_id: userOf('victim', suffix).id };
    let linkId: string;
    beforeAll(async () => {
      linkId = await linkOf('victim', vendor, suffix);
      await app.untilRefreshed(linkId, 'transactions');
    });

    it('creates a new link, which the app confirms with the user who is signed in', async () => {
      const user = userOf('victim', `new at ${vendor}`);
      const { visit } = await attackersSession(vendor, { customer_user: user });
      const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
      const { exchangeable_token: token } = await finishAfterQuestions(landed);
      const { link_id: made, link } = await expectStatus(
        201,
        app.exchange(token, { expected_customer_user_id: user.id }),
      );
      expect(link.state).toBe('connected');
      await app.untilRefreshed(made, 'transactions');
      expect((await stored(made))?.masks).toEqual(await masksOf('victim', vendor));
      expect(await truth.story(made)).toEqual(
        expect.arrayContaining([
          'state connecting',
          'state awaiting_token_exchange',
          'state connected',
        ]),
      );
    });

    it('repairs a link, which keeps its ids, once the app confirms it', async () => {
      const before = await stored(linkId);
      const { accounts } = await app.get<{ accounts: { account_id: string }[] }>(
        `/links/${linkId}/accounts`,
      );
      const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
      const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
      const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
      expect(await stored(linkId)).toEqual(before);

      const confirmed = await expectStatus(201, app.exchange(token, expected));
      expect(confirmed).toMatchObject({ link_id: linkId, link: { state: 'connected' } });
      expect(await stored(linkId)).not.toEqual(before);
      const after = await app.get<{ accounts: { account_id: string }[] }>(
        `/links/${linkId}/accounts`,
      );
      expect(after.accounts.map(({ account_id: id }) => id)).toEqual(
        accounts.map(({ account_id: id }) => id),
      );
      expect(await app.exchange(token, expected)).toMatchObject({
        status: 400,
        body: { error_code: 'link_session_error.invalid_token_exchange' },
      });
    });

    it('changes nothing where the app starts another session instead, and the permission is revoked', async () => {
      const { visit } = await attackersSession(vendor, { existing_link_id: linkId });
      const landed = opened(await newBrowser().land(await goAndSignIn(visit, vendor, 'victim')));
      const { confirmation_token: token = '' } = await finishAfterQuestions(landed);
      const before = await stored(linkId);
      await app.createSession({ existing_link_id: linkId, redirect_uri: REDIRECT_URI });
      expect(await app.exchange(token, expected)).toMatchObject({ status: 400 });
      expect(await stored(linkId)).toEqual(before);
      await eventually(async () => {
        const left = await truth.rows(
          'SELECT 1 FROM permission_revocations r JOIN links l ON l.pk = r.link_pk WHERE l.link_id = $1',
          [linkId],
        );
        expect(left).toEqual([]);
      });
    });

    it('continues as before with the token that the tab kept', async () => {
      const { visit, browser } = await attackersSession(vendor, { existing_link_id: linkId });
      const before = await stored(linkId);
      const landed = opened(await browser.land(await goAndSignIn(visit, vendor, 'victim')));
      const result = await finishAfterQuestions(landed);
      expect(result).not.toHaveProperty('confirmation_token');
      expect(await stored(linkId)).not.toEqual(before);
      expect((await stored(linkId))?.masks).toEqual(await masksOf('victim', vendor));
    });
  });

  /** `npm run test:all` sets SWAP_CASES for more orders. */
  const CASES = Number(process.env['SWAP_CASES'] ?? 4);
  describe('Any sequence of actions of two customers of one bank with sessions, addresses and windows', () => {
    let links: Record<Person, Record<Vendor, string>>;
    let masks: Record<Person, Record<string, string[]>>;

    beforeAll(async () => {
      const each = async <T>(work: (person: Person, vendor: Vendor) => Promise<T>) => {
        const made: Record<string, Record<string, T>> = { attacker: {}, victim: {} };
        for (const person of ['attacker', 'victim'] as const)
          for (const vendor of REDIRECTS)
            (made[person] ??= {})[vendor] = await work(person, vendor);
        return made as Record<Person, Record<Vendor, T>>;
      };
      links = await each((person, vendor) => linkOf(person, vendor, `played ${vendor}`));
      masks = await each(masksOf);
    });

    it(
      `puts no account of one into a link of the other, and gives neither a result of the other (${CASES} orders)`,
      async () => {
        await fc.assert(
          fc.asyncProperty(orders, async (actions) => {
            const play = new Play(links);
            for (const action of actions) await play.act(action);
            await expectNothingSwapped(play);
          }),
          { numRuns: CASES, seed: SEED, endOnFailure: true },
        );
      },
      CASES * 30_000,
    );

    async function expectNothingSwapped({ received }: Play): Promise<void> {
      const owned = await truth.rows<{ link_id: string; user_id: string; mask: string }>(
        `SELECT l.link_id, u.user_id, a.mask FROM accounts a
         JOIN links l ON l.pk = a.link_pk JOIN customer_users u ON u.pk = l.customer_user_pk
        WHERE l.app_id = $1`,
        [appId],
      );
      const ownerOf = ({ user_id: user }: { user_id: string }) => user.split('-')[0] as Person;
      const allOf = (person: Person) => Object.values(masks[person]).flat();
      expect(owned.filter((row) => !allOf(ownerOf(row)).includes(row.mask))).toEqual([]);
      for (const { linkId, person } of received)
        expect(owned.filter((row) => row.link_id === linkId && ownerOf(row) !== person)).toEqual(
          [],
        );
    }
  });
}
