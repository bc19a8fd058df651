import { z } from 'zod';
import { findById, type FoundRow } from '../../../../../prisma/operations/standing/find-by-id.js';
import type { Person } from '../../access/person.js';
import { id } from '../app-input.js';
import { operation } from '../operation.js';
import type { Found } from './find-answers.js';

export const FIND = operation({
  call: 'GET /find',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({ q: z.string().trim().pipe(id) }),
  run: async ({ service, person }, { q }): Promise<Found> =>
    (await findById(service.database, q, person)).map((row) => ({
      kind: row.kind,
      id: row.id,
      app_id: row.appId,
      environment: row.environment,
      path: pathOf(row, person),
    })),
});

/** Its page in the console. */
function pathOf(row: FoundRow, { appId: ownApp }: Person): string {
  const { kind, id: own, appId, environment, of, userId } = row;
  const app = `/a/${encodeURIComponent(appId ?? '')}`;
  const links = `${app}/${environment}/links`;
  const name = encodeURIComponent(own);
  switch (kind) {
    case 'link':
      return `${links}/${name}`;
    case 'account':
      return `${links}/${of}`;
    case 'session':
      return of === null
        ? `${links}/attempts?user=${encodeURIComponent(userId ?? '')}`
        : `${links}/${of}`;
    case 'user':
      return `${links}?user=${name}`;
    case 'event':
      return `${app}/${environment}/webhooks/${name}`;
    case 'delivery':
      return `${app}/${environment}/webhooks/${of}?tab=attempts`;
    case 'client':
      return `${app}/keys/${name}`;
    case 'app':
      return `${app}/sandbox`;
    case 'institution':
      return ownApp === null
        ? `/banks/${name}`
        : `/banks/${name}?app=${encodeURIComponent(ownApp)}&env=${environment}`;
    case 'provider':
      return `/providers/${name}`;
  }
}
