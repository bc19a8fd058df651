import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { NestLogger } from '../../../apps/platform/src/logging/nest-logger.js';
import { runTraced } from '../../../prisma/base/database/work-origin.js';
import { problemOfLine } from '../../support/assertions/check-log-lines.mjs';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

function capture(format: 'json' | 'pretty' = 'json') {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    build: { version: '1.2.3', build: 'abc' },
    level: 'trace',
    format,
    destination: {
      write: (line: string) => {
        lines.push(line);
      },
    },
  });
  return { logger, lines, last: (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}') };
}

describe('createLogger', () => {
  it('writes a constant message and its fields as one line of JSON', () => {
    const { logger, last } = capture();
    logger.info(
      { event_id: 'evt_1', attempt: 2, duration_ms: 84, delivered: true, state: 'connected' },
      'webhook.attempted',
    );
    expect(last()).toMatchObject({
      level: 'info',
      service: 'test',
      version: '1.2.3',
      build: 'abc',
      msg: 'webhook.attempted',
      event_id: 'evt_1',
      attempt: 2,
      duration_ms: 84,
      delivered: true,
      state: 'connected',
    });
    expect(Date.parse(String(last()['time']))).not.toBeNaN();
  });

  it('writes each of its own keys once, whatever the names of the fields', () => {
    const { logger, lines, last } = capture();
    logger.warn(
      { level: 60, time: 1, service: 'x', version: 'x', name: 'x', pid: 1, msg: 2 },
      'x.y',
    );
    expect(problemOfLine(lines.join(''))).toBeNull();
    expect(last()).toMatchObject({
      level: 'warn',
      service: 'test',
      field_level: 60,
      field_name: 'x',
    });
  });

  it('names the trace that the work belongs to, and none outside of it', () => {
    const { logger, last } = capture();
    runTraced(TRACE_ID, () => logger.info({}, 'x.y'));
    expect(last()).toMatchObject({ trace_id: TRACE_ID });
    logger.info({}, 'x.y');
    expect(last()).not.toHaveProperty('trace_id');
  });

  it.each([
    ['texts', { reason: 'x'.repeat(9_000), state: 'connected' }],
    [
      'many texts',
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`a${i}_id`, 'é'.repeat(90)])),
    ],
  ])('shortens %s so that a pipe accepts the line as a whole', (_name, fields) => {
    const { logger, lines, last } = capture();
    runTraced(TRACE_ID, () => logger.info(fields, 'x.y'));
    expect(Buffer.byteLength(lines.join(''))).toBeLessThanOrEqual(4_096);
    expect(problemOfLine(lines.join(''))).toBeNull();
    expect(last()).toMatchObject({ msg: 'x.y', trace_id: TRACE_ID, shortened: true });
  });

  it('redacts text in fields it does not know', () => {
    const { logger, last } = capture();
    logger.info(
      { something_new: 'canary', nested: { deeper: 'canary', link_id: 'mk_1' }, list: ['canary'] },
      'x',
    );
    expect(last()).toMatchObject({
      something_new: '[redacted]',
      nested: { deeper: '[redacted]', link_id: 'mk_1' },
      list: ['[redacted]'],
    });
  });

  it.each([
    'password',
    'client_secret',
    'link_session_token',
    'authorization',
    'cookie',
    'body',
    'private_key',
    'otp_code',
    'secret_name',
    'answers',
  ])('redacts %s whatever the value', (name) => {
    const { logger, lines } = capture();
    logger.info(
      { [name]: 'canary', outer: { [name]: { id: 'canary' } }, numbers: { [name]: 123456 } },
      'x',
    );
    expect(lines.join('')).not.toMatch(/canary|123456/);
  });

  it('removes secrets from error messages, stacks and causes', () => {
    const { logger, lines, last } = capture();
    const cause = new Error('postgresql://tributary:canary1@db:5432/x refused');
    logger.error(
      {
        err: new Error('Bearer canary2 for sandbox_ls_canary3 and https://x/cb?code=canary4', {
          cause,
        }),
      },
      'x',
    );
    expect(lines.join('')).not.toMatch(/canary\d/);
    expect(last()).toMatchObject({
      err: {
        type: 'Error',
        cause: { message: 'postgresql://tributary:[redacted]@db:5432/x refused' },
      },
    });
  });

  it.each([
    ['a token of ours', 'sandbox_at_canary', 'sandbox_at_[redacted]'],
    ['a token of a session', 'live_ls_canary', 'live_ls_[redacted]'],
    [
      'a token of the compatibility layer',
      'access-production-0a1b2c',
      'access-production-[redacted]',
    ],
    ['a JWT', 'got eyJhbGciOi.eyJpc3Mi.c2ln', 'got [redacted]'],
    ['an authorization', 'BASIC Y2FuYXJ5', 'BASIC [redacted]'],
    ['a password in an address', 'redis://user:canary@db', 'redis://user:[redacted]@db'],
    ['a parameter', 'cb?x=1&state=canary', 'cb?x=1&state=[redacted]'],
    ['a parameter of a fragment', 'cb#token=canary', 'cb#token=[redacted]'],
    ['a key', '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----', '[redacted]'],
  ])('removes %s from text', (_name, text, written) => {
    const { logger, last } = capture();
    logger.info({ reason: text }, 'x');
    expect(last()).toMatchObject({ reason: written });
  });

  it('redacts in pretty format, too', () => {
    const { logger, lines } = capture('pretty');
    logger.info({ link_id: 'mk_1', password: 'canary' }, 'link.connected');
    expect(lines.join('')).toContain('link.connected');
    expect(lines.join('')).not.toContain('canary');
  });
});

describe('NestLogger', () => {
  it("keeps Nest's text as a field of a constant message", () => {
    const { logger, last } = capture();
    new NestLogger(logger).log('Mapped {/links, GET} route', 'RouterExplorer');
    expect(last()).toMatchObject({
      level: 'info',
      msg: 'nest.log',
      text: 'Mapped {/links, GET} route',
      context: 'RouterExplorer',
    });
  });

  it('logs errors with their stack', () => {
    const { logger, last } = capture();
    new NestLogger(logger).error(new Error('boom'), 'ExceptionsHandler');
    expect(last()).toMatchObject({
      level: 'error',
      msg: 'nest.error',
      err: { message: 'boom' },
      context: 'ExceptionsHandler',
    });
  });
});
