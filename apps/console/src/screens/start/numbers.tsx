import type { ReactElement } from 'react';
import { Icon } from '../../frame/icons.js';
import { PlaceLink } from '../../frame/place-link.js';
import { countText } from './count-text.js';
import css from './start.module.css';

export interface ShownNumber {
  name: string;
  count: number;
  limit: number;
  /** The list of what was counted. */
  href?: string;
  /** True if a person should look at it as soon as it is not 0. */
  isBad?: boolean;
  note?: string;
}

/** Numbers in one column, each with the list behind it. */
export function Numbers({ numbers }: { numbers: readonly ShownNumber[] }): ReactElement {
  return (
    <ul className={css.numbers}>
      {numbers.map((number) => (
        <li key={number.name}>
          <NumberRow {...number} />
        </li>
      ))}
    </ul>
  );
}

function NumberRow({ name, count, limit, href, isBad = false, note }: ShownNumber): ReactElement {
  const content = (
    <>
      <span>
        {name}
        {note !== undefined && <span className={css.note}>{note}</span>}
      </span>
      <span className={css.count} data-bad={(isBad && count > 0) || undefined}>
        {isBad && count > 0 && <Icon name="warning" size={16} />}
        {countText(count, limit)}
      </span>
      {href !== undefined && <Icon name="right" size={16} />}
    </>
  );
  return href === undefined ? (
    <span className={css.number}>{content}</span>
  ) : (
    <PlaceLink className={css.number} href={href}>
      {content}
    </PlaceLink>
  );
}
