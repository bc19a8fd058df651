import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import {
  app,
  sandbox,
  service,
  serviceOfFile,
  truth,
} from '../../support/fixtures/sandbox-service.js';
import { onConnection } from '../../support/services/postgres.mjs';

const CREDENTIALS_BANK = 'sandbox-credentials-bank';

interface Secrets {
  master_keys: string;
  sandbox_bank: { secret: string; database_role: string; database_password: string };
}

serviceOfFile();

let secrets: Secrets;
beforeAll(() => {
  secrets = JSON.parse(readFileSync(join(service.dataDir, 'secrets.json'), 'utf8')) as Secrets;
});

describe('The id of a world', () => {
  const callBank = (
    method: string,
    path: string,
    { secret, json }: { secret?: string; json?: unknown } = {},
  ) =>
    fetch(`${service.info.sandbox_bank_control_url}${path}`, {
      method,
      headers: {
        ...(secret === undefined ? {} : { 'sandbox-bank-secret': secret }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });

  it("allows no one to create a fault or delete data at the bank, not even with the bank's secret", async () => {
    const { world_id: world } = await sandbox.world({ name: 'known to a stranger' });
    const { link_id: linkId } = await sandbox.link({
      world_id: world,
      customer_user: { id: 'user-1' },
    });
    const faults = `/v1/institutions/${CREDENTIALS_BANK}/faults`;
    const fault = {
      fault_id: 'fault-of-a-stranger',
      world,
      operation: 'any',
      kind: 'provider_down',
      count: null,
      delay_seconds: 0,
      retry_after_seconds: null,
    };
    expect((await callBank('POST', faults, { json: fault })).status).toBe(401);
    expect((await callBank('DELETE', `/v1/worlds/${world}`)).status).toBe(401);

    const { secret } = secrets.sandbox_bank;
    expect((await callBank('POST', faults, { secret, json: fault })).status).toBe(404);
    expect((await callBank('DELETE', `/v1/worlds/${world}`, { secret })).status).toBe(204);
    await sandbox.advance(world, { by: 'P1D' });
    expect((await app.link(linkId)).state).toBe('connected');
    expect(
      await sandbox.ask(
        'GET',
        `/sandbox/institutions/${CREDENTIALS_BANK}/faults?world_id=${world}`,
      ),
    ).toEqual({ faults: [] });
  });
});

describe('The database role of the sandbox bank', () => {
  async function asBank<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const url = new URL(service.info.database_url);
    url.username = secrets.sandbox_bank.database_role;
    url.password = secrets.sandbox_bank.database_password;
    return onConnection(url.href, work);
  }

  it('owns its schema, and can read or write no other table', async () => {
    await asBank(async (client) => {
      expect((await client.query('select 1 from sandbox_bank.world')).rowCount).toBeGreaterThan(0);
      for (const statement of [
        'select 1 from public.links',
        'delete from public.sandbox_worlds',
        'create schema another',
        'create table public.own (a int)',
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      const { rows } = await client.query(
        `select schemaname, tablename from pg_tables
          where schemaname not in ('sandbox_bank', 'pg_catalog', 'information_schema')
            and has_table_privilege(format('%I.%I', schemaname, tablename), 'select, insert, update, delete, truncate')`,
      );
      expect(rows).toEqual([]);
    });
  });

  it.each([
    ['temporary tables', ['create temporary table own (a int)', 'select 1 into temp own']],
    [
      'advisory locks',
      [
        'select pg_advisory_lock(1)',
        'select pg_advisory_lock_shared(1)',
        'select pg_advisory_xact_lock(7201, 1)',
        'select pg_try_advisory_lock(7201, 1)',
        'select pg_try_advisory_xact_lock_shared(1)',
        'select pg_advisory_unlock_all()',
      ],
    ],
    [
      'large objects',
      [
        'select lo_create(0)',
        'select lo_creat(-1)',
        `select lo_from_bytea(0, 'x')`,
        'select lo_open(1, 131072)',
        'select lo_unlink(1)',
      ],
    ],
    ['pg_notify', [`select pg_notify('client_changed', '')`]],
  ])('has no %s', async (_, statements) => {
    await asBank(async (client) => {
      for (const statement of statements)
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('may call none of the functions for advisory locks, large objects and notifications', async () => {
    await asBank(async (client) => {
      const { rows } = await client.query(
        `select oid::regprocedure::text from pg_proc
          where proname ~ '(advisory|^lo_|^lo(read|write)$|notify)' and prokind = 'f'
            and pronamespace = 'pg_catalog'::regnamespace and proname <> 'pg_notification_queue_usage'
            and has_function_privilege(oid, 'execute')`,
      );
      expect(rows).toEqual([]);
    });
  });

  it('receives no notification of the service, whose channels it cannot name, and disturbs no call by sending some', async () => {
    await asBank(async (client) => {
      const heard: string[] = [];
      client.on('notification', ({ payload = '' }) => heard.push(payload));
      const channels = ['link_session', 'outbox', 'client_changed', 'webhook_delivery'];
      for (const channel of [...channels, 'provider_configuration']) {
        await client.query(`listen ${channel}`);
        for (const payload of ['', 'unknown', '{"odd":', 'x'.repeat(7_000)])
          await client.query(`notify ${channel}, ${client.escapeLiteral(payload)}`);
      }
      const own = heard.length;
      const sent = await truth.listenTo('outbox', async () => {
        const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'user-2' } });
        expect((await app.link(linkId)).state).toBe('connected');
      });
      expect(sent.length).toBeGreaterThan(0);
      // Any notification would have been received before the response to this.
      await client.query('select 1');
      expect(heard.slice(own)).toEqual([]);
      await expect(client.query('select suffix from notification_channels')).rejects.toThrow(
        /permission denied/,
      );
      for (const channel of channels) await client.query(`notify ${channel}`);
    });
  });

  it('may log in and do nothing more', async () => {
    expect(
      await truth.rows(
        'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = $1',
        [secrets.sandbox_bank.database_role],
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    expect(
      await truth.rows(
        'select 1 from pg_auth_members m join pg_roles r on r.oid = m.member where r.rolname = $1',
        [secrets.sandbox_bank.database_role],
      ),
    ).toEqual([]);
  });
});

(!existsSync('/proc/self/environ') ? describe.skip : describe)(
  'The environment of a process',
  () => {
    const environmentOf = (part: 'api' | 'worker' | 'sandbox_bank'): Record<string, string> => {
      const pid = service.info.processes[part];
      const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return Object.fromEntries(
        lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
      );
    };

    it('contains, for the sandbox bank, neither the master keys nor access to the rest of the database', () => {
      const environment = environmentOf('sandbox_bank');
      for (const name of ['MASTER_KEYS', 'DATABASE_URL', 'TEMPORAL_ADDRESS'])
        expect(environment).not.toHaveProperty(name);
      const values = Object.values(environment).join('\n');
      expect(values).not.toContain(secrets.master_keys);
      expect(values).not.toContain(new URL(service.info.database_url).password);
      expect(environment['SANDBOX_BANK_DATABASE_URL']).toContain(
        secrets.sandbox_bank.database_role,
      );
    });

    it('contains the secret of the sandbox bank only where it is needed', () => {
      const { secret, database_password: password } = secrets.sandbox_bank;
      for (const part of ['worker', 'sandbox_bank'] as const)
        expect(environmentOf(part)['SANDBOX_BANK_SECRET']).toBe(secret);
      expect(Object.values(environmentOf('api'))).not.toContain(secret);
      for (const part of ['api', 'worker'] as const)
        expect(Object.values(environmentOf(part)).join('\n')).not.toContain(password);
    });

    it('contains nothing else of the shell that started the service', () => {
      // A variable of the test run that is not a setting.
      expect(process.env).toHaveProperty('TEST_SHARED_SERVICES');
      for (const part of ['api', 'worker', 'sandbox_bank'] as const) {
        expect(
          Object.keys(environmentOf(part)).filter((name) =>
            /^(TEST_|npm_|JEST|TINYPOOL)/.test(name),
          ),
        ).toEqual([]);
      }
    });
  },
);
