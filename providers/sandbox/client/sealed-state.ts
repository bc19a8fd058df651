import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderSecret } from '../../contract/provider.js';

/** Encodes the state that must survive until the adapter's next call: text and numbers by name. */
export function encodeState(fields: Readonly<Record<string, string | number>>): ProviderSecret {
  return new TextEncoder().encode(JSON.stringify(fields));
}

/** Decodes it. Throws `internal`, without any content, for bytes this adapter did not write. */
export class SealedState {
  private readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    bytes: ProviderSecret,
    private readonly what: string,
  ) {
    this.fields = this.parse(bytes);
  }

  text(field: string): string {
    const value = this.fields[field];
    if (typeof value !== 'string') throw this.unreadable();
    return value;
  }

  number(field: string): number {
    const value = this.fields[field];
    if (typeof value !== 'number') throw this.unreadable();
    return value;
  }

  private parse(bytes: ProviderSecret): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    } catch {
      // The parser's own message could quote the secret.
    }
    throw this.unreadable();
  }

  private unreadable(): ProviderFailure {
    return new ProviderFailure(
      'internal',
      `The stored ${this.what} was not written by this provider.`,
    );
  }
}
