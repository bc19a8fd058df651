import { BANK, connectedLink, openSession, tenant } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

const ROWS = 1_200;
const USER = 'user/with ü';
const PATH = `/users/${encodeURIComponent(USER)}/export`;

apiOfFile();

let imported: string;
beforeAll(async () => {
  const account = {
    account_id: 'a',
    name: 'Savings',
    type: 'savings',
    balances: { currency: 'USD', current: '12345678901234567.89' },
  };
  const transactions = Array.from({ length: ROWS }, (_, index) => ({
    account_id: 'a',
    amount: '-4.50',
    date: '2026-02-01',
    transaction_id: `row-${index}`,
    description: `Row ${index}`,
  }));
  const response = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER, email: { address: 'ann@mail.example' } },
      institution_id: BANK,
      accounts: [account],
      transactions,
    },
  });
  imported = (response.body as { link_id: string }).link_id;
});

interface UserExport {
  customer_user: unknown;
  links: {
    link: { link_id: string; state: string };
    accounts: unknown[];
    transactions: { seq: number; replaced: boolean; transaction: { original_id: string } }[];
    webhook_events: { webhook_event: string }[];
  }[];
  sessions: { session_id: string; state: string }[];
}
const exported = async () => (await service.api.as(token).get(PATH)).body as UserExport;

describe('GET /users/{id}/export', () => {
  it('returns every transaction of a long history once, with amounts as stored', async () => {
    const response = await service.api.as(token).get(PATH);
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.text).toContain('12345678901234567.89');
    const [link] = (response.body as UserExport).links;
    expect(link?.link.link_id).toBe(imported);
    expect(new Set(link?.transactions.map(({ transaction }) => transaction.original_id)).size).toBe(
      ROWS,
    );
    expect(link?.transactions.map(({ seq }) => seq)).toEqual(
      Array.from({ length: ROWS }, (_, index) => index + 1),
    );
    expect(link?.webhook_events.map(({ webhook_event: name }) => name)).toEqual([
      'link.state_changed',
    ]);
  });

  it('includes deleted links while they are readable, and sessions in any state', async () => {
    const deleted = await connectedLink(service, token, { customer_user: { id: USER } });
    await service.api.as(token).delete(`/links/${deleted}`);
    const { sessionId } = await openSession(service, token, { customer_user: { id: USER } });
    const { links, sessions } = await exported();
    expect(links.map(({ link }) => [link.link_id, link.state])).toEqual([
      [imported, 'error'],
      [deleted, 'deleted'],
    ]);
    expect(links[1]).toMatchObject({ accounts: [], transactions: [] });
    expect(sessions).toContainEqual(
      expect.objectContaining({ session_id: sessionId, state: 'open' }),
    );
    await service.database.prisma.link.update({
      where: { linkId: deleted },
      data: { deletedAt: new Date(0) },
    });
    expect((await exported()).links.map(({ link }) => link.link_id)).toEqual([imported]);
  });

  it('contains nothing for an unknown user or a user of another app', async () => {
    const nothing = { customer_user: null, links: [], sessions: [] };
    expect((await service.api.as(token).get('/users/unknown/export')).body).toMatchObject(nothing);
    expect((await service.api.as(await service.token('rival')).get(PATH)).body).toMatchObject(
      nothing,
    );
    expect(
      (await service.api.as(await service.token('pocket-ledger', 'live')).get(PATH)).body,
    ).toMatchObject(nothing);
  });

  it('closes the connection when it fails after its first byte', async () => {
    const { pk } = await service.database.prisma.customerUser.findUniqueOrThrow({
      where: { appId_environment_userId: { ...tenant('pocket-ledger'), userId: USER } },
    });
    const link = await service.database.prisma.link.findFirstOrThrow({
      where: { customerUserPk: pk, linkId: imported },
    });
    const account = await service.database.prisma.account.findFirstOrThrow({
      where: { linkPk: link.pk },
    });
    await service.database.prisma.accountNumber.create({
      data: { accountPk: account.pk, sealed: Buffer.alloc(64) },
    });
    await service.database.prisma.dataKey.create({
      data: { owner: `link/${imported}`, masterKeyId: 'gone', wrapped: Buffer.alloc(60) },
    });
    await expect(service.api.as(token).get(PATH)).rejects.toThrow();
    await service.database.prisma.dataKey.delete({ where: { owner: `link/${imported}` } });
    expect((await exported()).links).toHaveLength(1);
  });
});
