/** A figure, or text that a bank might send in its place. */
export type RawFigure = number | string | null;
/** A truth value, or text that a bank might send in its place. */
export type RawFlag = boolean | string | null;

/** Fields of a security as in native-api 4.15; missing = unchanged. */
interface RawSecurity {
  name?: string | null;
  symbol?: string | null;
  exchange?: string | null;
  isin?: string | null;
  cusip?: string | null;
  sedol?: string | null;
  figi?: string | null;
  type?: string | null;
  currency?: string | null;
  is_cash_equivalent?: RawFlag;
  option?: {
    underlying_symbol?: string | null;
    kind?: string | null;
    expires_on?: string | null;
    strike_price?: RawFigure;
    contract_size?: RawFigure;
  } | null;
  fixed_income?: {
    face_value?: RawFigure;
    coupon_rate?: RawFigure;
    yield_to_maturity?: RawFigure;
    matures_on?: string | null;
    issued_on?: string | null;
  } | null;
}

/** Fields of a holding as the sandbox bank sends them; missing = unchanged. */
export interface RawHolding {
  quantity?: RawFigure;
  price?: RawFigure;
  price_as_of?: string | null;
  value?: RawFigure;
  currency?: string | null;
  cost_basis?: RawFigure;
  /** `TOTAL`, or null: the bank does not state it. */
  cost_basis_kind?: string | null;
  purchase_price?: RawFigure;
  acquired_on?: string | null;
  vested_quantity?: RawFigure;
  contribution_source?: string | null;
  is_cash?: RawFlag;
  lots?: {
    lot_id?: string | null;
    acquired_on?: string | null;
    quantity?: RawFigure;
    price_paid?: RawFigure;
    cost_basis?: RawFigure;
    value?: RawFigure;
  }[];
  security?: RawSecurity;
}

/** One step about a holding, or all of them. Source: link-lifecycle 14. */
export type HoldingsStep =
  | ({ verb: 'set'; holding_id: string } & RawHolding)
  /** A purchase, or with a negative quantity a sale, at a price; missing = the newest one. */
  | {
      verb: 'trade';
      holding_id?: string;
      account_id?: string;
      symbol?: string;
      quantity: string;
      price?: string;
      fees?: string;
    }
  | { verb: 'dividend'; holding_id: string; amount: string; taxes?: string }
  /** `ratio` = the units that one becomes. */
  | { verb: 'split'; holding_id: string; ratio: string }
  | { verb: 'rename'; holding_id: string; name?: string | null; symbol?: string | null }
  | { verb: 'drop'; holding_id: string }
  | { verb: 'reissue_ids' };

/** Fields of a debt as the sandbox bank sends them; missing = unchanged, an object is replaced as a whole. */
export interface RawLiability {
  kind?: string | null;
  currency?: string | null;
  balance?: RawFigure;
  limit?: RawFigure;
  available?: RawFigure;
  statement?: { date?: string | null; balance?: RawFigure } | null;
  minimum_payment?: RawFigure;
  next_payment?: { due_on?: string | null; amount?: RawFigure } | null;
  last_payment?: { date?: string | null; amount?: RawFigure } | null;
  past_due?: RawFigure;
  is_overdue?: RawFlag;
  rates?: {
    kind?: string | null;
    percentage?: RawFigure;
    balance?: RawFigure;
    interest_charged?: RawFigure;
  }[];
  interest_rate?: { percentage?: RawFigure; type?: string | null } | null;
  principal?: { original?: RawFigure; outstanding?: RawFigure } | null;
  originated_on?: string | null;
  matures_on?: string | null;
  term_months?: RawFigure;
  payments_total?: RawFigure;
  payment_frequency?: string | null;
  escrow?: RawFigure;
  payoff_amount?: RawFigure;
  year_to_date?: { interest?: RawFigure; principal?: RawFigure } | null;
}

/** One step about the debt of an account. Source: link-lifecycle 14. */
export type LiabilityStep = { verb: 'set'; account_id: string } & RawLiability;
