import { Client, Pool } from 'pg';
import { expectLoss } from './expect-loss.mjs';

/*
 * The connections of tests beside those of the service. PostgreSQL ends one when a test drops its database or stops the server,
 * also while `end` closes it. The statement in progress rejects, and so does the next one of a client; a pool connects again.
 */

/** @returns a client that is connected */
export async function connectTo(config) {
  const client = expectLoss(new Client(config));
  await client.connect();
  return client;
}

export function openPool(config) {
  // The pool listens to its clients only while they are idle.
  return expectLoss(new Pool(config)).on('connect', expectLoss);
}

/** Runs `work` on a connection of its own. */
export async function onConnection(config, work) {
  const client = await connectTo(config);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement on a connection of its own. @returns its rows */
export const queryAt = (config, statement, values) =>
  onConnection(config, async (client) => (await client.query(statement, values)).rows);
