import { withoutSchedule } from '../../../support/assertions/without-schedule.js';
import type { Tenant } from './tenants.js';

/** Everything a tenant can read of its own data, except for values that change by themselves. */
export async function everythingOf({ app, has }: Tenant): Promise<unknown> {
  const [user = '', link = '', world = ''] = [has.users[0], has.links[0], has.worlds[0]];
  const paths = [
    '/links',
    ...has.links.map((id) => `/links/${id}`),
    `/users/${user}/accounts`,
    `/users/${user}/links`,
    `/users/${user}/simplefin-tokens`,
    `/links/${link}/transactions?size=1000&start_date=1900-01-01`,
    `/sandbox/worlds/${world}`,
    '/sandbox/institutions/sandbox-instant-bank/faults',
  ];
  const [log, { worlds }, ...read] = await Promise.all([
    app.get<{ events: { event_id: string; body: unknown }[] }>('/webhooks/events?limit=500'),
    app.get<{ worlds: { world_id: string }[] }>('/sandbox/worlds'),
    ...paths.map((path) => app.get(path)),
  ]);
  // Deliveries continue, and the clock of the default world runs.
  const events = log.events.map(({ event_id: id, body }) => ({ id, body }));
  return { events, worlds: worlds.map(({ world_id: id }) => id), read: withoutSchedule(read) };
}
