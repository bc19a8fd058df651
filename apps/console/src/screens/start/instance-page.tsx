import { type ReactElement, useEffect } from 'react';
import type {
  AppPage,
  ListedApp,
} from '../../../../console-server/src/operations/apps/app-shapes.js';
import type { InstanceStart } from '../../../../console-server/src/operations/instance-start/instance-start-shapes.js';
import { useSession } from '../../data/session.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { placeIn, useAddress, useGo } from '../../frame/address.js';
import { Command } from '../../frame/command.js';
import { useContextOfPage } from '../../frame/last-context.js';
import { PageTitle } from '../../frame/page-title.js';
import { stringifySearch } from '../../frame/search.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { IdText } from '../../parts/id/id.js';
import { Card, Columns, Stack } from '../../parts/page/page-parts.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { instanceNumbers, waitingNumbers } from './instance-numbers.js';
import { Numbers } from './numbers.js';
import { TEXTS } from './texts.js';

const COLUMNS: readonly Column<ListedApp>[] = [
  { id: 'name', title: TEXTS.app, cell: ({ name }) => <bdi>{name}</bdi>, card: 'head' },
  { id: 'app_id', title: TEXTS.appId, cell: ({ app_id }) => <IdText id={app_id} whole /> },
  {
    id: 'created_at',
    title: TEXTS.created,
    cell: ({ created_at }) => <Time at={created_at} form="day" inRow />,
    width: '160px',
  },
];

/** The first page of the instance; a person of an app goes on to the app. */
export default function InstancePage(): ReactElement | null {
  const { role } = useSession();
  const context = useContextOfPage();
  const go = useGo();
  const isOperator = role === 'operator';
  useEffect(() => {
    if (!isOperator && context !== null) go(placeIn(context), { replace: true });
  });
  return isOperator ? <Instance /> : null;
}

function Instance(): ReactElement {
  const start = useRead<InstanceStart>('/instance/start', { every: CALM_MS });
  return (
    <>
      <PageTitle title={TEXTS.instance} />
      <Stack>
        <Columns>
          <Card
            title={TEXTS.now}
            aside={<span className="muted small">{TEXTS.everyMinute}</span>}
            isFlush
          >
            <Shown of={start}>
              {({ sentence_parts }) => <Numbers numbers={instanceNumbers(sentence_parts)} />}
            </Shown>
          </Card>
          <Card title={TEXTS.waiting} isFlush>
            <Shown of={start}>
              {({ waiting }) => <Numbers numbers={waitingNumbers(waiting)} />}
            </Shown>
          </Card>
        </Columns>
        <Apps />
      </Stack>
    </>
  );
}

function Apps(): ReactElement {
  const { value, hrefWith } = useAddress();
  const cursor = value('cursor');
  const apps = useRead<AppPage>(`/instance/apps${stringifySearch({ cursor })}`, {
    keepsPrevious: true,
  });
  return (
    <Card title={TEXTS.apps} isFlush>
      <Shown of={apps} isEmpty={(page) => page.apps.length === 0} empty={<NoApp />}>
        {(page) => (
          <Table
            name={TEXTS.apps}
            columns={COLUMNS}
            rows={page.apps}
            keyOf={({ app_id }) => app_id}
            hrefOf={({ app_id }) => placeIn({ app: app_id, env: 'sandbox' })}
            nameOf={({ name }) => name}
            olderHref={page.next_cursor === null ? null : hrefWith({ cursor: page.next_cursor })}
            newestHref={cursor === '' ? null : hrefWith({ cursor: undefined })}
            olderText="More"
            newestText="Back to the first"
          />
        )}
      </Shown>
    </Card>
  );
}

function NoApp(): ReactElement {
  return (
    <StateText
      title={TEXTS.noApp}
      actions={<Command text="npm run -s operator -- apps create --name NAME" />}
    >
      {TEXTS.noAppHint}
    </StateText>
  );
}
