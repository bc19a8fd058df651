import type { ClientBase } from 'pg';

/** Listens to a channel of the service, whose name in PostgreSQL ends with a random suffix. */
export async function listenTo(client: ClientBase, channel: string): Promise<string> {
  const {
    rows: [row],
  } = await client.query<{ suffix: string }>('SELECT suffix FROM notification_channels');
  const name = `${channel}_${row?.suffix ?? ''}`;
  await client.query(`LISTEN ${client.escapeIdentifier(name)}`);
  return name;
}
