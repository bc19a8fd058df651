import { randomUUID } from 'node:crypto';
import { AppBackEnd, ConnectVisit } from '../../support/actors/link-journey.js';
import { setupTokenFor, tokenForm } from '../../support/fixtures/simplefin-server.js';
import { LIVE_BANKS } from '../../support/services/live-simulators.js';
import { chooseLiveBank, logInLive, newSetupToken } from './support/live-journey.js';
import { live, service, startLiveService, truth } from './support/live-service.js';

startLiveService();

let app: AppBackEnd;
beforeAll(() => {
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});

const linkOf = ({ view }: ConnectVisit) => truth.linkOfSession(view.session_id);

describe('A login with a wrong setup token', () => {
  it('requests another token, explains the mistake, and links with a correct one', async () => {
    const used = await newSetupToken(live);
    await fetch(Buffer.from(used, 'base64').toString(), { method: 'POST' });
    const visit = await chooseLiveBank(app, 'simplefin');
    expect(await visit.answer(tokenForm('not a token'))).toMatchObject({
      step: { kind: 'form', attempts_left: 2, error: { code: 'setup_token_unreadable' } },
    });
    expect(await visit.answer(tokenForm(used))).toMatchObject({
      step: { kind: 'form', attempts_left: 1, error: { code: 'setup_token_refused' } },
    });
    expect((await logInLive(visit, 'simplefin', live)).step.kind).toBe('success');
  });

  it('explains that the token was already used here, when the user left and enters it again', async () => {
    const token = tokenForm(await newSetupToken(live));
    const session = await app.createSession({
      customer_user: { id: randomUUID() },
      institution_id: LIVE_BANKS.simplefin.id,
    });
    const visit = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    await live.simulators.simplefin.script('status_500', { path: '/simplefin/accounts' });
    expect(await visit.answer(token)).toMatchObject({
      step: { kind: 'error', error_id: 'connect_error.provider_down' },
    });
    await visit.exit();
    const again = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect((await again.settle()).step).toMatchObject({ kind: 'form', error: null });
    expect(await again.answer(token)).toMatchObject({
      step: { kind: 'form', error: { code: 'setup_token_used_here' } },
    });
  });

  it('ends after three attempts, and links nothing', async () => {
    const elsewhere = tokenForm(setupTokenFor('https://evil.example/simplefin/claim/A'));
    const visit = await chooseLiveBank(app, 'simplefin');
    expect(await visit.answer(elsewhere)).toMatchObject({
      step: { kind: 'form', error: { code: 'setup_token_not_allowed' } },
    });
    await visit.answer(elsewhere);
    expect(await visit.answer(elsewhere)).toMatchObject({
      step: {
        kind: 'error',
        error_id: 'connect_error.invalid_credentials',
        actions: ['retry', 'exit'],
      },
    });
    expect(await linkOf(visit)).toMatchObject({ state: 'error', error_code: 'user_error' });
  });

  it('can be abandoned at the form, and links nothing', async () => {
    const visit = await chooseLiveBank(app, 'simplefin');
    expect((await visit.exit()).body).toMatchObject({ closed: true });
    expect(await linkOf(visit)).toMatchObject({ state: 'error', error_code: 'user_error' });
  });
});
