import type { ReactElement } from 'react';
import type {
  RecordPage,
  ShownAction,
} from '../../../../console-server/src/operations/record/record-shapes.js';
import { useRead } from '../../data/use-read.js';
import { useAddress } from '../../frame/address.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { FilterBar, filtersInUse, type Filter } from '../../parts/filters/filter-bar.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { StateMark } from '../../parts/state/state-mark.js';
import type { Tone } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { TEXTS } from './texts.js';

const FILTERS: readonly Filter[] = [
  { name: 'actor', label: TEXTS.actor, kind: 'text' },
  { name: 'action', label: TEXTS.action, kind: 'text' },
  { name: 'subject', label: TEXTS.subject, kind: 'text' },
];
const TONES: Readonly<Record<ShownAction['outcome'], Tone>> = {
  started: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  refused: 'warning',
};

const COLUMNS: readonly Column<ShownAction>[] = [
  { id: 'at', title: TEXTS.at, cell: ({ at }) => <Time at={at} />, width: '128px', card: 'corner' },
  { id: 'actor', title: TEXTS.actor, cell: ({ actor }) => <ForeignText text={actor} /> },
  { id: 'action', title: TEXTS.action, cell: ({ action }) => action, card: 'head' },
  { id: 'subject', title: TEXTS.subject, cell: ({ subject }) => <ForeignText text={subject} /> },
  {
    id: 'outcome',
    title: TEXTS.outcome,
    cell: ({ outcome }) => (
      <StateMark state={{ tone: TONES[outcome], word: TEXTS.outcomes[outcome] }} />
    ),
    width: '128px',
  },
];

/** Who did what, newest first. */
export function RecordPart(): ReactElement {
  const { value, hrefWith } = useAddress();
  const [actor, action, subject, before] = ['actor', 'action', 'subject', 'before'].map(value);
  const page = useRead<RecordPage>(
    `/instance/record${stringifySearch({ actor, action, subject, before })}`,
    { keepsPrevious: true },
  );
  const isFiltered = filtersInUse(FILTERS, value).length > 0;
  return (
    <>
      <FilterBar filters={FILTERS} />
      <Shown of={page}>
        {({ rows, before: next }) =>
          rows.length === 0 ? (
            <StateText
              title={isFiltered ? TEXTS.noneHere : TEXTS.noRecord}
              actions={
                next !== null && (
                  <PlaceLink href={hrefWith({ before: next })}>{TEXTS.older} ›</PlaceLink>
                )
              }
            >
              {next !== null && TEXTS.noneHereHint}
            </StateText>
          ) : (
            <Table
              name={TEXTS.record}
              columns={COLUMNS}
              rows={rows}
              keyOf={({ number }) => number}
              olderHref={next === null ? null : hrefWith({ before: next })}
              newestHref={before === '' ? null : hrefWith({ before: undefined })}
            />
          )
        }
      </Shown>
    </>
  );
}
