import { PROVIDER_CAUSES } from '../../../domain/errors/provider-failure.js';
import { renderDetails, type Wait } from '../../../workflows/details/render-details.js';

const NOON = Date.UTC(2026, 2, 2, 12, 0, 0, 250);
const wait = (given: Partial<Wait> = {}): Wait => ({
  for: 'the user to enter the code of the bank',
  since: NOON,
  until: null,
  lastError: null,
  ...given,
});
const details = (waits: Wait[]) => ({ institution: null, provider: null, waits, note: null });

describe('The details of a workflow', () => {
  it('name what the workflow waits for, where, since when, until when and the last error', () => {
    const text = renderDetails({
      institution: 'harbour-bank-gb',
      provider: 'vendor',
      waits: [wait({ until: NOON + 90_000, lastError: 'institution_timeout' })],
      note: 'See the pending activity.',
    });
    expect(text).toBe(
      [
        'At `harbour-bank-gb` through `vendor`.',
        'Waits for **the user to enter the code of the bank** since 2026-03-02T12:00:00Z, until 2026-03-02T12:01:30Z at the latest. Last error: The bank did not answer in time. (`institution_timeout`)',
        'See the pending activity.',
      ].join('\n\n'),
    );
  });

  it('omit unknown values', () => {
    expect(renderDetails(details([wait()]))).toBe(
      'Waits for **the user to enter the code of the bank** since 2026-03-02T12:00:00Z.',
    );
    expect(renderDetails({ ...details([]), provider: 'vendor' })).toBe('Through `vendor`.');
    expect(renderDetails(details([]))).toBe('');
  });

  it('have one paragraph for each of several waits', () => {
    const text = renderDetails(
      details([wait({ for: '`accounts`, attempt 2' }), wait({ for: 'the end of a permission' })]),
    );
    expect(text.split('\n\n')).toHaveLength(2);
    expect(text).toContain('**`accounts`, attempt 2**');
  });

  it.each(PROVIDER_CAUSES)('put the cause %s in words', (cause) => {
    expect(renderDetails(details([wait({ lastError: cause })]))).toMatch(
      new RegExp(`Last error: [A-Z].+\\. \\(\`${cause}\`\\)$`),
    );
  });
});
