import { makeExtensionOffer } from '../../../domain/session/extension-offer.js';
import {
  ACCOUNTS,
  activities,
  CONSENT,
  OPEN,
  PREPARED,
  resetLinking,
  SHOWING,
  stage,
} from './support/linking-stage.js';

resetLinking();

describe('Linking activities', () => {
  it('show a question derived from the login, and store the grants of the previous answer', async () => {
    const shown = await activities.showQuestion({
      ...SHOWING,
      question: 'select_accounts',
      canGoBack: true,
      granted: ['transactions'],
    });
    await activities.showQuestion({ ...SHOWING, question: 'consent', canGoBack: false });
    expect(stage.steps).toMatchObject([
      { ...ACCOUNTS, id: 'st_4', can_go_back: true },
      { ...CONSENT, can_go_back: false },
    ]);
    expect(stage.granted).toEqual([['transactions'], undefined]);
    expect(JSON.stringify(shown)).not.toContain('canary');
    stage.questions.consent = null;
    await activities.showQuestion({ ...SHOWING, question: 'consent', canGoBack: false });
    expect(stage.steps.at(-1)).toMatchObject({ kind: 'error', error_id: 'connect_error.internal' });
  });

  it('finish with the answer to the last question', async () => {
    await activities.finishLinking({ ...SHOWING, refs: ['a1'] });
    await activities.finishLinking(SHOWING);
    expect(stage.finished).toEqual([
      { granted: null, refs: ['a1'] },
      { granted: null, refs: null },
    ]);
  });

  it('show the limit of links where the last answer would exceed it', async () => {
    expect(await activities.finishLinking({ ...SHOWING, sessionId: 'ses_full' })).toMatchObject({
      state: 'open',
    });
    expect(stage.steps).toMatchObject([
      { kind: 'error', error_id: 'connect_error.trial_limit_reached', actions: ['exit'] },
    ]);
    expect(stage.accepted).toBe(1);
  });

  it('report a duplicate when a bank is chosen or when another session was faster', async () => {
    expect(
      await activities.beginLogin({ sessionId: 'ses_1', institutionId: 'linked-before', seq: 3 }),
    ).toEqual({ problem: 'connect_error.duplicate_institution' });
    expect(await activities.finishLinking({ ...SHOWING, sessionId: 'ses_slower' })).toMatchObject({
      state: 'open',
    });
    expect(stage.steps).toMatchObject([
      {
        kind: 'error',
        error_id: 'connect_error.duplicate_institution',
        actions: ['choose_another', 'exit'],
      },
    ]);
  });

  it('ask before the login if the user has a link there, unless the user wants another one', async () => {
    const login = { sessionId: 'ses_1', institutionId: 'linked-there', seq: 3 };
    expect(await activities.beginLogin(login)).toEqual({ extensionAt: 'linked-there' });
    expect(await activities.beginLogin({ ...login, separateLink: true })).toMatchObject({
      linkId: 'mk_1',
    });
    expect(await activities.extendLink('ses_1')).toEqual({
      linkId: 'mk_there',
      state: 'error',
      error: 'auth_expired',
    });
    expect(await activities.extendLink('ses_alone')).toBeNull();
  });

  it('report whether the user is prompted to extend a link or has chosen to; another bank may still be chosen', async () => {
    const notExtended = { isExtension: false, lastStep: 'otp' };
    expect(await activities.loadSession('ses_1')).toMatchObject(notExtended);
    stage.prepared = {
      ...PREPARED,
      content: makeExtensionOffer({ mayExtend: true, mayLinkSeparately: true }),
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      isExtension: false,
      lastStep: 'extension',
      mayChooseAnother: true,
    });
    stage.prepared = null;
    stage.session = { ...OPEN, mode: 'relink' };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      isExtension: true,
      lastStep: null,
      mayChooseAnother: true,
    });
    stage.session = { ...OPEN, mode: 'relink', beganAs: 'relink' };
    const relink = await activities.loadSession('ses_1');
    expect(relink).toMatchObject({ mayChooseAnother: false, isExtension: false });
  });

  it('return the questions after the login only once the bank has accepted it', async () => {
    expect(await activities.loadSession('ses_1')).toMatchObject({ questions: [] });
    stage.session = { ...OPEN, bankAccepted: true, phase: 'asking' };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      questions: ['consent', 'select_accounts'],
    });
  });
});
