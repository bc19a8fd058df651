import { randomBytes } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.js';
import type { HoldingsWithoutRows } from './account-set.js';

const DAY_MS = 86_400_000;

/** The access of an Access URL. */
export interface Access {
  customerId: string;
  /** Number of the consent given by claiming; see `Ledger.consentNumber`. */
  consentNumber: number;
  /** Times of its use within the last day, in milliseconds. */
  usedAt: number[];
}

/** Setup tokens and the Access URLs they were exchanged for. */
export class AccessStore {
  holdingsWithoutRows: HoldingsWithoutRows = 'listed';
  readonly #unclaimed = new Map<string, string>();
  readonly #accesses = new Map<string, Access>();
  readonly #customersWhoOwe = new Set<string>();

  constructor(private readonly ledger: Ledger) {
    ledger.onReset(() => {
      this.#unclaimed.clear();
      this.#accesses.clear();
      this.#customersWhoOwe.clear();
      this.holdingsWithoutRows = 'listed';
    });
  }

  /** @returns the last part of a claim address, valid for one claim */
  createToken(customerId: string): string {
    const token = randomBytes(24).toString('base64url').toUpperCase();
    this.#unclaimed.set(token, this.ledger.customer(customerId).id);
    return token;
  }

  /** @returns null for an unknown or already claimed token */
  claim(token: string): { user: string; password: string } | null {
    const customerId = this.#unclaimed.get(token);
    if (customerId === undefined) return null;
    this.#unclaimed.delete(token);
    const user = randomBytes(32).toString('hex').toUpperCase();
    const password = randomBytes(32).toString('hex').toUpperCase();
    const consentNumber = this.ledger.consentNumber('simplefin', customerId);
    this.#accesses.set(`${user}:${password}`, { customerId, consentNumber, usedAt: [] });
    return { user, password };
  }

  /** @returns null for wrong credentials, and for those whose customer ended the consent */
  find(authorization: string | null): Access | null {
    const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
    if (encoded === undefined) return null;
    const access = this.#accesses.get(Buffer.from(encoded, 'base64').toString('utf8'));
    if (access === undefined) return null;
    const current = this.ledger.consentNumber('simplefin', access.customerId);
    return access.consentNumber === current ? access : null;
  }

  /** @returns the number of requests with the Access URL within a day, including this one */
  countRequest(access: Access): number {
    const now = this.ledger.now().getTime();
    access.usedAt = [...access.usedAt.filter((at) => at > now - DAY_MS), now];
    return access.usedAt.length;
  }

  setOwes(customerId: string, owes: boolean): void {
    const { id } = this.ledger.customer(customerId);
    if (owes) this.#customersWhoOwe.add(id);
    else this.#customersWhoOwe.delete(id);
  }

  owes = ({ customerId }: Access): boolean => this.#customersWhoOwe.has(customerId);
}
