import { APP_BOUNDS, BOUND_NAMES, type BoundName } from '../../../../domain/limits/app-bounds.js';
import { boundsOf } from '../../../../apps/platform/src/config/app-bounds.js';
import { readSettings } from '../../../../apps/platform/src/config/settings.js';
import { SETTING_TABLE } from '../../../../apps/platform/src/config/settings-table.js';

const defaults = boundsOf(readSettings({}, 'standalone'));

/**
 * More than the demo and every sample app use together in a day: a link with some 2,000 rows at each of 20 sandbox users,
 * all of them imported once more, with 10 calls and 5 webhooks per link.
 */
const SAMPLES: Record<BoundName, number> = {
  links: 40,
  rows: 80_000,
  imported_bytes: 40_000 * 250,
  sessions: 60,
  sandbox_calls: 400,
  test_events: 100,
  replays: 200,
  idempotency_records: 60,
  access_tokens: 100,
  simplefin_tokens: 100,
};

describe('The default bounds of an app', () => {
  it.each(BOUND_NAMES)(
    'leave the demo and the sample apps at least 200 times their %s',
    (bound) => {
      expect(defaults[bound] / SAMPLES[bound]).toBeGreaterThanOrEqual(200);
    },
  );

  it('are each a setting of the table, under the name that the refusal shows', () => {
    for (const bound of BOUND_NAMES) {
      const { setting } = APP_BOUNDS[bound];
      const table: Record<string, { default?: string }> = SETTING_TABLE;
      expect({ setting, value: table[setting]?.default }).toEqual({
        setting,
        value: String(defaults[bound]),
      });
    }
  });
});
