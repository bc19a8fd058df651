import { Client } from 'pg';

/**
 * A connection whose loss rejects the statement in progress, or the next one. Without a listener, its 'error' would end the
 * process first, with the trace of an unhandled event.
 */
export async function connectClient(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
