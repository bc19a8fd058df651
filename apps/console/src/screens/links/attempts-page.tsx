import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type {
  LinkSession,
  LinkSessionsListResult,
} from '../../../../../clients/node/src/generated/types.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { nativeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { FilterBar, filtersInUse, type Filter } from '../../parts/filters/filter-bar.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Id, IdText } from '../../parts/id/id.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { sessionState } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { useHeldRows } from '../../parts/table/use-held-rows.js';
import { Time } from '../../parts/time/time.js';
import { LinkTabs } from './link-tabs.js';
import { linkPlace, PAGE_SIZE } from './link-paths.js';
import { TEXTS } from './texts.js';

const FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: TEXTS.state,
    kind: 'choice',
    choices: [
      ['created', 'Not opened yet'],
      ['open', 'Open now'],
      ['succeeded', 'Succeeded'],
      ['ended', 'Ended'],
    ],
  },
  { name: 'user', label: TEXTS.user, kind: 'text' },
  { name: 'link_id', label: TEXTS.link, kind: 'text' },
  { name: 'institution_id', label: TEXTS.bankId, kind: 'text' },
  { name: 'created_since', label: TEXTS.createdSince, kind: 'time' },
];

export default function AttemptsPage(): ReactElement {
  const context = useContextOfPath();
  const { value, hrefWith, change } = useAddress();
  const names = [...FILTERS.map(({ name }) => name), 'cursor'];
  const path = nativeIn(
    context,
    `/link-sessions${stringifySearch({
      ...Object.fromEntries(names.map((name) => [name, value(name)])),
      limit: PAGE_SIZE,
    })}`,
  );
  const reading = useRead<LinkSessionsListResult>(path, { every: LIVELY_MS, keepsPrevious: true });
  const isFiltered = filtersInUse(FILTERS, value).length > 0;
  return (
    <>
      <PageTitle title={TEXTS.links} />
      <LinkTabs context={context} current="attempts" />
      <FilterBar filters={FILTERS} />
      <Shown
        of={reading}
        rows={8}
        isEmpty={({ link_sessions, next_cursor }) =>
          link_sessions.length === 0 && next_cursor === ''
        }
        empty={
          isFiltered || value('cursor') !== '' ? (
            <StateText
              title={TEXTS.noAttemptFound}
              actions={
                <Button
                  variant="default"
                  onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
                >
                  {TEXTS.clear}
                </Button>
              }
            />
          ) : (
            <StateText title={TEXTS.noAttempt}>{TEXTS.noAttemptHint}</StateText>
          )
        }
      >
        {({ link_sessions, next_cursor }) =>
          link_sessions.length === 0 ? (
            <StateText
              title={TEXTS.noneYet}
              actions={
                <Button
                  component={PlaceLink}
                  variant="default"
                  href={hrefWith({ cursor: next_cursor })}
                >
                  {TEXTS.lookFurther}
                </Button>
              }
            />
          ) : (
            <AttemptTable list={path} attempts={link_sessions} next={next_cursor} />
          )
        }
      </Shown>
    </>
  );
}

function AttemptTable({
  list,
  attempts,
  next,
}: {
  list: string;
  attempts: readonly LinkSession[];
  next: string;
}): ReactElement {
  const context = useContextOfPath();
  const { value, hrefWith } = useAddress();
  const { rows, waiting, showAll } = useHeldRows(list, attempts, ({ session_id }) => session_id);
  const columns: readonly Column<LinkSession>[] = [
    {
      id: 'attempt',
      title: TEXTS.attempt,
      width: '176px',
      cell: ({ session_id }) => <Id id={session_id} noun="session" />,
    },
    {
      id: 'state',
      title: TEXTS.state,
      card: 'head',
      cell: ({ state, outcome }) => <StateMark state={sessionState(state, outcome)} />,
    },
    {
      id: 'kind',
      title: TEXTS.kind,
      cell: ({ mode, hosted }) =>
        `${TEXTS.kinds[mode] ?? mode}${hosted === null ? '' : `, ${TEXTS.hosted.toLowerCase()}`}`,
    },
    {
      id: 'user',
      title: TEXTS.user,
      cell: ({ customer_user }) => <ForeignText text={customer_user.id} canGrow={false} />,
    },
    {
      id: 'bank',
      title: TEXTS.bankId,
      cell: ({ institution_id }) => institution_id !== null && <bdi>{institution_id}</bdi>,
    },
    {
      id: 'link',
      title: TEXTS.link,
      cell: ({ link_id, existing_link_id }) => {
        const id = link_id ?? existing_link_id;
        return (
          id !== null && (
            <PlaceLink href={linkPlace(context, id)}>
              <IdText id={id} />
            </PlaceLink>
          )
        );
      },
    },
    {
      id: 'created',
      title: TEXTS.created,
      card: 'corner',
      width: '128px',
      cell: ({ created_at }) => <Time at={created_at} inRow />,
    },
  ];
  return (
    <Table
      name={TEXTS.attempts}
      columns={columns}
      rows={rows}
      keyOf={({ session_id }) => session_id}
      waiting={waiting}
      onShowWaiting={showAll}
      olderHref={next === '' ? null : hrefWith({ cursor: next })}
      newestHref={value('cursor') === '' ? null : hrefWith({ cursor: undefined })}
    />
  );
}
