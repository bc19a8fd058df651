import { APP_OVERVIEW } from '../../../apps/console-server/src/operations/apps/app-overview.js';
import {
  END_SECRET,
  ROTATE_SECRET,
} from '../../../apps/console-server/src/operations/pairs/change-secrets.js';
import { CREATE_PAIR } from '../../../apps/console-server/src/operations/pairs/create-pair.js';
import {
  DISABLE_PAIR,
  ENABLE_PAIR,
} from '../../../apps/console-server/src/operations/pairs/disable-pair.js';
import { LIST_PAIRS } from '../../../apps/console-server/src/operations/pairs/list-pairs.js';
import { MAX_PAIRS } from '../../../apps/console-server/src/operations/pairs/max-pairs.js';
import { SCOPES } from '../../../domain/api/scopes.js';
import { createContext } from '../../../prisma/base/context.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { matchingSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { MAX_LISTED_SECRETS } from '../../../prisma/tenants/applications/key-pair-page.js';
import { runCommand } from '../../support/actors/operator.js';
import { storage } from '../../support/fixtures/stored-link.js';
import {
  answered,
  APP,
  ask,
  env,
  instanceOfFile,
  OPERATOR,
  OWNER,
  recorded,
  refusal,
  service,
} from './support/instance-stage.js';

instanceOfFile();

const HOUR_MS = 3_600_000;
const tomorrow = () => new Date(Date.now() + 24 * HOUR_MS).toISOString();
const LIVE = { ...APP, env: 'live' };

const newPair = async (input: object = {}) => ask(CREATE_PAIR, { ...APP, ...input });
const pairOf = async (clientId: string, at: object = APP) => {
  const { pairs } = await ask(LIST_PAIRS, at);
  return pairs.find(({ client_id: id }) => id === clientId);
};
/** The secrets that sign in a key pair at a time. */
const working = async (clientId: string, now: Date) => {
  const sealer = new Sealer([{ id: 'test', key: storage.masterKey }]);
  const ctx = createContext(storage.ctx.database, sealer, { clock: () => now });
  return (await new ApplicationRepository(ctx).findClient(clientId))?.secrets ?? [];
};

