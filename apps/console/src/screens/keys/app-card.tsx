import type { ReactElement, ReactNode } from 'react';
import type {
  AppOverview,
  ShownBound,
} from '../../../../console-server/src/operations/apps/app-shapes.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { Id } from '../../parts/id/id.js';
import { Card, Facts, Stack } from '../../parts/page/page-parts.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { BOUND_WORDS } from './bound-words.js';
import { TEXTS } from './texts.js';

const COLUMNS: readonly Column<ShownBound>[] = [
  { id: 'name', title: TEXTS.bound, cell: ({ name }) => BOUND_WORDS[name], card: 'head' },
  {
    id: 'used',
    title: TEXTS.used,
    cell: ({ used, counted }) => `${used.toLocaleString('en')} ${TEXTS.counted[counted]}`,
    isNumber: true,
  },
  {
    id: 'limit',
    title: TEXTS.limit,
    cell: ({ limit }) => limit.toLocaleString('en'),
    isNumber: true,
  },
  { id: 'set_by', title: TEXTS.setBy, cell: ({ set_by }) => <code>{set_by}</code> },
];

/** The app to which the key pairs belong: where it may return to, and how much of its bounds it uses. */
export function AppCard({ context: { app, env } }: { context: Context }): ReactElement {
  const overview = useRead<AppOverview>(`/apps/${encodeURIComponent(app)}/overview`, {
    every: CALM_MS,
  });
  return (
    <Shown of={overview}>
      {({ name, app_id, bounds, ...shown }) => (
        <Card title={name}>
          <Stack>
            <Facts
              facts={[
                [TEXTS.appId, <Id key="id" id={app_id} whole noun="app" />],
                [TEXTS.redirectOrigins, <Texts key="to" of={shown.redirect_origins} />],
                [TEXTS.pageOrigins, <Texts key="in" of={shown.page_origins} />],
                [TEXTS.features, <Texts key="features" of={shown.features} />],
                ...(env === 'live'
                  ? [[TEXTS.liveListening, yesNo(shown.live_listening)] as const]
                  : []),
                [TEXTS.created, <Time key="at" at={shown.created_at} form="day" />],
              ]}
            />
            <Table
              name={TEXTS.bounds}
              columns={COLUMNS}
              rows={bounds.filter(({ environment }) => environment === env)}
              keyOf={({ name: bound }) => bound}
              hasNoTimes
            />
            <p className="muted small">{TEXTS.changeApp}</p>
          </Stack>
        </Card>
      )}
    </Shown>
  );
}

const yesNo = (is: boolean): string => (is ? TEXTS.yes : TEXTS.no);

function Texts({ of: texts }: { of: readonly string[] }): ReactNode {
  if (texts.length === 0) return <span className="muted">{TEXTS.none}</span>;
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}
