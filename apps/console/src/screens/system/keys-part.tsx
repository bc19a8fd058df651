import type { ReactElement } from 'react';
import type {
  KeyList,
  ShownMasterKey,
  ShownSigningKey,
} from '../../../../console-server/src/operations/keys/key-shapes.js';
import { useRead } from '../../data/use-read.js';
import { Command } from '../../frame/command.js';
import { Shown } from '../../frame/states/shown.js';
import { IdText } from '../../parts/id/id.js';
import { Card, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import type { Tone } from '../../parts/state/states.js';
import { Table, type Column } from '../../parts/table/table.js';
import { Time } from '../../parts/time/time.js';
import { countText } from '../start/count-text.js';
import { TEXTS } from './texts.js';

const LIMIT = 1_000;
const SIGNING_TONES: Readonly<Record<ShownSigningKey['state'], Tone>> = {
  next: 'waiting',
  signing: 'good',
  previous: 'off',
  retired: 'off',
};
const MASTER_TONES: Readonly<Record<ShownMasterKey['place'], Tone>> = {
  current: 'good',
  older: 'off',
  unused: 'waiting',
  missing: 'bad',
};

const SIGNING: readonly Column<ShownSigningKey>[] = [
  { id: 'key_id', title: TEXTS.key, cell: ({ key_id }) => <IdText id={key_id} />, card: 'head' },
  { id: 'set', title: TEXTS.set, cell: ({ set }) => set },
  {
    id: 'state',
    title: TEXTS.state,
    cell: ({ state }) => (
      <StateMark state={{ tone: SIGNING_TONES[state], word: TEXTS.states[state] }} />
    ),
  },
  {
    id: 'signs_from',
    title: TEXTS.signsFrom,
    cell: ({ signs_from }) => <Time at={signs_from} form="day" />,
  },
  {
    id: 'retired_at',
    title: TEXTS.retired,
    cell: ({ retired_at }) => <Time at={retired_at} form="day" absent={TEXTS.never} />,
  },
];

const MASTER: readonly Column<ShownMasterKey>[] = [
  { id: 'key_id', title: TEXTS.key, cell: ({ key_id }) => <bdi>{key_id}</bdi>, card: 'head' },
  {
    id: 'place',
    title: TEXTS.state,
    cell: ({ place }) => (
      <StateMark state={{ tone: MASTER_TONES[place], word: TEXTS.places[place] }} />
    ),
  },
  {
    id: 'counts',
    title: TEXTS.seals,
    cell: ({ counts: { data_keys, signing_keys, cursor_keys } }) =>
      TEXTS.sealed(
        countText(data_keys, LIMIT),
        countText(signing_keys, LIMIT),
        countText(cursor_keys, LIMIT),
      ),
  },
];

/** The keys of the instance: those that sign webhooks, and those that seal what is stored. */
export function KeysPart(): ReactElement {
  const keys = useRead<KeyList>('/instance/keys');
  return (
    <Shown of={keys}>
      {({ signing, master }) => (
        <Stack>
          <Card title={TEXTS.signing} isFlush>
            <Table
              name={TEXTS.signing}
              columns={SIGNING}
              rows={signing}
              keyOf={({ key_id }) => key_id}
            />
          </Card>
          <Card title={TEXTS.master} isFlush>
            <Table
              name={TEXTS.master}
              columns={MASTER}
              rows={master}
              keyOf={({ key_id }) => key_id}
              hasNoTimes
            />
          </Card>
          <p className="muted">{TEXTS.rotateHint}</p>
          <Command text="npm run -s operator -- keys rotate" />
        </Stack>
      )}
    </Shown>
  );
}
