import { isTraceId, newTraceId, readTraceparent } from '../../../domain/api/trace-context.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('readTraceparent', () => {
  it.each([
    ['version 00', `00-${TRACE_ID}-${PARENT}-01`],
    ['unknown flags', `00-${TRACE_ID}-${PARENT}-ff`],
    ['a later version', `01-${TRACE_ID}-${PARENT}-01`],
    ['a later version with more fields', `cc-${TRACE_ID}-${PARENT}-01-what-the-future-is`],
  ])('returns the trace id of %s', (_name, header) => {
    expect(readTraceparent(header)).toBe(TRACE_ID);
  });

  it.each([
    ['none', undefined],
    ['two headers', [`00-${TRACE_ID}-${PARENT}-01`, `00-${TRACE_ID}-${PARENT}-01`]],
    ['two joined headers', `00-${TRACE_ID}-${PARENT}-01, 00-${TRACE_ID}-${PARENT}-01`],
    ['an empty one', ''],
    ['the forbidden version', `ff-${TRACE_ID}-${PARENT}-01`],
    ['more fields in version 00', `00-${TRACE_ID}-${PARENT}-01-more`],
    ['a trailing hyphen in version 00', `00-${TRACE_ID}-${PARENT}-01-`],
    ['a later version without a separator', `01-${TRACE_ID}-${PARENT}-01.more`],
    ['capital letters', `00-${TRACE_ID.toUpperCase()}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${PARENT}-01`],
    ['a missing part', `00-${TRACE_ID}-${PARENT}`],
    ['spaces around it', ` 00-${TRACE_ID}-${PARENT}-01`],
    ['a line break', `00-${TRACE_ID}-${PARENT}-01\n`],
  ])('refuses %s', (_name, header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});

describe('Trace ids', () => {
  it('are the 32 hexadecimal digits of a random UUID', () => {
    const traceId = newTraceId('00010203-0405-4607-8809-0a0b0c0d0e0f');
    expect(traceId).toBe('000102030405460788090a0b0c0d0e0f');
    expect(isTraceId(traceId)).toBe(true);
  });

  it.each([undefined, 7, '', '0'.repeat(32), `${TRACE_ID}0`, TRACE_ID.toUpperCase()])(
    'are not %j',
    (value) => {
      expect(isTraceId(value)).toBe(false);
    },
  );
});
