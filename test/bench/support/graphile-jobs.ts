import { onConnection } from '../../support/services/postgres.mjs';

/**
 * Adds a job for each webhook, in one transaction.
 * @returns the moment before the jobs exist
 */
export async function addGraphileJobs(
  databaseUrl: string,
  webhooks: readonly unknown[],
): Promise<number> {
  return onConnection(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(
      "SELECT graphile_worker.add_jobs(ARRAY(SELECT row('send_webhook', payload, null, null, 25, null, 0, null)::graphile_worker.job_spec FROM json_array_elements($1::json) AS payload))",
      [JSON.stringify(webhooks)],
    );
    const committing = performance.timeOrigin + performance.now();
    await client.query('COMMIT');
    return committing;
  });
}
