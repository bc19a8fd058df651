import { randomUUID } from 'node:crypto';
import { errorOf } from '../../support/services/api-client.js';
import { openSession } from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';
import {
  connect,
  exit,
  finish,
  invalid,
  select,
  service,
  session,
  set,
  startConnectCalls,
  step,
  token,
  viewOf,
} from './support/connect-calls.js';

startConnectCalls();

describe('POST /connect/api/session/step', () => {
  it.each([
    ['a missing seq', { request_id: randomUUID(), input: select() }, ['body.seq']],
    ['a missing request id', { seq: 1, input: select() }, ['body.request_id']],
    ['an invalid request id', { seq: 1, request_id: '1', input: select() }, ['body.request_id']],
    ['a missing input', { seq: 1, request_id: randomUUID() }, ['body.input']],
    [
      'an input without a kind',
      { seq: 1, request_id: randomUUID(), input: {} },
      ['body.input.kind'],
    ],
    [
      'an unknown kind',
      { seq: 1, request_id: randomUUID(), input: { kind: 'dance' } },
      ['body.input.kind'],
    ],
    [
      'a kind of another step',
      { seq: 1, request_id: randomUUID(), input: { kind: 'consent', granted: [] } },
      ['body.input.kind'],
    ],
    [
      'back on a step without a previous one',
      { seq: 1, request_id: randomUUID(), input: { kind: 'back' } },
      ['body.input.kind'],
    ],
    [
      'a missing institution',
      { seq: 1, request_id: randomUUID(), input: { kind: 'select_institution' } },
      ['body.input.institution_id'],
    ],
    [
      'an institution that is not a string',
      {
        seq: 1,
        request_id: randomUUID(),
        input: { kind: 'select_institution', institution_id: 7 },
      },
      ['body.input.institution_id'],
    ],
    [
      'a form whose values are not strings',
      { seq: 1, request_id: randomUUID(), input: { kind: 'form', values: { user: 1 } } },
      ['body.input.values.user'],
    ],
  ])('refuses %s', async (_title, json, locations) => {
    const before = await storedRows(service.database.pool);
    expect(errorOf(await connect.post('/connect/api/session/step', { json }))).toEqual({
      status: 422,
      code: invalid,
      locations,
    });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('refuses institutions the session may not use', async () => {
    for (const institution of ['no_one', 'live-bank', 'sandbox-oauth-bank']) {
      expect(errorOf(await step(select(institution)))).toMatchObject({
        status: 404,
        code: 'connect_error.institution_not_available',
      });
    }
    expect(viewOf(await connect.get('/connect/api/session'))).toMatchObject({
      seq: 1,
      step: { kind: 'select_institution' },
    });
    const british = await openSession(service, token, { settings: { countries: ['GB'] } });
    const refused = await service.api.as(british.connectToken).post('/connect/api/session/step', {
      json: { seq: british.seq, request_id: randomUUID(), input: select() },
    });
    expect(errorOf(refused)).toMatchObject({
      status: 404,
      code: 'connect_error.institution_not_available',
    });
  });

  it.each([0, 2, 99])(
    'refuses seq %d instead of 1, returns the view and changes nothing',
    async (seq) => {
      const { body: view } = await connect.get('/connect/api/session');
      const before = await storedRows(service.database.pool);
      const response = await step(select(), seq);
      expect(errorOf(response)).toMatchObject({ status: 409, code: 'connect_error.stale_step' });
      expect(response.body).toMatchObject({ view: view as object });
      expect(await storedRows(service.database.pool)).toEqual(before);
    },
  );

  it('refuses a second answer while one is in progress, and returns the view', async () => {
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    const response = await step(select());
    expect(errorOf(response)).toMatchObject({
      status: 409,
      code: 'connect_error.step_in_progress',
    });
    expect(response.body).toMatchObject({ view: { session_id: session.sessionId } });
  });

  it('refuses everything after success except a repetition', async () => {
    const requestId = randomUUID();
    expect(viewOf(await step(select('instant'), 1, requestId))).toMatchObject({
      seq: 2,
      step: { kind: 'success' },
    });
    expect(viewOf(await step(select('instant'), 1, requestId))).toMatchObject({
      seq: 2,
      step: { kind: 'success' },
    });
    expect(errorOf(await step(select(), 1))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
    expect(errorOf(await step(select(), 2))).toMatchObject({
      status: 410,
      code: 'connect_error.session_closed',
    });
    expect((await exit()).body).toEqual({ closed: true });
    expect(viewOf(await connect.get('/connect/api/session'))).toMatchObject({
      step: { kind: 'success' },
    });
  });

  it('refuses everything after the session expired', async () => {
    await set({ expiresAt: new Date(Date.now() - 1) });
    for (const response of [
      await step(select()),
      await connect.get('/connect/api/session'),
      await finish(),
      await connect.get('/connect/api/institutions'),
    ]) {
      expect(errorOf(response)).toMatchObject({
        status: 410,
        code: 'connect_error.session_expired',
      });
    }
    expect((await exit()).body).toEqual({ closed: true });
  });

  it('returns the current step when the workflow takes longer', async () => {
    service.steps.next = { kind: 'waiting' };
    expect(viewOf(await step(select()))).toMatchObject({ seq: 1 });
  });
});

describe('The credentials a user enters', () => {
  const form = {
    kind: 'form' as const,
    purpose: 'credentials' as const,
    help_url: null,
    reset_url: null,
    fields: [
      {
        name: 'password',
        label: 'Password',
        type: 'password' as const,
        required: true,
        secret: true,
        autocomplete: 'current-password',
        max_length: 20,
        pattern: null,
        options: null,
      },
    ],
  };

  it('are validated against the form, and reach the workflow only as a reference', async () => {
    await service.steps.show(session.sessionId, 2, form);
    expect(errorOf(await step({ kind: 'form', values: {} }, 2))).toMatchObject({
      status: 422,
      locations: ['body.input.values.password'],
    });
    expect(
      errorOf(await step({ kind: 'form', values: { password: 'x'.repeat(21) } }, 2)),
    ).toMatchObject({ status: 422, locations: ['body.input.values.password'] });
    const requestId = randomUUID();
    expect(
      (await step({ kind: 'form', values: { password: 'canary-password' } }, 2, requestId)).status,
    ).toBe(200);
    expect(service.steps.received.at(-1)).toEqual({
      seq: 2,
      requestId,
      input: { kind: 'form', sealedAs: requestId },
    });
    const { rows } = await service.database.pool.query<{ sealed: Buffer }>(
      "SELECT sealed FROM session_secrets WHERE session_id = $1 AND kind = 'answer'",
      [session.sessionId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed.includes('canary-password')).toBe(false);
    expect(service.log()).not.toContain('canary-password');
  });
});
