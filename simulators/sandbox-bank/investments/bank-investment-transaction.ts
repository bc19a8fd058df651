import type { MovementCode } from './movement.js';
import type { BankSecurity } from './security.js';

/** A movement of an investment account in the bank's API. Figures are exact decimals in strings. */
export interface BankInvestmentTransaction {
  transaction_id: string;
  account_id: string;
  security: BankSecurity | null;
  /** The last ones only in data of an app. */
  code: MovementCode | 'TAX' | 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFERRED_IN' | 'OTHER';
  /** The change of the position; null = none. */
  quantity: string | null;
  price: string | null;
  /** The change of the account's cash; null = no money moved. */
  amount: string | null;
  gross: string | null;
  fees: string | null;
  taxes: string | null;
  /** Of all figures: an ISO code, or `GBX` for pence. */
  currency: string;
  booking_date: string;
  settlement_date: string | null;
  /** Pending until it is settled. */
  status: 'PENDING' | 'BOOKED';
  description: string | null;
  cancels_transaction_id: string | null;
}
