import { service, token } from '../../../support/services/api-of-file.js';
import { newLink, record } from './event-log-stage.js';
import { Listener, type DeliveryPage } from './listening.js';

const LISTENERS = 2;
const WRITERS = 4;
/** Every third call loses its connection before the response is read. */
const DROPPED = 3;

/**
 * Two listeners hear the events that four writers record meanwhile. Their calls alternate between
 * two API processes, lose connections, and outlive a restart of the second process.
 * @returns the ids of all events in the order of the log, and those that each listener received
 */
export async function lossless(events: number): Promise<{ log: string[]; heard: string[][] }> {
  const linkId = await newLink();
  const link = { link_id: linkId };
  let second = await service.another();
  let done = false;
  const listen = async (listener: Listener): Promise<string[]> => {
    const heard: string[] = [];
    let after = '';
    for (let calls = 0; ; calls += 1) {
      const isLast = done;
      const api = calls % 2 === 0 ? service.api : second.api;
      const query = { after, wait: 1 };
      const page = await pageOrNothing(api.baseUrl + listener.path(query), calls % DROPPED === 2);
      if (page === null) continue;
      heard.push(...page.deliveries.map(({ event_id: id }) => id));
      after = page.cursor.next;
      if (isLast && page.deliveries.length === 0) return heard;
    }
  };
  const listeners = await Promise.all(
    Array.from({ length: LISTENERS }, () => Listener.start(service.api.as(token), link)),
  );
  const listening = Promise.all(listeners.map(listen));
  const write = async (): Promise<void> => {
    for (let made = 0; made < events / WRITERS; made += 1) await record(linkId);
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  await second.close();
  second = await service.another();
  await writing;
  done = true;
  const heard = await listening;
  await second.close();
  const { rows } = await service.database.pool.query<{ event_id: string }>(
    'SELECT event_id FROM webhook_events WHERE link_id = $1 ORDER BY pk',
    [linkId],
  );
  // A new link has three events before anyone listens.
  return { log: rows.slice(3).map(({ event_id: id }) => id), heard };
}

/** Null when the connection was lost, or the process had stopped. */
async function pageOrNothing(url: string, drops: boolean): Promise<DeliveryPage | null> {
  const connection = new AbortController();
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      signal: connection.signal,
    });
    if (drops) connection.abort();
    return response.ok ? ((await response.json()) as DeliveryPage) : null;
  } catch {
    return null;
  }
}
