import { AppBackEnd, expectStatus } from '../../../support/actors/link-journey.js';
import { operate } from '../../../support/actors/operator.js';
import type { SharedService } from '../../../support/fixtures/shared-service.js';
import type { StandaloneApp } from '../../../support/services/standalone.js';
import { arrive, settle, type Tenant } from './tenants.js';

/** All tenants of a fuzz run. */
export interface Cast {
  own: Tenant;
  /** An app whose banks may fail. */
  faulty: Tenant;
  /** The Live pair of the same app as `own`. */
  live: Tenant;
  visitor: Tenant;
  /** Makes no calls: its data exists for others to try. */
  victim: Tenant;
  /** A token of `own` with only the scope `links:read`. */
  narrowToken: string;
  webhook: string;
}

/** @param hooks an address that accepts every webhook */
export async function assemble(service: SharedService, hooks: string): Promise<Cast> {
  const enter = async (name: string) => {
    const app = await createApp(service, name);
    return { app, tenant: await arrive(name, new AppBackEnd(service.info.base_url, app.sandbox)) };
  };
  const [own, faulty, visitor, victim] = await Promise.all([
    enter('own'),
    enter('faulty'),
    enter('visitor'),
    enter('victim'),
  ]);
  const live = await arrive('live', new AppBackEnd(service.info.base_url, own.app.live));
  await Promise.all([own, faulty, victim].map(({ tenant }) => settle(tenant, hooks)));
  const narrow = await expectStatus(201, own.tenant.app.fetchToken('links:read'));
  return {
    own: own.tenant,
    faulty: faulty.tenant,
    live,
    visitor: visitor.tenant,
    victim: victim.tenant,
    narrowToken: narrow.access_token,
    webhook: hooks,
  };
}

function createApp(service: SharedService, name: string): Promise<StandaloneApp> {
  const origin = ['--redirect-origin', 'https://app.example'];
  return operate(service.dataDir, 'apps', 'create', '--name', `Fuzzed ${name}`, ...origin);
}
