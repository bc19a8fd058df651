import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProviders } from '../../providers/registry.js';
import { describeProvider } from './provider-promises.js';
import { TARGETS } from './targets.js';

describe('the conformance suite', () => {
  it('has a target for every registered provider', () => {
    const registered = createProviders({ sandboxBankUrl: 'http://127.0.0.1:9' }).map(({ name }) => name);
    expect(Object.keys(TARGETS).sort()).toEqual(registered.sort());
  });
});

for (const [name, start] of Object.entries(TARGETS)) {
  describe(`provider ${name}`, () => {
    const running = { target: undefined as Awaited<ReturnType<typeof start>> | undefined };
    beforeAll(async () => {
      running.target = await start();
    }, 60_000);
    afterAll(async () => {
      await running.target?.close();
    });
    describeProvider(name, () => {
      if (running.target === undefined) throw new Error('the target did not start');
      return running.target;
    });
  });
}
