import { eventually } from '../../support/assertions/eventually.js';
import { PATIENT } from './support/patient-database.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const CALLS = 80;
/** A second, small pool for frequent statements. */
const HOT = 4;

let service: ApiInProcess;

afterEach(() => service?.close());

/** The number of connections that an API opens for many calls that wait in the database at once. */
async function connectionsWith(size: number): Promise<number> {
  service = await startApiInProcess(
    {
      API_DATABASE_CONNECTIONS: String(size),
      DATABASE_CONNECTIONS_PER_APP: String(size - 2),
    },
    { databaseTimeouts: PATIENT },
  );
  const token = await service.token('pocket-ledger');
  const holder = await service.database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE links');
  const calls = Array.from({ length: CALLS }, () => service.api.get('/links/unknown', { token }));
  const count = async (condition: string): Promise<number> => {
    const { rows } = await service.database.pool.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
        WHERE application_name = 'tributary-api' AND datname = current_database() AND ${condition}`,
    );
    return Number(rows[0]?.count);
  };
  await eventually(async () => {
    expect(await count("wait_event_type = 'Lock'")).toBeGreaterThanOrEqual(size - 2);
  });
  await holder.query('COMMIT');
  for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
  const opened = await count('true');
  holder.release();
  return opened;
}

describe('API_DATABASE_CONNECTIONS', () => {
  it('limits the number of connections to PostgreSQL that an API opens under load', async () => {
    const few = await connectionsWith(5);
    expect(few).toBeLessThanOrEqual(5 + HOT);
    await service.close();
    expect(await connectionsWith(16)).toBeGreaterThan(5 + HOT);
  });
});
