import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabaseRoles, cannotRunPsql } from '../../support/packaging/database-roles.js';
import { queryAt } from '../../support/services/postgres.mjs';
import type { DatabaseRoles } from '../../support/packaging/database-roles.js';
import { sharedDatabaseServer } from '../../support/services/embedded-services.js';

const missing = cannotRunPsql();
const title = 'the roles of deploy/postgres/roles.sql';

(missing === undefined ? describe : describe.skip)(
  missing === undefined ? title : `${title} (${missing})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-roles-'));
    const secrets = join(folder, 'secrets');
    let roles: DatabaseRoles;

    beforeAll(async () => {
      execFileSync('sh', ['deploy/compose/make-secrets.sh', secrets]);
      roles = await createDatabaseRoles(sharedDatabaseServer(), secrets);
      expect(await roles.migrate()).toMatch(/^Applied /);
    });

    afterAll(async () => {
      await roles.drop();
      rmSync(folder, { recursive: true });
    });

    const refused = async (url: string, statements: readonly string[]): Promise<void> => {
      for (const statement of statements)
        await expect(queryAt(url, statement)).rejects.toThrow(/permission denied|must be owner/);
    };

    it('let the service read and write every table of the migrations, and no more', async () => {
      const tables = await queryAt<{ name: string }>(
        roles.owner,
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
      );
      expect(tables.length).toBeGreaterThan(30);
      const rights = await queryAt<{ name: string; rights: string }>(
        roles.service,
        `SELECT relname AS name, concat_ws(',', ${[
          'SELECT',
          'INSERT',
          'UPDATE',
          'DELETE',
          'TRUNCATE',
          'TRIGGER',
          'REFERENCES',
        ]
          .map((right) => `CASE WHEN has_table_privilege(oid, '${right}') THEN '${right}' END`)
          .join(', ')}) AS rights
           FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
      );
      const unusual = rights.filter((table) => table.rights !== 'SELECT,INSERT,UPDATE,DELETE');
      expect(unusual).toEqual([{ name: 'operator_actions', rights: 'SELECT,INSERT' }]);
    });

    it('deny the service every change of the schema', async () => {
      await refused(roles.service, [
        'CREATE TABLE intruder (id int)',
        'ALTER TABLE links ADD COLUMN intruder int',
        'DROP TABLE links',
        'TRUNCATE links CASCADE',
        'CREATE INDEX ON links (link_id)',
        'CREATE SCHEMA intruder',
        'CREATE EXTENSION btree_gin',
        'CREATE ROLE intruder',
        `UPDATE operator_actions SET actor = 'x'`,
        'DELETE FROM operator_actions',
        'SELECT * FROM sandbox_bank.schema_step',
      ]);
    });

    it('let the service number its rows, and keep the record of operators', async () => {
      await queryAt(
        roles.service,
        `INSERT INTO operator_actions (actor, action, subject, outcome) VALUES ('a', 'b', 'c', 'd')`,
      );
      expect(await queryAt(roles.service, 'SELECT actor FROM operator_actions')).toEqual([
        { actor: 'a' },
      ]);
    });

    it('let the service use a table of a later migration', async () => {
      await queryAt(roles.owner, 'CREATE TABLE later (id bigserial PRIMARY KEY, word text)');
      await queryAt(roles.service, `INSERT INTO later (word) VALUES ('hello')`);
      expect(await queryAt(roles.service, 'SELECT word FROM later')).toEqual([{ word: 'hello' }]);
      await refused(roles.service, ['DROP TABLE later', 'ALTER TABLE later ADD COLUMN more int']);
    });

    it('let the sandbox bank do everything in its schema, and nothing outside of it', async () => {
      await queryAt(roles.bank, 'CREATE TABLE sandbox_bank.try (id int)');
      await refused(roles.bank, [
        'SELECT * FROM links',
        'CREATE TABLE public.intruder (id int)',
        'CREATE SCHEMA intruder',
      ]);
    });

    it('leave advisory locks, large objects, temporary tables and pg_notify to the service', async () => {
      await refused(roles.bank, [
        'SELECT pg_advisory_lock(7201, 1)',
        'SELECT pg_try_advisory_xact_lock_shared(1)',
        'SELECT lo_create(0)',
        `SELECT lo_from_bytea(0, 'x')`,
        'CREATE TEMPORARY TABLE intruder (id int)',
        `SELECT pg_notify('client_changed', '')`,
      ]);
      for (const url of [roles.owner, roles.service]) {
        await queryAt(url, 'SELECT pg_advisory_xact_lock(7201, 1)');
        await queryAt(url, `SELECT pg_notify('client_changed', '')`);
      }
    });

    it('let Temporal create its tables in databases that the other roles cannot enter', async () => {
      for (const url of [roles.temporal, roles.visibility]) {
        await queryAt(url, 'CREATE TABLE executions (id int)');
        await queryAt(url, 'CREATE EXTENSION IF NOT EXISTS btree_gin');
        const asService = new URL(roles.service);
        asService.pathname = new URL(url).pathname;
        await expect(queryAt(asService.href, 'SELECT 1')).rejects.toThrow('permission denied');
      }
      const asTemporal = new URL(roles.temporal);
      asTemporal.pathname = new URL(roles.owner).pathname;
      await expect(queryAt(asTemporal.href, 'SELECT 1')).rejects.toThrow('permission denied');
    });

    it('change nothing when they are created again', async () => {
      await roles.repeat();
      await refused(roles.service, ['DELETE FROM operator_actions', 'DROP TABLE links']);
      expect(await roles.migrate()).toBe('The database is up to date.\n');
    });

    it('are refused under the name of a superuser, whose password stays', async () => {
      const { username } = new URL(sharedDatabaseServer());
      await expect(roles.repeat({ owner: username })).rejects.toThrow(
        `${username} is a superuser: choose another name`,
      );
      expect(await queryAt(sharedDatabaseServer(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it('have passwords in files that make-secrets.sh creates once, in a folder of their owner', () => {
      const before = readFileSync(join(secrets, 'service_database_url'), 'utf8');
      const printed = execFileSync('sh', ['deploy/compose/make-secrets.sh', secrets]).toString();
      expect(printed).toBe('');
      expect(readFileSync(join(secrets, 'service_database_url'), 'utf8')).toBe(before);
      expect(statSync(secrets).mode & 0o777).toBe(0o700);
      expect(before.trim()).toMatch(
        /^postgresql:\/\/tributary_service:[0-9a-f]{48}@postgres:5432\/tributary$/,
      );
    });
  },
);
