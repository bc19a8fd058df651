import type { ChoiceOption, Product } from '../../../../../packages/connect-protocol/src/step.js';
import type { Shape } from '../../icons/shape.js';

export const PRODUCT_SHAPES: Record<Product, Shape> = {
  accounts: {
    drawing: (
      <>
        <path d="M3.5 9.5L12 4.5l8.5 5" />
        <path d="M5 20h14M6.5 11v6M12 11v6M17.5 11v6" />
      </>
    ),
    token: 'product_accounts',
  },
  account_numbers: {
    drawing: <path d="M9.5 4L7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16" />,
    token: 'product_account_numbers',
  },
  identity: {
    drawing: (
      <>
        <circle cx="12" cy="8.5" r="4" />
        <path d="M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6" />
      </>
    ),
    token: 'product_identity',
  },
  transactions: {
    drawing: <path d="M4 8.5h14M14.5 5l3.5 3.5-3.5 3.5M20 15.5H6M9.5 12L6 15.5 9.5 19" />,
    token: 'product_transactions',
  },
  investments: {
    drawing: <path d="M4 4v16h16M7.5 15.5l3.5-4 3 2.5 5-6.5M15.5 7.5H19V11" />,
    token: 'product_investments',
  },
  liabilities: {
    drawing: (
      <>
        <path d="M6.5 3.5h11v17l-2.8-1.8-2.7 1.8-2.7-1.8-2.8 1.8z" />
        <path d="M10 8h4M10 12h4" />
      </>
    ),
    token: 'product_liabilities',
  },
};

export const CHANNEL_SHAPES: Record<NonNullable<ChoiceOption['icon']>, Shape> = {
  sms: {
    drawing: (
      <>
        <path d="M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H10l-4.5 4v-4.2A2.5 2.5 0 0 1 4 13.5z" />
        <path d="M8.5 10h.1M12 10h.1M15.5 10h.1" />
      </>
    ),
    token: 'sms',
  },
  email: {
    drawing: (
      <>
        <rect x="3.5" y="5.5" width="17" height="13" rx="2.5" />
        <path d="M4.5 7.5L12 13l7.5-5.5" />
      </>
    ),
    token: 'email',
  },
  phone: {
    drawing: (
      <path d="M7 4h2.6l1.4 4-2 1.6a11 11 0 0 0 5.4 5.4l1.6-2 4 1.4V17a3 3 0 0 1-3.3 3A14.5 14.5 0 0 1 4 7.3 3 3 0 0 1 7 4z" />
    ),
    token: 'phone',
  },
  app: {
    drawing: (
      <>
        <rect x="7" y="3" width="10" height="18" rx="2.5" />
        <path d="M11 18h2" />
      </>
    ),
  },
};

export const otherWindow: Shape = {
  drawing: (
    <>
      <rect x="3.5" y="8" width="12" height="11" rx="2" />
      <path d="M8 5h10.5a2 2 0 0 1 2 2v9" />
    </>
  ),
};
