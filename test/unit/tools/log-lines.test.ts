import { logCallsOf } from '../../../docs/generators/log-lines.mjs';

const callsIn = (text: string) => logCallsOf('apps/api/src/source.ts', text);

describe('The log lines of a source', () => {
  it.each([
    [
      'fields of an object',
      `logger.warn({ part, cause: text }, 'health.part_down');`,
      { message: 'health.part_down', levels: ['warn'], fields: ['part', 'cause'], note: null },
    ],
    [
      'a line without fields',
      `this.options.logger.info('worker.started');`,
      { message: 'worker.started', levels: ['info'], fields: [], note: null },
    ],
    [
      'a level that depends on the case',
      `logger[isQuiet ? 'debug' : 'info']({ port }, 'http.request');`,
      { message: 'http.request', levels: ['debug', 'info'], fields: ['port'], note: null },
    ],
    [
      'fields that were collected before',
      `const line = { actor, ...(found ? { kid } : {}) }; logger?.info({ ...line, ...rest }, 'codec.decoded');`,
      { message: 'codec.decoded', levels: ['info'], fields: ['actor', 'kid', '…'], note: null },
    ],
    [
      'the name of the process',
      'logger.fatal({ err }, `${name}.failed`);',
      { message: 'PROCESS.failed', levels: ['fatal'], fields: ['err'], note: null },
    ],
    [
      'the remark above a call',
      `// Log: once a minute.\nif (lets()) logger.warn({ err }, 'database.waiting');`,
      { message: 'database.waiting', levels: ['warn'], fields: ['err'], note: 'once a minute.' },
    ],
  ])('include %s', (_what, text, call) => {
    expect(callsIn(text)).toEqual([call]);
  });

  it('exclude lines that a function forwards, and lines of other loggers', () => {
    expect(callsIn(`logger.info(fields, message); log.warn('a text', { signal });`)).toEqual([]);
    expect(callsIn(`join(folder, 'standalone.json'); catalog.info({}, 'a.b');`)).toEqual([]);
  });

  it('have a constant message', () => {
    expect(() => callsIn('logger.info({}, `sent ${count} events`);')).toThrow(
      'apps/api/src/source.ts logs a message that is not constant',
    );
  });
});
