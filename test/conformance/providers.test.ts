import { manifestOf } from '../../providers/manifests.js';
import { createProviders } from '../../providers/registry.js';
import { ADAPTER_PROOFS } from '../support/proof/adapter-proofs.js';
import { describeProof } from './describe-proof.js';
import { CATALOG_COUNTRIES, describeProvider } from './provider-promises.js';
import { SUBJECTS } from './targets.js';
import { describeUntidyAnswers } from './untidy/describe-untidy-answers.js';
import { describeLists } from './wire/describe-lists.js';
import { describeRules } from './wire/describe-rules.js';

const providers = createProviders({
  sandboxBankUrl: 'http://127.0.0.1:9',
  sandboxBankSecret: 'unused',
});

describe('The conformance suite', () => {
  it('has a login for every institution that a registered provider offers', () => {
    for (const provider of providers) {
      const known = SUBJECTS[provider.name]?.logins.map(({ remoteId }) => remoteId);
      expect(known).toEqual(
        expect.arrayContaining(provider.institutions().map(({ remoteId }) => remoteId)),
      );
    }
  });
});

for (const [name, { logins, start }] of Object.entries(SUBJECTS)) {
  describe(`provider ${name}`, () => {
    const running = { target: undefined as Awaited<ReturnType<typeof start>> | undefined };
    const target = () => {
      if (running.target === undefined) throw new Error('the target did not start');
      return running.target;
    };
    beforeAll(async () => {
      running.target = await start();
    });
    afterAll(async () => {
      await running.target?.close();
    });

    it('has a login for every institution that it offers in the suite', () => {
      expect(logins.map(({ remoteId }) => remoteId)).toEqual(
        expect.arrayContaining(
          target()
            .provider.institutions()
            .map(({ remoteId }) => remoteId),
        ),
      );
    });

    it('has a login for every institution of its catalog', async () => {
      const known = logins.map(({ remoteId }) => remoteId);
      const request = {
        countries: CATALOG_COUNTRIES,
        note: () => undefined,
        signal: new AbortController().signal,
      };
      const pages = target().provider.listInstitutions?.(request);
      for await (const page of pages ?? [])
        expect(known).toEqual(expect.arrayContaining(page.map(({ remoteId }) => remoteId)));
    });

    it('reads webhooks exactly if its settings declare it', () => {
      const { readsWebhooks = false } = manifestOf(name)?.settings ?? {};
      expect(target().provider.readWebhook !== undefined).toBe(readsWebhooks);
    });

    for (const login of logins) {
      describe(`at ${login.remoteId}`, () => {
        describeProvider(name, login, target);
      });
    }
    describeLists(name);
    describeRules(name);
    const untidy = describeUntidyAnswers(name, logins, target);
    if (name in ADAPTER_PROOFS) describeProof(name, logins, untidy);
  });
}