describe('The overview of an app', () => {
  it('shows its settings, and the same use of each bound as `apps show`', async () => {
    await storage.ctx.database.prisma.appLimit.create({
      data: { appId: APP.app, environment: 'sandbox', bound: 'links', max: 7n },
    });
    const overview = await ask(APP_OVERVIEW, { app: APP.app }, { person: OWNER });
    expect(overview).toMatchObject({
      app_id: 'pocket-ledger',
      name: 'Pocket Ledger',
      logo_url: null,
      country: 'US',
      redirect_origins: [],
      page_origins: [],
      features: [],
      live_listening: false,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(overview.bounds).toContainEqual({
      environment: 'sandbox',
      name: 'links',
      used: 0,
      limit: 7,
      counted: 'now',
      set_by: 'apps limit',
    });
    const { stdout } = await runCommand(['apps', 'show', APP.app, '--json'], env);
    const printed = JSON.parse(stdout) as { bounds: { bound: string }[] };
    expect(overview.bounds.map(({ name: bound, ...use }) => ({ ...use, bound }))).toEqual(
      printed.bounds,
    );
  });

  it('of an unknown app is not found', async () => {
    await expect(ask(APP_OVERVIEW, { app: 'none' })).rejects.toEqual(
      refusal(404, 'console.app_not_found'),
    );
  });
});

describe('The list of key pairs', () => {
  it('shows limits and use of each, and of its users only their number', async () => {
    const { client_id: clientId } = await newPair({ label: 'reports' });
    await service.keyPairs.restrict(clientId, {
      scopes: ['links:read', 'sandbox:write'],
      restriction: { users: ['user-canary-1', 'user-canary-2'] },
      sharePercent: 40,
    });
    const [secret] = (await service.clientSecrets.list(clientId)) ?? [];
    const minute = new Date('2026-03-01T10:00:00Z');
    await service.clientSecrets.noteUse(secret?.secretId ?? '', minute);
    expect(await pairOf(clientId)).toEqual({
      client_id: clientId,
      environment: 'sandbox',
      label: 'reports',
      scopes: ['links:read'],
      restriction: { users: 2 },
      share_percent: 40,
      used_today: [],
      live_limit: 10,
      created_at: expect.stringMatching(/Z$/),
      ends_at: null,
      disabled_at: null,
      last_used_at: minute.toISOString(),
      secrets: [
        {
          secret_id: secret?.secretId,
          label: null,
          created_at: secret?.createdAt.toISOString(),
          ends_at: null,
          tokens_ended_at: null,
          last_used_at: minute.toISOString(),
        },
      ],
      has_more_secrets: false,
    });
    expect(answered.join()).not.toContain('user-canary');
  });

  it('shows what a pair has used today of its share of the limits of its app, and nothing of yesterday or of other pairs', async () => {
    const { client_id: clientId } = await newPair({ share_percent: 10 });
    const share = { clientId, percent: 10 };
    await storage.ctx.database.prisma.appLimit.create({
      data: { appId: APP.app, environment: 'sandbox', bound: 'sessions', max: 2_005n },
    });
    const tenant = { appId: APP.app, environment: 'sandbox' } as const;
    await service.appUse.take({ ...tenant, share }, { sessions: 3, replays: 5 });
    await service.appUse.release({ ...tenant, share }, { replays: 5 });
    await service.appUse.take(tenant, { sessions: 4 });
    await storage.ctx.database.prisma.appUse.create({
      data: {
        ...tenant,
        bound: 'test_events',
        day: new Date('2026-03-01T00:00:00Z'),
        slot: 0,
        clientId,
        used: 9n,
      },
    });
    expect((await pairOf(clientId))?.used_today).toEqual([
      { name: 'sessions', used: 3, limit: 200 },
    ]);
    const { client_id: whole } = await newPair();
    expect((await pairOf(whole))?.used_today).toEqual([]);
  });

  it('shows pairs of its environment alone, the oldest first', async () => {
    await newPair({ env: 'live' });
    const { pairs } = await ask(LIST_PAIRS, APP);
    expect(pairs.length).toBeGreaterThan(1);
    expect(pairs.every(({ client_id: id }) => id.startsWith('sandbox_'))).toBe(true);
    const times = pairs.map(({ created_at: time }) => time);
    expect(times).toEqual([...times].sort());
    expect((await ask(LIST_PAIRS, LIVE)).pairs).toHaveLength(1);
  });

  it('shows the newest secrets of a pair, and that there are others', async () => {
    const { client_id: clientId } = await newPair();
    await storage.ctx.database.prisma.clientSecret.createMany({
      data: Array.from({ length: MAX_LISTED_SECRETS }, (_, index) => ({
        secretId: `sec_many_${index}`,
        clientId,
        secretHash: 'sha256$',
        createdAt: new Date(Date.parse('2020-01-01T00:00:00Z') + index),
        endsAt: new Date('2020-01-02T00:00:00Z'),
      })),
    });
    const pair = await pairOf(clientId);
    expect([pair?.secrets.length, pair?.has_more_secrets]).toEqual([MAX_LISTED_SECRETS, true]);
    expect(pair?.secrets.map(({ secret_id: id }) => id)).not.toContain('sec_many_0');
    expect(pair?.secrets[1]?.secret_id).toBe(`sec_many_${MAX_LISTED_SECRETS - 1}`);
  });
});

describe('A created key pair', () => {
  it('signs in with the secret of its answer, within the limits that were asked for', async () => {
    const endsAt = tomorrow();
    const created = await newPair({
      label: 'CI',
      scopes: ['links:read'],
      ends_at: endsAt,
      share_percent: 10,
    });
    const stored = await service.applications.findClient(created.client_id);
    expect(stored?.scopes).toEqual(['links:read']);
    expect(matchingSecret(created.client_secret, stored?.secrets ?? [])).not.toBeNull();
    expect(await pairOf(created.client_id)).toMatchObject({
      label: 'CI',
      scopes: ['links:read'],
      ends_at: endsAt,
      share_percent: 10,
    });
  });

  it('has every scope and the whole share when no limit was asked for', async () => {
    const { client_id: clientId } = await newPair();
    expect(await pairOf(clientId)).toMatchObject({ scopes: null, share_percent: 100 });
    expect((await service.applications.findClient(clientId))?.scopes).toEqual(SCOPES);
  });

  it('for Live holds no links of its own when a person of its app creates it, since operators decide their number', async () => {
    const own = await ask(CREATE_PAIR, LIVE, { person: OWNER });
    expect(await pairOf(own.client_id, LIVE)).toMatchObject({ live_limit: 0 });
    const operators = await ask(CREATE_PAIR, LIVE, { person: OPERATOR });
    expect(await pairOf(operators.client_id, LIVE)).toMatchObject({ live_limit: 10 });
    const sandbox = await ask(CREATE_PAIR, APP, { person: OWNER });
    expect(await pairOf(sandbox.client_id)).toMatchObject({ live_limit: 10 });
  });

  it.each([
    ['an end that is over', { ends_at: '2020-01-01T00:00:00Z' }, 422, 'console.time_is_past'],
    ['an unknown app', { app: 'none' }, 404, 'console.app_not_found'],
  ])('is refused for %s', async (_, input, status, code) => {
    await expect(newPair(input)).rejects.toEqual(refusal(status, code));
  });

  it.each([
    ['an unknown scope', { scopes: ['everything'] }],
    ['no scope', { scopes: [] }],
    ['a share above the whole', { share_percent: 101 }],
    ['a label of two lines', { label: 'a\nb' }],
    ['an unknown environment', { env: 'production' }],
  ])('is refused for %s before it is recorded', async (_, input) => {
    const before = await recorded();
    await expect(newPair(input)).rejects.toMatchObject({ name: 'ZodError' });
    expect(await recorded()).toEqual(before);
  });

  it(`is refused once an app has ${MAX_PAIRS} in its environment`, async () => {
    const { prisma } = storage.ctx.database;
    await prisma.application.create({ data: { appId: 'crowded', name: 'Crowded' } });
    await prisma.apiClient.createMany({
      data: Array.from({ length: MAX_PAIRS }, (_, index) => ({
        clientId: `sandbox_crowded_${index}`,
        appId: 'crowded',
        environment: 'sandbox',
      })),
    });
    await expect(newPair({ app: 'crowded' })).rejects.toEqual(
      refusal(409, 'console.too_many_pairs'),
    );
    await newPair({ app: 'crowded', env: 'live' });
  });
});

describe('A rotation', () => {
  it('with an overlap leaves both secrets working until its end, and the new one after it', async () => {
    const pair = await newPair();
    const rotated = await ask(ROTATE_SECRET, {
      ...APP,
      client_id: pair.client_id,
      overlap: '24h',
      label: 'new',
    });
    const endsAt = new Date(rotated.others_end_at ?? 0);
    expect(endsAt.getTime() - Date.now()).toBeGreaterThan(23 * HOUR_MS);
    const before = await working(pair.client_id, new Date(endsAt.getTime() - 1));
    for (const secret of [pair.client_secret, rotated.client_secret])
      expect(matchingSecret(secret, before)).not.toBeNull();
    const after = await working(pair.client_id, endsAt);
    expect(matchingSecret(pair.client_secret, after)).toBeNull();
    expect(matchingSecret(rotated.client_secret, after)?.secretId).toBe(rotated.secret_id);
  });

  it('without an overlap ends the other secrets at once', async () => {
    const pair = await newPair();
    const rotated = await ask(ROTATE_SECRET, { ...APP, client_id: pair.client_id });
    const now = await working(pair.client_id, new Date());
    expect(matchingSecret(pair.client_secret, now)).toBeNull();
    expect(matchingSecret(rotated.client_secret, now)).not.toBeNull();
    expect(rotated.others_end_at).toBeNull();
  });

  it('is refused while five secrets work', async () => {
    const { client_id: clientId } = await newPair();
    const rotate = () => ask(ROTATE_SECRET, { ...APP, client_id: clientId, overlap: '1h' });
    for (let count = 2; count <= 5; count += 1) await rotate();
    await expect(rotate()).rejects.toEqual(refusal(409, 'console.too_many_secrets'));
  });

  it.each(['soon', '366d', '0s'])('is refused for the overlap %s', async (overlap) => {
    await expect(
      ask(ROTATE_SECRET, { ...APP, client_id: 'sandbox_pocket-ledger', overlap }),
    ).rejects.toMatchObject({ name: 'ZodError' });
  });
});

describe('The end of a secret', () => {
  it('ends it and, on request, its tokens, but never the only one that works', async () => {
    const { client_id: clientId } = await newPair();
    await ask(ROTATE_SECRET, { ...APP, client_id: clientId, overlap: '1h' });
    const [newest, old] = (await pairOf(clientId))?.secrets ?? [];
    const end = (secretId: unknown, tokens?: boolean) =>
      ask(END_SECRET, { ...APP, client_id: clientId, secret_id: secretId, tokens });
    expect(await end(old?.secret_id, true)).toMatchObject({
      secret_id: old?.secret_id,
      ends_at: expect.stringMatching(/Z$/),
      tokens_ended_at: expect.stringMatching(/Z$/),
    });
    await expect(end(newest?.secret_id)).rejects.toEqual(refusal(409, 'console.only_secret'));
    await expect(end('sec_none')).rejects.toEqual(refusal(404, 'console.secret_not_found'));
  });
});

describe('A disabled key pair', () => {
  it('refuses its secrets until it is enabled', async () => {
    const { client_id: clientId } = await newPair({ ends_at: tomorrow() });
    const input = { ...APP, client_id: clientId };
    expect(await ask(DISABLE_PAIR, { ...input, reason: 'lost' })).toEqual({
      client_id: clientId,
      disabled_at: expect.stringMatching(/Z$/),
      simplefin_tokens_revoked: 0,
      simplefin_tokens_left: 0,
    });
    expect((await service.applications.findClient(clientId))?.isActive).toBe(false);
    expect((await pairOf(clientId))?.disabled_at).not.toBeNull();
    const { ends_at: endsAt } = await ask(ENABLE_PAIR, input);
    expect(endsAt).toBe((await pairOf(clientId))?.ends_at);
    expect((await service.applications.findClient(clientId))?.isActive).toBe(true);
  });
});

describe('An operation on a key pair', () => {
  const operations = [ROTATE_SECRET, END_SECRET, DISABLE_PAIR, ENABLE_PAIR] as const;

  it.each(operations.map((operation) => [operation.call, operation] as const))(
    '%s answers for a pair of another app or environment as for one that does not exist, and leaves it',
    async (_, operation) => {
      const { prisma } = storage.ctx.database;
      await prisma.application.createMany({
        data: [{ appId: 'other', name: 'Other' }],
        skipDuplicates: true,
      });
      const pair = await newPair();
      const secrets = await service.clientSecrets.list(pair.client_id);
      const secret_id = secrets?.[0]?.secretId;
      const attempt = async (input: object) =>
        ask<typeof operation.input, unknown>(operation as never, { ...input, secret_id }).then(
          () => null,
          ({ status, code, message }: Record<string, unknown>) => ({ status, code, message }),
        );
      const unknown = await attempt({ ...APP, client_id: 'sandbox_none' });
      expect(unknown).toMatchObject({ status: 404, code: 'console.pair_not_found' });
      for (const foreign of [{ ...APP, app: 'other' }, LIVE]) {
        const answer = await attempt({ ...foreign, client_id: pair.client_id });
        expect({
          ...answer,
          message: String(answer?.['message']).replace(pair.client_id, 'sandbox_none'),
        }).toEqual(unknown);
      }
      expect(await service.clientSecrets.list(pair.client_id)).toEqual(secrets);
      expect((await pairOf(pair.client_id))?.disabled_at).toBeNull();
    },
  );

  it('leaves the same record as its command', async () => {
    const { client_id: clientId } = await newPair();
    await ask(ROTATE_SECRET, { ...APP, client_id: clientId, overlap: '1h' });
    const [, old] = (await pairOf(clientId))?.secrets ?? [];
    const from = (await recorded()).length;
    const id = { ...APP, client_id: clientId };
    const secretId = String(old?.secret_id);
    await newPair({ label: 'CI', scopes: ['links:read', 'links:write'], share_percent: 10 });
    await ask(ROTATE_SECRET, { ...id, overlap: '1h', label: 'next' });
    await ask(END_SECRET, { ...id, secret_id: secretId, tokens: true });
    await ask(DISABLE_PAIR, { ...id, simplefin: true, reason: 'it was in a log' });
    await ask(ENABLE_PAIR, id);
    const ofConsole = (await recorded()).slice(from);
    const scopes = ['--scope', 'links:read', '--scope', 'links:write'];
    for (const command of [
      ['create', APP.app, '--environment', 'sandbox', '--label', 'CI', ...scopes, '--rate', '10%'],
      ['rotate', clientId, '--overlap', '1h', '--label', 'next'],
      ['end-secret', clientId, secretId, '--tokens'],
      ['disable', clientId, '--simplefin', '--reason', 'it was in a log'],
      ['enable', clientId],
    ])
      expect(await runCommand(['--by', 'link:ann', 'clients', ...command], env)).toMatchObject({
        status: 0,
        stderr: '',
      });
    expect(ofConsole).toHaveLength(10);
    expect((await recorded()).slice(from + ofConsole.length)).toEqual(ofConsole);
  });
});

describe('A secret', () => {
  it('is in the answer that created it, and in no other answer or record', async () => {
    const created = await newPair();
    const input = { ...APP, client_id: created.client_id };
    const rotated = await ask(ROTATE_SECRET, { ...input, overlap: '1h' });
    const from = answered.length;
    await ask(LIST_PAIRS, APP);
    await ask(APP_OVERVIEW, { app: APP.app });
    const [, old] = (await pairOf(created.client_id))?.secrets ?? [];
    await ask(END_SECRET, { ...input, secret_id: old?.secret_id });
    await ask(DISABLE_PAIR, input);
    await ask(ENABLE_PAIR, input);
    const shown = answered.slice(from).join() + JSON.stringify(await recorded());
    expect(shown).toContain(created.client_id);
    for (const secret of ['sha256$', created.client_secret, rotated.client_secret])
      expect(shown).not.toContain(secret);
  });
});
