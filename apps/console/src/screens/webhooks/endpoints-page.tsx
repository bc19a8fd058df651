import type { ReactElement } from 'react';
import type {
  Endpoint,
  Endpoints,
} from '../../../../console-server/src/operations/webhooks/webhook-answers.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { operationIn, useContextOfPath } from '../../frame/address.js';
import { PageTitle } from '../../frame/page-title.js';
import { Shown } from '../../frame/states/shown.js';
import { StateText } from '../../frame/states/state-text.js';
import { ForeignText } from '../../parts/foreign-text/foreign-text.js';
import { StateMark } from '../../parts/state/state-mark.js';
import type { StateWords } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { failureWords } from './failure-words.js';
import { TEXTS } from './texts.js';
import { WebhookTabs } from './webhook-tabs.js';

function stateOf({ disabled, last_error }: Endpoint): StateWords {
  if (disabled) return { tone: 'bad', word: TEXTS.addressDisabled };
  return last_error === null
    ? { tone: 'waiting', word: TEXTS.waits }
    : { tone: 'warning', word: TEXTS.refuses };
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: 'address',
    title: TEXTS.address,
    cell: ({ address }) => <ForeignText text={address} canGrow={false} />,
  },
  {
    id: 'state',
    title: TEXTS.state,
    card: 'head',
    cell: (endpoint) => <StateMark state={stateOf(endpoint)} />,
  },
  {
    id: 'waiting',
    title: TEXTS.waiting,
    isNumber: true,
    cell: ({ waiting }) => waiting.toLocaleString('en'),
  },
  {
    id: 'oldest',
    title: TEXTS.oldest,
    cell: ({ oldest_at }) => oldest_at !== null && <Time at={oldest_at} inRow />,
  },
  {
    id: 'response',
    title: TEXTS.lastResponse,
    cell: ({ last_status, last_error }) => failureWords(last_status, last_error),
  },
  {
    id: 'next',
    title: TEXTS.nextAttempt,
    cell: ({ next_attempt_at }) => next_attempt_at !== null && <Time at={next_attempt_at} inRow />,
  },
];

/** Receivers for which deliveries wait, those that refuse first. */
export default function EndpointsPage(): ReactElement {
  const context = useContextOfPath();
  const reading = useRead<Endpoints>(operationIn(context, '/endpoints'), { every: CALM_MS });
  return (
    <>
      <PageTitle title={TEXTS.webhooks} />
      <WebhookTabs context={context} current="endpoints" />
      <Shown
        of={reading}
        rows={3}
        isEmpty={({ endpoints }) => endpoints.length === 0}
        empty={<StateText title={TEXTS.noEndpoint}>{TEXTS.noEndpointHint}</StateText>}
      >
        {({ endpoints, is_cut }) => (
          <>
            <Table
              name={TEXTS.endpoints}
              columns={COLUMNS}
              rows={endpoints}
              keyOf={({ address, disabled }) => `${address} ${disabled}`}
            />
            {is_cut && <p className="muted small">{TEXTS.endpointsCut}</p>}
          </>
        )}
      </Shown>
    </>
  );
}
