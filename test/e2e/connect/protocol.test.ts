// cspell:ignore instnat
import { randomUUID } from 'node:crypto';
import { ConnectVisit, INSTANT_BANK } from '../../support/actors/link-journey.js';
import { app, serviceOfFile, truth } from '../../support/fixtures/sandbox-service.js';
import { newVisit, storedSession } from './support/visits.js';

const SELECT = { kind: 'select_institution', institution_id: INSTANT_BANK };

serviceOfFile();

describe('The seq of a session (connect 5, rule 1)', () => {
  it('starts at 1, increases by one with every step and continues after an exit', async () => {
    const { link_session_token: token } = await app.createSession();
    const seen: number[] = [];
    for (let opening = 0; opening < 3; opening += 1) {
      const one = await ConnectVisit.open(app.baseUrl, token);
      seen.push(one.view.seq);
      await one.exit();
    }
    const last = await ConnectVisit.open(app.baseUrl, token);
    seen.push(last.view.seq);
    expect(seen[0]).toBe(1);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(await last.select()).toMatchObject({ seq: 5, step: { kind: 'success', id: 'st_5' } });
  });
});

describe('A repeated request_id (connect 5, rule 3)', () => {
  it('sent three times at once, and again later, is one action with one outcome', async () => {
    const one = await newVisit(app, { customer_user: { id: randomUUID() } });
    const requestId = randomUUID();
    const responses = await Promise.all([1, 2, 3].map(() => one.submit(SELECT, { requestId })));
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 200, body: responses[0]?.body });
    one.view = responses[0]?.body ?? one.view;
    expect((await one.settle()).step.kind).toBe('success');
    expect(await one.submit(SELECT, { requestId })).toMatchObject({ status: 200, body: one.view });
    expect(await storedSession(truth, one.view.session_id)).toEqual({
      seq: 2,
      steps_taken: 1,
      state: 'succeeded',
      links: '1',
    });
  });
});

describe('The institution search', () => {
  it('finds a bank by the beginning of its name, also misspelled, and nothing for nonsense', async () => {
    const one = await newVisit(app);
    const found = async (q: string) =>
      (
        await one.call<{
          institutions: { institution_id: string }[];
          cursor: { next: string | null };
        }>('GET', `/institutions?q=${encodeURIComponent(q)}`)
      ).body;
    const instant = {
      institution_id: INSTANT_BANK,
      name: 'Instant Bank',
      login: 'none',
      health: 'operational',
    };
    for (const q of ['inst', 'Instant Bank', 'instnat'])
      expect(await found(q)).toMatchObject({ institutions: [instant], cursor: { next: null } });
    // OAuth Bank needs a redirect_uri.
    for (const q of ['', 'bank'])
      expect(await found(q)).toMatchObject({
        institutions: [
          { institution_id: 'sandbox-credentials-bank', login: 'credentials' },
          instant,
        ],
      });
    for (const q of ['zzzzzz', '%', '____', '\\'])
      expect({ q, found: (await found(q)).institutions }).toEqual({ q, found: [] });
    expect(
      (
        await (
          await newVisit(app, { settings: { countries: ['GB'] } })
        ).call<{ institutions: unknown[] }>('GET', '/institutions')
      ).body.institutions,
    ).toEqual([]);
  });
});
