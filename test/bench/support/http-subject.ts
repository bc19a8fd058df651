import autocannon from 'autocannon';
import type { MeasuredProcess } from './measured-process.js';
import type { Subject } from './rounds.js';

const CONNECTIONS = 16;
const ROUND_SECONDS = 3;

/**
 * Requests one address repeatedly over kept-alive connections; any status other than 200 ends the
 * bench.
 */
export function httpSubject(
  server: MeasuredProcess,
  path: string,
  headers: Record<string, string> = {},
): Subject {
  return async () => {
    const before = server.cpuMs();
    const result = await autocannon({
      url: `${server.url}${path}`,
      headers,
      connections: CONNECTIONS,
      duration: ROUND_SECONDS,
    });
    const after = server.cpuMs();
    const answered = result['2xx'];
    if (result.non2xx > 0 || result.errors > 0 || answered === 0)
      throw new Error(
        `${path}: ${answered} good responses, ${result.non2xx} others, ${result.errors} errors`,
      );
    return {
      perSecond: answered / result.duration,
      cpuMs: before === null || after === null ? null : (after - before) / answered,
    };
  };
}
