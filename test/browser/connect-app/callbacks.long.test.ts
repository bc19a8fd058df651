import { eventually } from '../../support/assertions/eventually.js';
import { failure, ScriptedSession } from './support/scripted-session.js';
import { ended, INSTITUTION, typesAfterHello } from './support/reported.js';
import { describeInBrowser } from './support/stage.js';
import { CREDENTIALS, CREDENTIALS_BANK, OTP } from './support/views.js';

describeInBrowser('The messages Connect sends to the SDK (connect 13, check 2)', (stage) => {
  it('report a repaired link as a success without a token', async () => {
    const opened = await stage.open(new ScriptedSession({ kind: 'success' }, { mode: 'relink' }), {
      options: { close_on_success: true },
    });
    const success = await ended(opened, 'success');
    expect(success).toMatchObject({ mode: 'relink' });
    expect(success).not.toHaveProperty('exchangeable_token');
  });

  it('send nothing between success and close while the last screen is shown', async () => {
    const opened = await stage.open(new ScriptedSession({ kind: 'success' }), {
      options: { close_on_success: false },
    });
    const { frame } = opened;
    await frame.getByRole('heading', { name: 'Connected' }).waitFor();
    await ended(opened, 'success');
    await eventually(async () =>
      expect(await typesAfterHello(opened)).toEqual([
        'event open',
        'event change_screen',
        'event success',
        'success',
      ]),
    );
    await frame.getByRole('button', { name: 'Done' }).click();
    await eventually(async () =>
      expect((await typesAfterHello(opened)).slice(-2)).toEqual(['success', 'close']),
    );
    expect(await opened.heard('exit')).toEqual([]);
  });

  it('report an exit at once when the user closes before signing in', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const opened = await stage.open(session);
    await opened.frame.getByRole('button', { name: 'Close' }).click();
    expect(await ended(opened, 'exit')).toEqual({
      reason: 'user_closed',
      error: null,
      session_id: session.view.session_id,
      institution: INSTITUTION,
      search_term: null,
    });
    await eventually(async () =>
      expect((await typesAfterHello(opened)).slice(-3)).toEqual(['event exit', 'exit', 'close']),
    );
    expect(session.callsTo('POST /session/exit')[0]?.body).toMatchObject({ reason: 'user_closed' });
  });

  it('report the search term in the exit of a user whose bank is missing', async () => {
    const session = new ScriptedSession(
      { kind: 'select_institution' },
      { features: { connect_manually: true } },
    );
    const opened = await stage.open(session);
    await opened.frame.getByRole('combobox').fill('Bank of Elsewhere');
    await opened.frame.getByText('No bank found for').first().waitFor();
    await opened.frame.getByRole('button', { name: 'Continue without a bank' }).click();
    expect(await ended(opened, 'exit')).toMatchObject({
      reason: 'connect_manually',
      search_term: 'Bank of Elsewhere',
      institution: null,
    });
    expect((await opened.events('connect_manually'))[0]).toMatchObject({
      properties: { search_term: 'Bank of Elsewhere' },
    });
  });

  it('report that the user dismissed or acknowledged the warning about an unavailable bank', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.then(() => CREDENTIALS);
    const opened = await stage.open(session);
    const { frame, events } = opened;
    await frame.getByRole('option', { name: /Quarry Street/ }).click();
    await frame.getByRole('button', { name: 'Choose another bank' }).click();
    await frame.getByRole('option', { name: /Quarry Street/ }).click();
    await frame.getByRole('button', { name: 'Try anyway' }).click();
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await eventually(async () => expect(await events('dismiss_institution_alert')).toHaveLength(1));
    await eventually(async () =>
      expect(await events('acknowledge_institution_alert')).toHaveLength(1),
    );
    await eventually(async () =>
      expect((await events('select_institution'))[0]).toMatchObject({
        properties: {
          institution_id: 'quarry-street-bank',
          institution_name: 'Quarry Street Bank',
        },
      }),
    );
  });

  it('report the exit of a session that moved to another window, and keep its notice until the user closes it', async () => {
    const session = new ScriptedSession({ kind: 'wait', stage: 'connecting', can_cancel: false });
    session.on('GET /session', () => failure(409, 'connect_error.session_moved'));
    const opened = await stage.open(session);
    expect(await ended(opened, 'exit')).toMatchObject({
      reason: 'moved',
      error: {
        error_id: 'connect_error.session_moved',
        displayed_message: 'Continued in another window',
      },
    });
    await opened.frame.getByRole('heading', { name: 'Continued in another window' }).waitFor();
    expect(await opened.heard('close')).toEqual([]);
    expect(session.callsTo('POST /session/exit')).toEqual([]);
    await opened.frame.locator('.primary').click();
    await eventually(async () => expect(await opened.heard('close')).toHaveLength(1));
    expect(await opened.heard('exit')).toHaveLength(1);
  });

  it('report the sentence of a code that was refused before the page was opened', async () => {
    const session = new ScriptedSession(OTP);
    session.show(OTP, { error: { code: 'invalid_code', text: 'Wrong.' }, attempts_left: 1 });
    const opened = await stage.open(session);
    await eventually(async () =>
      expect((await opened.heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.mfa_failed',
        displayed_message: 'That code wasn’t accepted.',
      }),
    );
  });

  it('report a bank that is no longer available as an error, and keep the list of banks', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.on('POST /session/step', () => failure(404, 'connect_error.institution_not_available'));
    const opened = await stage.open(session);
    await opened.frame.getByRole('option', { name: CREDENTIALS_BANK.name }).click();
    await opened.frame.locator('#refusal').waitFor();
    await eventually(async () =>
      expect((await opened.heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.institution_not_available',
      }),
    );
    expect(await opened.frame.getByRole('option').count()).toBeGreaterThan(3);
  });
});
