// A link, and a login that the user denies at first. The calls are proven in oauth-*-call.test.ts, the
// workflow in test/workflows/link-session, and every user of the bank in oauth-bank-users.long.test.ts.
import { createHash } from 'node:crypto';
import { expectStatus } from '../../support/actors/link-journey.js';
import {
  arriveAtApp,
  submitReturn,
  chooseOAuthBank,
  decideAtBank,
  goThroughOAuthBank,
  OAUTH_BANK,
  REDIRECT_URI,
  startRedirect,
  type OAuthVisit,
} from '../../support/actors/oauth-journey.js';
import { app, service, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';

const RETRY = { kind: 'error', action: 'retry' };

serviceOfFile();

const linkOf = ({ visit }: OAuthVisit) => truth.linkOfSession(visit.view.session_id);

describe('A link at OAuth Bank (link-lifecycle 15, checks 1 and 2)', () => {
  it('starts with oauth/start, is created on the return, and has the accounts the user selected', async () => {
    const opened = await chooseOAuthBank(app);
    const { visit } = opened;
    expect(visit.view).toMatchObject({
      institution: { institution_id: OAUTH_BANK, login: 'oauth' },
      step: { kind: 'redirect', started: false, can_go_back: true },
    });
    expect(await linkOf(opened)).toBeNull();

    const started = await startRedirect(visit);
    expect(started.view).toMatchObject({
      seq: 3,
      step: { kind: 'redirect', started: true, expires_at: started.expires_at },
    });
    expect(Date.parse(`${started.expires_at}Z`) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(new URL(started.authorize_url).origin).toBe(service.info.sandbox_bank_url);
    expect(await linkOf(opened)).toMatchObject({ state: 'connecting' });

    const callbackAddress = await decideAtBank(started.authorize_url, {
      accounts: ['Rainy Day Savings'],
    });
    expect(callbackAddress.split('?')[0]).toBe(`${app.baseUrl}/connect/oauth/callback`);
    const address = await arriveAtApp(callbackAddress);
    expect(address.split('=')[0]).toBe(`${REDIRECT_URI}?oauth_state_id`);
    expect(
      createHash('sha256')
        .update(address.split('=')[1] ?? '')
        .digest('base64url'),
    ).toBe(started.state_hash);
    // connect 7, step 6: the code is exchanged only now.
    expect(await visit.poll()).toMatchObject({ seq: 3, step: { kind: 'redirect', started: true } });
    expect(await linkOf(opened)).toMatchObject({ state: 'connecting' });

    expect(await submitReturn(visit, address)).toMatchObject({ step: { kind: 'success' } });
    const result = await visit.finish();
    expect(result).toMatchObject({
      mode: 'link',
      institution: { institution_id: OAUTH_BANK },
      accounts: [
        { name: 'Rainy Day Savings', account_type: 'depository.savings', account_mask: '2202' },
      ],
    });
    const { link_id: linkId } = await expectStatus(201, app.exchange(result.exchangeable_token));
    await app.untilRefreshed(linkId, 'transactions');
    expect((await truth.story(linkId)).slice(0, 3)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
    ]);
  });

  it('can be retried after the user denied access', async () => {
    const opened = await chooseOAuthBank(app);
    const denied = await goThroughOAuthBank(opened.visit, { decision: 'deny' });
    expect(denied.step).toMatchObject({
      kind: 'error',
      error_id: 'connect_error.oauth_denied',
      fault: 'user',
      link_error: 'user_error',
      actions: ['retry', 'choose_another', 'exit'],
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error', error_code: 'user_error' });
    expect(await opened.visit.answer(RETRY)).toMatchObject({
      step: { kind: 'redirect', started: false },
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error' });
    expect(await goThroughOAuthBank(opened.visit)).toMatchObject({ step: { kind: 'success' } });
    expect(await truth.story((await linkOf(opened))?.link_id ?? '')).toEqual([
      'state connecting',
      'state error/user_error',
      'state connecting',
      'state awaiting_token_exchange',
    ]);
  });
});
