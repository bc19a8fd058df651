import type { ReactElement } from 'react';
import type { TextKey } from '../texts/catalog.js';
import { useConnect } from '../context/connect-context.js';

interface AccountTextProps {
  name: string;
  type: string;
  mask: string | null;
  note?: string | null;
}

/** Name, kind and last digits of an account. The mask stays left to right, and is read as words. */
export function AccountText({ name, type, mask, note = null }: AccountTextProps): ReactElement {
  const { texts } = useConnect();
  return (
    <span className="row-main">
      <bdi className="row-title">{name}</bdi>
      <span className="row-detail">
        <span>{texts.get(typeText(type))}</span>
        {mask !== null && (
          <>
            <span className="visually-hidden">{texts.get('account_ending', { mask })}</span>
            <bdi dir="ltr" aria-hidden="true">
              •••• {mask}
            </bdi>
          </>
        )}
        {note !== null && (
          <span className="row-note">
            <Separator />
            {note}
          </span>
        )}
      </span>
    </span>
  );
}

function Separator(): ReactElement {
  return <span aria-hidden="true"> · </span>;
}

export function formatBalance(
  balance: number | null,
  currency: string | null,
  locale: string,
): string {
  if (balance === null) return '';
  try {
    return new Intl.NumberFormat(
      locale,
      currency === null
        ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
        : { style: 'currency', currency },
    ).format(balance);
  } catch {
    return `${balance.toFixed(2)} ${currency ?? ''}`.trim();
  }
}

/**
 * Kinds of accounts of native-api 4.10 by their second word; an unknown one shows as its family.
 */
const TYPES = {
  checking: 'type_checking',
  savings: 'type_savings',
  cash: 'type_cash',
  prepaid: 'type_prepaid',
  money_market: 'type_money_market',
  cd: 'type_cd',
  brokerage: 'type_brokerage',
  retirement: 'type_retirement',
  education: 'type_education',
  credit_card: 'type_credit_card',
  loan: 'type_loan',
  mortgage: 'type_mortgage',
  student_loan: 'type_student_loan',
  line_of_credit: 'type_line_of_credit',
} as const satisfies Record<string, TextKey>;
const FAMILIES = {
  depository: 'type_deposit',
  investment: 'type_investment',
  liability: 'type_liability',
} as const satisfies Record<string, TextKey>;

type TypeText =
  | (typeof TYPES)[keyof typeof TYPES]
  | (typeof FAMILIES)[keyof typeof FAMILIES]
  | 'type_other';

function typeText(type: string): TypeText {
  const [family = '', kind = ''] = type.split('.');
  return (
    (TYPES as Record<string, TypeText>)[kind] ??
    (FAMILIES as Record<string, TypeText>)[family] ??
    'type_other'
  );
}
