import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Link, LinksListResult } from '../../../../../clients/node/src/generated/types.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { nativeIn, placeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { FilterBar, filtersInUse, OrderField } from '../../parts/filters/filter-bar.js';
import { IdText } from '../../parts/id/id.js';
import { CopyButton } from '../../parts/copy/copy-button.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { linkState } from '../../parts/state/states.js';
import { chosenColumns } from '../../parts/table/chosen-columns.js';
import { Table, type Column } from '../../parts/table/table.js';
import { useHeldRows } from '../../parts/table/use-held-rows.js';
import { Age } from '../../parts/time/age.js';
import { Time } from '../../parts/time/time.js';
import { filtersBeside, LINK_FILTERS } from './link-filters.js';
import { LinkTabs } from './link-tabs.js';
import { linkPlace, PAGE_SIZE } from './link-paths.js';
import { TEXTS } from './texts.js';

const COLUMNS: readonly Column<Link>[] = [
  {
    id: 'link',
    title: TEXTS.link,
    isFixed: true,
    width: '176px',
    cell: ({ link_id }) => <IdText id={link_id} />,
    beside: ({ link_id }) => <CopyButton text={link_id} label={`Copy link ${link_id}`} />,
  },
  {
    id: 'state',
    title: TEXTS.state,
    isFixed: true,
    card: 'head',
    cell: ({ state, error_code }) => <StateMark state={linkState(state, error_code)} />,
  },
  {
    id: 'user',
    title: TEXTS.user,
    cell: ({ customer_user_id }) => <ForeignText text={customer_user_id} canGrow={false} />,
  },
  {
    id: 'bank',
    title: TEXTS.bank,
    cell: ({ institution_name }) => <ForeignText text={institution_name} canGrow={false} />,
  },
  {
    id: 'provider',
    title: TEXTS.provider,
    isExtra: true,
    cell: ({ provider }) => <bdi>{provider}</bdi>,
  },
  {
    id: 'tags',
    title: TEXTS.tags,
    isExtra: true,
    cell: ({ tags }) => <ForeignText text={tags.join(', ')} canGrow={false} />,
  },
  {
    id: 'data',
    title: TEXTS.data,
    cell: ({ last_synced_at }) => <Age at={last_synced_at} absent={TEXTS.noData} />,
  },
  {
    id: 'created',
    title: TEXTS.created,
    isExtra: true,
    cell: ({ created_at }) => <Time at={created_at} inRow />,
  },
  {
    id: 'changed',
    title: TEXTS.changed,
    card: 'corner',
    width: '128px',
    cell: ({ updated_at }) => <Time at={updated_at} inRow />,
  },
];

export default function LinksPage(): ReactElement {
  const context = useContextOfPath();
  const { value, hrefWith, change } = useAddress();
  const names = [...LINK_FILTERS.map(({ name }) => name), 'cursor'];
  const path = nativeIn(
    context,
    `/links${stringifySearch({
      ...Object.fromEntries(names.map((name) => [name, value(name)])),
      order: value('order') || 'desc',
      limit: PAGE_SIZE,
    })}`,
  );
  const reading = useRead<LinksListResult>(path, { every: LIVELY_MS, keepsPrevious: true });
  const isFiltered = filtersInUse(LINK_FILTERS, value).length > 0;
  const clear = (): void => change(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <>
      <PageTitle title={TEXTS.links} />
      <LinkTabs context={context} current="links" />
      <FilterBar
        filters={filtersBeside(value)}
        order={<OrderField fallback="desc" />}
        columns={COLUMNS}
      />
      <Shown
        of={reading}
        rows={8}
        isEmpty={({ links, next_cursor }) => links.length === 0 && next_cursor === ''}
        empty={
          isFiltered || value('cursor') !== '' ? (
            <StateText
              title={TEXTS.nothingFound}
              actions={
                <Button variant="default" onClick={clear}>
                  {TEXTS.clear}
                </Button>
              }
            />
          ) : (
            <StateText
              title={TEXTS.noLink}
              actions={
                context.env === 'sandbox' && (
                  <Button component={PlaceLink} href={placeIn(context, '/try')}>
                    {TEXTS.toSandbox}
                  </Button>
                )
              }
            >
              {TEXTS.noLinkHint}
            </StateText>
          )
        }
      >
        {({ links, next_cursor }) =>
          links.length === 0 ? (
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
            >
              {TEXTS.noneYetHint}
            </StateText>
          ) : (
            <LinkTable list={path} links={links} next={next_cursor} />
          )
        }
      </Shown>
    </>
  );
}

function LinkTable({
  list,
  links,
  next,
}: {
  list: string;
  links: readonly Link[];
  next: string;
}): ReactElement {
  const context = useContextOfPath();
  const { value, hrefWith } = useAddress();
  const { rows, waiting, showAll } = useHeldRows(list, links, ({ link_id }) => link_id);
  return (
    <Table
      name={TEXTS.links}
      columns={chosenColumns(COLUMNS, value('cols') || undefined)}
      rows={rows}
      keyOf={({ link_id }) => link_id}
      hrefOf={({ link_id }) => linkPlace(context, link_id)}
      waiting={waiting}
      onShowWaiting={showAll}
      olderHref={next === '' ? null : hrefWith({ cursor: next })}
      newestHref={value('cursor') === '' ? null : hrefWith({ cursor: undefined })}
    />
  );
}
