import { createProviderRegistry, createProviders } from '../../../providers/registry.js';

const providers = createProviders({
  sandboxBankUrl: 'http://127.0.0.1:4101',
  sandboxBankSecret: 'unused',
});

describe('The provider registry', () => {
  it('finds a provider by its name', () => {
    expect(createProviderRegistry(providers).get('sandbox')).toBe(providers[0]);
  });

  it('lists all providers', () => {
    expect(createProviderRegistry(providers).all()).toEqual(providers);
  });

  it('lists the known providers when an unknown one is requested', () => {
    expect(() => createProviderRegistry(providers).get('plaid')).toThrow(
      'There is no provider "plaid"; known providers: sandbox.',
    );
  });

  it('refuses two providers with the same name', () => {
    expect(() => createProviderRegistry([...providers, ...providers])).toThrow(
      'Two providers are named "sandbox".',
    );
  });
});
