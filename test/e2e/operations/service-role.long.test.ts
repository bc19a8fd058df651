import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  cannotRunPsql,
  createDatabaseRoles,
  type DatabaseRoles,
} from '../../support/packaging/database-roles.js';
import { queryAt } from '../../support/services/postgres.mjs';
import { sharedDatabaseServer } from '../../support/services/embedded-services.js';
import { Standalone } from '../../support/services/standalone.js';

const missing = cannotRunPsql();
const title = 'the service under the role of deploy/postgres/roles.sql that has no DDL';

(missing === undefined ? describe : describe.skip)(
  missing === undefined ? title : `${title} (${missing})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-service-role-'));
    let roles: DatabaseRoles;
    let service: Standalone | undefined;

    beforeAll(async () => {
      execFileSync('sh', ['deploy/compose/make-secrets.sh', folder]);
      roles = await createDatabaseRoles(sharedDatabaseServer(), folder);
      await roles.migrate();
      service = await Standalone.start({
        env: { DATABASE_URL: roles.service, SANDBOX_BANK_DATABASE_URL: roles.bank },
      });
    });

    afterAll(async () => {
      await service?.dispose();
      await roles.drop();
      rmSync(folder, { recursive: true });
    });

    it('links an account, fetches its data, announces it and deletes it again', async () => {
      if (service === undefined) throw new Error('the service did not start');
      const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
      const { linkId } = await linkInstantBank(app);
      await eventually(async () => {
        const link = await app.get<{ state: string }>(`/links/${linkId}`);
        expect(link.state).toBe('connected');
        const accounts = await app.call<unknown>('GET', `/links/${linkId}/accounts`);
        expect(accounts.status).toBe(200);
      });
      await eventually(async () => {
        const events = await queryAt<{ count: number }>(
          roles.service,
          'SELECT count(*)::int AS count FROM webhook_events',
        );
        expect(events[0]?.count).toBeGreaterThan(0);
      });
      const deleted = await app.call('DELETE', `/links/${linkId}`);
      expect(deleted.status).toBeLessThan(300);
    });
  },
);
