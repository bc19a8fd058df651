/**
 * The numbers for payments to an account, by payment scheme. Every part is text, because leading
 * zeros count. Source: native-api 4.5.
 */
export interface AccountNumbers {
  ach: readonly AchNumber[];
  eft: readonly EftNumber[];
  bacs: readonly BacsNumber[];
  international: readonly InternationalNumber[];
}

export interface AchNumber {
  accountNumber: string;
  routingNumber: string;
  wireRoutingNumber: string | null;
}

export interface EftNumber {
  accountNumber: string;
  institutionNumber: string;
  branchNumber: string;
}

export interface BacsNumber {
  accountNumber: string;
  sortCode: string;
}

export interface InternationalNumber {
  iban: string;
  bic: string;
}

export const NO_NUMBERS: AccountNumbers = { ach: [], eft: [], bacs: [], international: [] };

export function hasNumbers({ ach, eft, bacs, international }: AccountNumbers): boolean {
  return ach.length + eft.length + bacs.length + international.length > 0;
}

/** The wire form. Source: native-api 4.5. */
export function presentNumbers({ ach, eft, bacs, international }: AccountNumbers) {
  return {
    ach: ach.map((number) => ({
      account_number: number.accountNumber,
      routing_number: number.routingNumber,
      wire_routing_number: number.wireRoutingNumber,
    })),
    eft: eft.map((number) => ({
      account_number: number.accountNumber,
      institution_number: number.institutionNumber,
      branch_number: number.branchNumber,
    })),
    bacs: bacs.map((number) => ({
      account_number: number.accountNumber,
      sort_code: number.sortCode,
    })),
    international: international.map(({ iban, bic }) => ({ iban, bic })),
  };
}

export type PresentedNumbers = ReturnType<typeof presentNumbers>;
