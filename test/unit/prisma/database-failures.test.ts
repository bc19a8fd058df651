import {
  isDatabaseUnreachable,
  isTemporaryDatabaseFailure,
  isUniqueViolation,
  isWorkTooLong,
  isWorthRetrying,
} from '../../../prisma/base/database/database-failures.js';

const withCode = (code: string) => Object.assign(new Error('driver'), { code });
/** The error as Prisma wraps it around that of the driver. */
const wrapped = (code: string) =>
  Object.assign(new Error('query failed'), {
    code: 'P2010',
    meta: {
      driverAdapterError: Object.assign(new Error('adapter'), { cause: { originalCode: code } }),
    },
  });

describe('Failures of the database', () => {
  it.each(['40001', '40P01'])('%s is retried at once', (code) => {
    expect({
      plain: isWorthRetrying(withCode(code)),
      wrapped: isWorthRetrying(wrapped(code)),
    }).toEqual({ plain: true, wrapped: true });
  });

  it.each(['57P01', '57P03', '08006', 'ECONNREFUSED', 'ECONNRESET'])(
    '%s means that the database is unreachable',
    (code) => {
      expect({
        plain: isDatabaseUnreachable(withCode(code)),
        wrapped: isDatabaseUnreachable(wrapped(code)),
      }).toEqual({ plain: true, wrapped: true });
    },
  );

  it.each(['57014', '25P03', 'P2028'])(
    '%s means that the statement takes too long and is not retried at once',
    (code) => {
      expect({
        plain: isWorkTooLong(withCode(code)),
        wrapped: isWorkTooLong(wrapped(code)),
      }).toEqual({ plain: true, wrapped: true });
      expect({
        isWorthRetrying: isWorthRetrying(withCode(code)),
        isDatabaseUnreachable: isDatabaseUnreachable(withCode(code)),
      }).toEqual({ isWorthRetrying: false, isDatabaseUnreachable: false });
      expect(isTemporaryDatabaseFailure(withCode(code))).toBe(true);
    },
  );

  it('distinguish a transaction that could not start from one that took too long', () => {
    const unstarted = Object.assign(
      new Error('Transaction API error: Unable to start a transaction in the given time.'),
      { code: 'P2028' },
    );
    expect({
      isDatabaseUnreachable: isDatabaseUnreachable(unstarted),
      isWorkTooLong: isWorkTooLong(unstarted),
    }).toEqual({ isDatabaseUnreachable: true, isWorkTooLong: false });
  });

  it.each(['55P03', '57014'])(
    '%s means that the database is busy: temporary, but not retried at once',
    (code) => {
      expect({
        isTemporaryDatabaseFailure: isTemporaryDatabaseFailure(wrapped(code)),
        isWorthRetrying: isWorthRetrying(wrapped(code)),
        isDatabaseUnreachable: isDatabaseUnreachable(wrapped(code)),
      }).toEqual({
        isTemporaryDatabaseFailure: true,
        isWorthRetrying: false,
        isDatabaseUnreachable: false,
      });
    },
  );

  it('a pool that could not connect is recognized by its message', () => {
    expect(isDatabaseUnreachable(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isDatabaseUnreachable(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
  });

  it.each(['23505', '23503', '42P01'])('%s is an error of the service', (code) => {
    expect(isTemporaryDatabaseFailure(wrapped(code))).toBe(false);
    expect(isUniqueViolation(wrapped(code))).toBe(code === '23505');
  });

  it.each([null, undefined, 'text', 7, {}])('%j is not a database failure', (thrown) => {
    expect({
      isTemporaryDatabaseFailure: isTemporaryDatabaseFailure(thrown),
      isUniqueViolation: isUniqueViolation(thrown),
    }).toEqual({ isTemporaryDatabaseFailure: false, isUniqueViolation: false });
  });
});
