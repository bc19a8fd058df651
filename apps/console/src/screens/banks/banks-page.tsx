import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import type {
  Institution,
  InstitutionsListResult,
} from '../../../../../clients/node/src/generated/types.js';
import type {
  BankPage,
  ShownBank,
} from '../../../../console-server/src/operations/institutions/institution-shapes.js';
import { useSession } from '../../data/session.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { nativeIn, useAddress } from '../../frame/address.js';
import { Command } from '../../frame/command.js';
import { useContextOfPage } from '../../frame/last-context.js';
import { PageTitle } from '../../frame/page-title.js';
import { PlaceLink } from '../../frame/place-link.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { FilterBar, type Filter } from '../../parts/filters/filter-bar.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { Table, type Column } from '../../parts/table/table.js';
import { BankTabs } from './bank-tabs.js';
import { bankPlace } from './bank-place.js';
import classes from './banks.module.css';
import { PauseText } from './pause-text.js';
import { RouteHealth } from './route-health.js';
import { TEXTS } from './texts.js';

const NAME: Filter = { name: 'name', label: TEXTS.name, kind: 'text' };
const HEALTH: Filter = {
  name: 'health',
  label: TEXTS.health,
  kind: 'choice',
  choices: [['bad', TEXTS.failingNow]],
};

export default function BanksPage(): ReactElement {
  const { role } = useSession();
  return (
    <>
      <PageTitle title={TEXTS.banks} />
      <BankTabs current="banks" />
      {role === 'operator' ? <BanksOfInstance /> : <BanksOfApp />}
    </>
  );
}

const COLUMNS: readonly Column<ShownBank>[] = [
  {
    id: 'name',
    title: TEXTS.bank,
    card: 'head',
    width: '30%',
    cell: ({ name }) => <ForeignText text={name} canGrow={false} />,
  },
  {
    id: 'country',
    title: TEXTS.country,
    card: 'corner',
    width: '96px',
    cell: ({ country }) => country,
  },
  {
    id: 'environment',
    title: TEXTS.environment,
    width: '112px',
    cell: ({ environment }) => TEXTS.environments[environment],
  },
  {
    id: 'routes',
    title: TEXTS.routes,
    cell: ({ routes }) => (
      <span className={classes.routes}>
        {routes.map((route) => (
          <RouteHealth key={route.provider} route={route} />
        ))}
      </span>
    ),
  },
  {
    id: 'paused',
    title: TEXTS.paused,
    cell: ({ paused }) => paused !== null && <PauseText pause={paused} />,
  },
];

function BanksOfInstance(): ReactElement {
  const { value, hrefWith, change } = useAddress();
  const path = `/instance/banks${stringifySearch({
    name: value('name'),
    health: value('health'),
    cursor: value('cursor'),
  })}`;
  const reading = useRead<BankPage>(path, { every: CALM_MS, keepsPrevious: true });
  const isFiltered = value('name') !== '' || value('health') !== '';
  const clear = (): void => change({ name: undefined, health: undefined, cursor: undefined });
  return (
    <>
      <FilterBar filters={[NAME, HEALTH]} />
      <Shown
        of={reading}
        rows={8}
        isEmpty={({ banks, next_cursor }) => banks.length === 0 && next_cursor === null}
        empty={isFiltered ? <NothingFound clear={clear} /> : <NoBank />}
      >
        {({ banks, next_cursor }) =>
          banks.length === 0 ? (
            <StateText
              title={TEXTS.noneYet}
              actions={
                <Button
                  component={PlaceLink}
                  variant="default"
                  href={hrefWith({ cursor: next_cursor ?? undefined })}
                >
                  {TEXTS.lookFurther}
                </Button>
              }
            />
          ) : (
            <Table
              name={TEXTS.banks}
              columns={COLUMNS}
              rows={banks}
              keyOf={({ institution_id }) => institution_id}
              hrefOf={({ institution_id }) => bankPlace(institution_id)}
              olderText="More"
              olderHref={next_cursor === null ? null : hrefWith({ cursor: next_cursor })}
              newestHref={value('cursor') === '' ? null : hrefWith({ cursor: undefined })}
              newestText="Back to the first"
            />
          )
        }
      </Shown>
    </>
  );
}

const NAMES: readonly Column<Institution>[] = [
  {
    id: 'name',
    title: TEXTS.bank,
    card: 'head',
    cell: ({ name }) => <ForeignText text={name} canGrow={false} />,
  },
  { id: 'id', title: 'Id', cell: ({ institution_id }) => <bdi>{institution_id}</bdi> },
  {
    id: 'country',
    title: TEXTS.country,
    card: 'corner',
    width: '96px',
    cell: ({ country }) => country,
  },
];

/** An app sees the banks that it can offer, without the providers of the instance. */
function BanksOfApp(): ReactElement {
  const context = useContextOfPage();
  const { value, hrefWith, change } = useAddress();
  const reading = useRead<InstitutionsListResult>(
    context === null
      ? null
      : nativeIn(
          context,
          `/institutions${stringifySearch({ name: value('name'), cursor: value('cursor'), limit: '50' })}`,
        ),
    { keepsPrevious: true },
  );
  return (
    <>
      <FilterBar filters={[NAME]} />
      <Shown
        of={reading}
        rows={8}
        isEmpty={({ institutions }) => institutions.length === 0}
        empty={<NothingFound clear={() => change({ name: undefined, cursor: undefined })} />}
      >
        {({ institutions, cursors }) => (
          <Table
            name={TEXTS.banks}
            columns={NAMES}
            rows={institutions}
            keyOf={({ institution_id }) => institution_id}
            hrefOf={({ institution_id }) => bankPlace(institution_id)}
            hasNoTimes
            olderText="More"
            olderHref={cursors.next === null ? null : hrefWith({ cursor: cursors.next })}
            newestHref={value('cursor') === '' ? null : hrefWith({ cursor: undefined })}
            newestText="Back to the first"
          />
        )}
      </Shown>
    </>
  );
}

function NothingFound({ clear }: { clear: () => void }): ReactElement {
  return (
    <StateText
      title={TEXTS.nothingFound}
      actions={
        <Button variant="default" onClick={clear}>
          {TEXTS.clear}
        </Button>
      }
    />
  );
}

function NoBank(): ReactElement {
  return (
    <StateText title={TEXTS.noBank}>
      <p>{TEXTS.noBankHint}</p>
      <Command text={TEXTS.syncCommand} />
    </StateText>
  );
}
