import type { ReactElement } from 'react';
import type {
  AccountsStatus,
  LinkProducts,
} from '../../../../../clients/node/src/generated/types.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Card } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import type { StateWords } from '../../parts/state/states.js';
import { Time } from '../../parts/time/time.js';
import classes from './links.module.css';
import { TEXTS } from './texts.js';

type Status = Pick<
  AccountsStatus,
  'refreshed_at' | 'next_refresh_at' | 'unavailable' | 'stale' | 'problem' | 'incomplete'
>;

function freshness({ refreshed_at, unavailable, stale, incomplete, problem }: Status): StateWords {
  if (unavailable !== null) return { tone: 'off', word: TEXTS.unavailable };
  if (refreshed_at === null)
    return { tone: problem === null ? 'waiting' : 'bad', word: TEXTS.waitsForFirst };
  if (stale) return { tone: 'warning', word: TEXTS.stale };
  if (incomplete.length > 0) return { tone: 'warning', word: TEXTS.incomplete };
  return { tone: 'good', word: TEXTS.fresh };
}

/** How fresh each product is, when it is fetched next, and what is wrong with it. */
export function ProductsCard({ products }: { products: LinkProducts }): ReactElement {
  return (
    <Card title={TEXTS.products} isFlush>
      <ul className={classes.products}>
        {Object.entries(products).map(([product, status]) => (
          <Product key={product} product={product} status={status} />
        ))}
      </ul>
    </Card>
  );
}

function Product({ product, status }: { product: string; status: Status }): ReactElement {
  const { refreshed_at, next_refresh_at, unavailable, problem, incomplete } = status;
  return (
    <li className={classes.product}>
      <div className={classes.productHead}>
        <strong>{TEXTS.productNames[product] ?? product}</strong>
        <StateMark state={freshness(status)} />
      </div>
      <div className={classes.productTimes}>
        <span>
          {TEXTS.refreshed} <Time at={refreshed_at} />
        </span>
        <span>
          {TEXTS.next}: <Time at={next_refresh_at} absent={TEXTS.noneIsPlanned} />
        </span>
      </div>
      {unavailable !== null && (
        <p>
          <ForeignText text={unavailable} />
        </p>
      )}
      {problem !== null && (
        <>
          <p>
            <ForeignText text={problem.message} />
          </p>
          <p className="muted">
            {TEXTS.remedy}: <ForeignText text={problem.remedy} />
          </p>
        </>
      )}
      {incomplete.map(({ account_id, account_name, reason, since }) => (
        <p key={`${account_id} ${account_name} ${since}`}>
          <ForeignText text={account_name ?? account_id ?? TEXTS.anAccount} />:{' '}
          {TEXTS.incompleteReasons[reason] ?? reason}, {TEXTS.since} <Time at={since} form="day" />
        </p>
      ))}
    </li>
  );
}
