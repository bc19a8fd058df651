/** The numbers of an account in the native API (native-api 4.5). */
export interface StoredNumbers {
  ach: readonly {
    account_number: string;
    routing_number: string;
    wire_routing_number: string | null;
  }[];
  eft: readonly { account_number: string; institution_number: string; branch_number: string }[];
  bacs: readonly { account_number: string; sort_code: string }[];
  international: readonly { iban: string; bic: string }[];
}

/** Account id → its numbers, as four lists over all accounts. Source: plaid-compat 6.2. */
export function presentNumbers(numbers: ReadonlyMap<string, StoredNumbers>) {
  const all = [...numbers];
  return {
    ach: all.flatMap(([account_id, { ach }]) =>
      ach.map((number) => ({
        account_id,
        account: number.account_number,
        routing: number.routing_number,
        wire_routing: number.wire_routing_number,
      })),
    ),
    eft: all.flatMap(([account_id, { eft }]) =>
      eft.map((number) => ({
        account_id,
        account: number.account_number,
        institution: number.institution_number,
        branch: number.branch_number,
      })),
    ),
    international: all.flatMap(([account_id, { international }]) =>
      international.map(({ iban, bic }) => ({ account_id, iban, bic })),
    ),
    bacs: all.flatMap(([account_id, { bacs }]) =>
      bacs.map((number) => ({
        account_id,
        account: number.account_number,
        sort_code: number.sort_code,
      })),
    ),
  };
}
