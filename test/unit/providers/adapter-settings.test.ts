import { ADAPTER_SETTINGS } from '../../../providers/adapter-settings.js';
import { ADAPTERS } from '../../../providers/adapters.js';
import { readAdapterSettings } from '../../../providers/read-settings.js';
import { TrialSource } from '../../support/fixtures/trial-adapter.js';

describe('the settings that operator commands know', () => {
  it('are those of every adapter that workers have, and of no other', () => {
    expect(ADAPTER_SETTINGS).toEqual(
      Object.fromEntries(ADAPTERS.map(({ name, settings }) => [name, settings])),
    );
  });

  it('are refused with every problem and without a value', () => {
    const { settings } = new TrialSource().adapter;
    const read = () =>
      readAdapterSettings(settings, {
        settings: { retries: 9, adress: 'canary' },
        secrets: { api_key: 'canary' },
      });
    expect(read).toThrow(/The setting "retries": .*\nThe adapter has no setting "adress"/s);
    expect(read).toThrow('The secret "api_key": must have 16 characters');
    expect(read).not.toThrow('canary');
  });
});
