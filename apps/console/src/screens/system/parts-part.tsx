import type { ReactElement } from 'react';
import type { Parts } from '../../../../console-server/src/operations/parts/part-shapes.js';
import { useSession } from '../../data/session.js';
import { LIVELY_MS, useRead } from '../../data/use-read.js';
import { Shown } from '../../frame/states/shown.js';
import { Card, Columns, Facts, Stack } from '../../parts/page/page-parts.js';
import { StateMark } from '../../parts/state/state-mark.js';
import { waitingNumbers } from '../start/instance-numbers.js';
import { Numbers } from '../start/numbers.js';
import { TEXTS } from './texts.js';

/** Whether each part that the service needs works, and what waits. */
export function PartsPart(): ReactElement {
  const parts = useRead<Parts>('/instance/parts', { every: LIVELY_MS });
  const { temporal_ui_url, grafana_url } = useSession();
  const elsewhere = [
    [TEXTS.temporal, temporal_ui_url],
    [TEXTS.metrics, grafana_url],
  ] as const;
  return (
    <Shown of={parts}>
      {({ parts: examined, waiting, version, build }) => (
        <Stack>
          <Columns>
            <Card title={TEXTS.parts}>
              <Facts
                facts={examined.map(({ name, ok, detail, remedy }) => [
                  name.replaceAll('_', ' '),
                  <>
                    <StateMark
                      state={
                        ok
                          ? { tone: 'good', word: TEXTS.works }
                          : { tone: 'bad', word: TEXTS.fails }
                      }
                    />
                    {!ok && <p>{[detail, remedy].filter(Boolean).join('. ')}.</p>}
                  </>,
                ])}
              />
            </Card>
            <Card title={TEXTS.waiting} isFlush={waiting !== null}>
              {waiting === null ? (
                <p className="muted">{TEXTS.waitingNotRead}</p>
              ) : (
                <Numbers numbers={waitingNumbers(waiting)} />
              )}
            </Card>
          </Columns>
          <p className="muted small">
            {TEXTS.version(version, build)}
            {elsewhere.map(
              ([name, url]) =>
                url !== null && (
                  <span key={name}>
                    {' · '}
                    <a href={url} target="_blank" rel="noreferrer">
                      {name}
                    </a>
                  </span>
                ),
            )}
          </p>
        </Stack>
      )}
    </Shown>
  );
}
