import { Client, Pool } from 'pg';

/*
 * The connections of tests beside those of the service. PostgreSQL ends one whenever a test drops its database or stops
 * the server, also while `end` closes it: without a listener, that error would end the process of the test files. The
 * loss is not hidden: the statement in progress rejects, and so does the next one of a client; a pool connects again.
 */
const expectLoss = (emitter) => emitter.on('error', () => undefined);

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
