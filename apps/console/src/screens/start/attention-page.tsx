import { useEffect, type ReactElement } from 'react';
import type { AppsInNeed } from '../../../../console-server/src/operations/instance-start/apps-in-need-shapes.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { useAddress, useGo } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { AddressTabs, Card, Parent } from '../../parts/page/page-parts.js';
import { Table, type Column } from '../../parts/table/table.js';
import { appListOf, needOf, NEEDS } from './app-lists.js';
import { countText } from './count-text.js';
import { TEXTS } from './texts.js';

type App = AppsInNeed['apps'][number];

/** The apps behind a number of the instance, each with its filtered list; the list itself where one app has them all. */
export default function AttentionPage(): ReactElement {
  const { value, hrefWith, path } = useAddress();
  const go = useGo();
  const need = needOf(value('of'));
  const cursor = value('cursor');
  const reading = useRead<AppsInNeed>(
    `/instance/attention${stringifySearch({ of: need, cursor })}`,
    { every: CALM_MS, keepsPrevious: true },
  );
  const isDirect = value('direct') !== '';
  const only = isDirect ? onlyApp(reading.data, cursor) : null;
  useEffect(() => {
    if (only !== null) go(appListOf(need, only), { replace: true });
  });
  return (
    <>
      <Parent href="/" name={TEXTS.instance} />
      <PageTitle title={TEXTS.needs[need]} />
      <AddressTabs
        name={TEXTS.attention}
        current={need}
        tabs={NEEDS.map((each) => ({
          id: each,
          title: TEXTS.needs[each],
          href: `${path}${stringifySearch({ of: each })}`,
        }))}
      />
      <Card title={TEXTS.apps} isFlush>
        <Shown
          of={reading}
          rows={3}
          isEmpty={({ apps }) => apps.length === 0}
          empty={<NoneHere nextHref={nextHref(reading.data, hrefWith)} />}
        >
          {(page) => (
            <Table
              name={TEXTS.needs[need]}
              columns={columns(page.limit)}
              rows={page.apps}
              keyOf={({ app_id, environment }) => `${app_id} ${environment}`}
              hrefOf={(app) => appListOf(need, app)}
              nameOf={({ name, environment }) => `${name}, ${TEXTS.environments[environment]}`}
              hasNoTimes
              olderHref={nextHref(page, hrefWith)}
              newestHref={cursor === '' ? null : hrefWith({ cursor: undefined })}
              olderText={TEXTS.moreApps}
              newestText={TEXTS.firstApps}
            />
          )}
        </Shown>
      </Card>
    </>
  );
}

const nextHref = (
  page: AppsInNeed | undefined,
  hrefWith: (names: Record<string, string | undefined>) => string,
): string | null =>
  page?.next_cursor == null ? null : hrefWith({ cursor: page.next_cursor, direct: undefined });

function onlyApp(page: AppsInNeed | undefined, cursor: string): App | null {
  const isWhole = page?.next_cursor === null && cursor === '';
  return isWhole && page?.apps.length === 1 ? (page.apps[0] ?? null) : null;
}

const columns = (limit: number): readonly Column<App>[] => [
  { id: 'name', title: TEXTS.app, cell: ({ name }) => <bdi>{name}</bdi>, card: 'head' },
  {
    id: 'environment',
    title: TEXTS.environment,
    cell: ({ environment }) => TEXTS.environments[environment],
  },
  {
    id: 'count',
    title: TEXTS.number,
    cell: ({ count }) => countText(count, limit),
    isNumber: true,
    card: 'corner',
  },
];

/** A page without rows may have another one behind it. */
function NoneHere({ nextHref: href }: { nextHref: string | null }): ReactElement {
  return href === null ? (
    <StateText title={TEXTS.noneInNeed} />
  ) : (
    <StateText
      title={TEXTS.noneYet}
      actions={<PlaceLink href={href}>{TEXTS.lookFurther}</PlaceLink>}
    />
  );
}
