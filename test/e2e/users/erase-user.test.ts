import { randomUUID } from 'node:crypto';
import { linkCredentialsBank } from '../../support/actors/credentials-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, call, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, truth, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { withoutSchedule } from '../../support/assertions/without-schedule.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

/** Data that only one user has. */
function person() {
  const mark = randomUUID();
  const phoneNumber = `+1614${String(Math.floor(Math.random() * 9e6) + 1e6)}`;
  const accountNumber = String(Math.floor(Math.random() * 9e11) + 1e11);
  return {
    mark,
    id: `ann.${mark}@mail.example`,
    email: `second.${mark}@mail.example`,
    phoneNumber,
    accountNumber,
    accountName: `Account ${mark}`,
    ownerName: `Owner ${mark}`,
    importedName: `Imported ${mark}`,
    description: `Bought ${mark}`,
    partyName: `Party ${mark}`,
    partyNumber: String(Math.floor(Math.random() * 9e11) + 1e11),
    merchantName: `Merchant ${mark}`,
    memo: `Text ${mark}`,
    reference: `Ref ${mark}`,
    mandate: `Mandate ${mark}`,
    creditorReference: `Creditor ${mark}`,
    checkNumber: `Check ${mark}`,
    balance: String(Math.floor(Math.random() * 9e11) + 1e11),
    importedParty: `Imported party ${mark}`,
    tag: `tag-${mark}`,
    font: `Font ${mark}`,
  };
}
type Person = ReturnType<typeof person>;

const customerUser = ({ id, email, phoneNumber }: Person) => ({
  id,
  email: { address: email },
  phone: { number: phoneNumber, country: 'US' },
});

const ALL_AT_ONCE = {
  products_settings: {
    account_numbers: { prefetch: true },
    identity: { prefetch: true },
    transactions: { prefetch: true },
  },
};

serviceOfFile();

let other: AppBackEnd;
let receiver: WebhookReceiver;
beforeAll(async () => {
  other = new AppBackEnd(
    service.info.base_url,
    (await operate<StandaloneApp>(service.dataDir, 'apps', 'create', '--name', 'Another app'))
      .sandbox,
  );
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
});
afterAll(() => receiver?.stop());

interface UserExport {
  customer_user: { id: string; email: unknown; phone: unknown } | null;
  links: {
    link: { link_id: string };
    accounts: { name: string; owners: { names: string[] }[]; numbers: unknown }[];
    transactions: { transaction: { description: string } | null }[];
    webhook_events: { webhook_event: string }[];
  }[];
  sessions: { session_id: string; state: string; theme: unknown }[];
}

const of = (userId: string, what = '') => `/users/${encodeURIComponent(userId)}${what}`;
const exportOf = (back: AppBackEnd, userId: string) => back.get<UserExport>(of(userId, '/export'));

/** Links at a bank and by import, one opened session and one unopened one. */
async function store(
  back: AppBackEnd,
  one: Person,
): Promise<{ linkIds: string[]; visit: ConnectVisit }> {
  const customer_user = customerUser(one);
  const webhook = receiver.url(`/hooks?user=${encodeURIComponent(one.id)}`);
  const custom = {
    accounts: [
      {
        account_type: 'depository.checking',
        name: one.accountName,
        account_number: one.accountNumber,
        balances: { currency: 'USD', current: Number(one.balance) },
      },
    ],
    owners: [{ names: [one.ownerName] }],
    transactions: [
      {
        account: 0,
        date: new Date().toISOString().slice(0, 10),
        amount: 4.5,
        type: 'debit',
        counterparty: { name: one.partyName, numbers: { account_number: one.partyNumber } },
        merchant: { name: one.merchantName },
        remittance: one.memo,
        references: {
          end_to_end: one.reference,
          mandate: one.mandate,
          creditor: one.creditorReference,
          check_number: one.checkNumber,
        },
      },
    ],
  };
  const { linkId } = await linkCredentialsBank(back, 'user_custom', {
    ...ALL_AT_ONCE,
    customer_user,
    webhook,
    tags: [one.tag],
    custom_sandbox_data: custom,
  });
  for (const product of ['account_numbers', 'identity', 'transactions'])
    await back.untilRefreshed(linkId, product);
  const account = {
    account_id: 'a',
    name: one.importedName,
    type: 'savings',
    balances: { currency: 'USD' },
  };
  const rows = [
    {
      account_id: 'a',
      amount: '-4.50',
      date: '2026-02-01',
      description: one.description,
      counterparty: { name: one.importedParty },
    },
  ];
  const imported = await expectStatus(
    200,
    back.call<{ link_id: string }>('POST', '/links/import', {
      body: {
        customer_user,
        institution_id: 'sandbox-instant-bank',
        accounts: [account],
        transactions: rows,
        webhook,
        tags: [one.tag],
      },
    }),
  );
  const hosted = { return_url: `https://app.example/${one.mark}` };
  await back.createSession({ customer_user, webhook, tags: [one.tag], hosted });
  const session = await back.createSession({ customer_user, webhook, tags: [one.tag] });
  return {
    linkIds: [linkId, imported.link_id],
    visit: await ConnectVisit.open(back.baseUrl, session.link_session_token),
  };
}

/** The tables that contain a text. */
async function tablesWith(needles: readonly string[]): Promise<string[]> {
  const dump = Object.entries(await truth.dump());
  return dump.flatMap(([table, text]) =>
    needles.filter((needle) => text.includes(needle)).map((needle) => `${table}: ${needle}`),
  );
}

/** Skips the time in which a worker may still write for a finished session. */
const passTime = (appId: string) =>
  truth.rows(
    `UPDATE link_sessions s SET ended_at = now() - interval '1 hour' FROM user_erasures e
    WHERE e.app_id = $1 AND s.customer_user_pk = e.customer_user_pk AND s.ended_at > now() - interval '1 hour'`,
    [appId],
  );

async function untilErased(linkIds: readonly string[]): Promise<void> {
  const { app_id: appId } = service.app;
  await eventually(async () => {
    await passTime(appId);
    for (const linkId of linkIds)
      expect(await app.call('GET', `/links/${linkId}`)).toMatchObject({
        status: 404,
        body: { error_code: 'link_error.not_found' },
      });
    expect(
      await truth.rows('SELECT 1 FROM user_erasures WHERE app_id = $1 AND erased_at IS NULL', [
        appId,
      ]),
    ).toEqual([]);
  });
}

describe('DELETE /users/{id}', () => {
  it('erases everything stored about one user, and nothing about another', async () => {
    const [ann, bob] = [person(), person()];
    const { linkIds, visit } = await store(app, ann);
    await store(app, bob);
    const sameElsewhere = await linkInstantBank(other, {
      customer_user: { id: ann.id, email: { address: ann.email } },
    });
    await other.untilRefreshed(sameElsewhere.linkId, 'transactions');

    const before = await exportOf(app, ann.id);
    const text = JSON.stringify(before);
    for (const value of Object.values(ann).filter((one) => one !== ann.font))
      expect(text).toContain(value);
    expect(before.links.map(({ link }) => link.link_id)).toEqual(linkIds);
    expect(before.sessions.map(({ state }) => state).sort()).toEqual(['created', 'ended', 'open']);
    expect(text).not.toMatch(/sandbox_(ls|xt|ct|at|cs)_/);
    const others = async () =>
      withoutSchedule(
        [await exportOf(app, bob.id), await exportOf(other, ann.id)].map(
          ({ customer_user, links, sessions }) => ({ customer_user, links, sessions }),
        ),
      );
    const untouched = await others();

    expect((await app.call('DELETE', of(ann.id))).status).toBe(202);
    expect(await app.get(of(ann.id, '/links'))).toEqual({ links: {}, next_cursor: '' });
    expect(await app.get(of(ann.id, '/accounts'))).toEqual({ links: {}, next_cursor: '' });
    expect(await app.get(of(ann.id, '/export'))).toMatchObject({
      customer_user: null,
      links: [],
      sessions: [],
    });
    await untilErased(linkIds);

    // In the other app the same id belongs to another user.
    const found = await tablesWith([
      ann.mark,
      ann.accountNumber,
      ann.partyNumber,
      Buffer.from(ann.partyNumber).toString('hex'),
      ann.balance,
      ann.phoneNumber,
    ]);
    expect(found).toEqual([`public.customer_users: ${ann.mark}`]);
    for (const table of ['connection', 'login']) {
      const known = `SELECT customer_reference FROM sandbox_bank.${table} WHERE customer_reference = $1`;
      expect(await truth.rows(known, [ann.id])).toEqual([]);
    }
    const {
      app: { app_id: otherApp },
    } = await other.get<{ app: { app_id: string } }>('/auth/introspect');
    expect(
      await truth.rows('SELECT app_id FROM customer_users WHERE user_id = $1', [ann.id]),
    ).toEqual([{ app_id: otherApp }]);
    expect(
      (
        await truth.rows(
          "SELECT 1 FROM data_keys WHERE owner LIKE '%' || $1 OR owner LIKE '%' || $2",
          linkIds,
        )
      ).length,
    ).toBe(0);
    expect(
      await truth.rows(
        'SELECT customer_user_pk, erased_at IS NOT NULL AS erased FROM user_erasures WHERE app_id = $1',
        [service.app.app_id],
      ),
    ).toEqual([{ customer_user_pk: null, erased: true }]);
    expect(await others()).toEqual(untouched);

    expect(
      (await call(app.baseUrl, 'GET', '/connect/api/session', { bearer: visit.connectToken }))
        .status,
    ).toBe(401);
    for (const linkId of linkIds) {
      const deleted = await eventually(() => {
        const found = receiver.verified.find(
          (body) => body.link_id === linkId && body['state'] === 'deleted',
        );
        if (found === undefined) throw new Error(`the end of ${linkId} was not announced`);
        return found;
      });
      expect(deleted).toMatchObject({ webhook_event: 'link.state_changed', link_tags: [] });
    }
  });

  it('makes a later session with the same id belong to a new user', async () => {
    const ann = person();
    const { linkId } = await linkInstantBank(app, { customer_user: customerUser(ann) });
    expect((await app.call('DELETE', of(ann.id))).status).toBe(202);
    const again = await linkInstantBank(app, { customer_user: { id: ann.id } });
    expect(again.exchanged.customer_user).toEqual({ id: ann.id });
    await untilErased([linkId]);
    const { customer_user: user, links } = await exportOf(app, ann.id);
    expect(user).toMatchObject({ id: ann.id, email: null, phone: null });
    expect(links.map(({ link }) => link.link_id)).toEqual([again.linkId]);
  });

  it('returns 202 for an unknown user, and for one already erased', async () => {
    const ann = person();
    await app.createSession({ customer_user: customerUser(ann) });
    for (const id of [ann.id, ann.id, randomUUID()])
      expect(await app.call('DELETE', of(id))).toMatchObject({
        status: 202,
        body: { unrevoked_permissions: [] },
      });
  });

  it('requires the scope users:write, and the export users:read', async () => {
    const scoped = async (scope: string) =>
      (await expectStatus(201, app.fetchToken(scope))).access_token;
    expect(
      (await app.call('DELETE', of('x'), { bearer: await scoped('users:read links:write') }))
        .status,
    ).toBe(401);
    expect(
      (await app.call('DELETE', of('x'), { bearer: await scoped('users:write') })).status,
    ).toBe(202);
    expect(
      (await app.call('GET', of('x', '/export'), { bearer: await scoped('users:write') })).status,
    ).toBe(401);
  });
});

describe('A finished session', () => {
  it('keeps neither its theme nor its sandbox data', async () => {
    const ann = person();
    const custom = {
      accounts: [
        {
          account_type: 'depository.checking',
          name: ann.accountName,
          account_number: ann.accountNumber,
        },
      ],
    };
    await linkCredentialsBank(app, 'user_custom', {
      customer_user: { id: ann.id },
      custom_sandbox_data: custom,
      settings: { theme: { heading_font: ann.font } },
    });
    expect((await exportOf(app, ann.id)).sessions).toMatchObject([
      { state: 'ended', theme: null, custom_sandbox_data: null },
    ]);
    expect(await tablesWith([ann.font])).toEqual([]);
  });
});
