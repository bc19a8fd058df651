import type { ReactElement } from 'react';
import type {
  Counts,
  StartFacts,
} from '../../../../console-server/src/operations/start/start-answers.js';
import { CALM_MS, useRead } from '../../data/use-read.js';
import { operationIn, useContextOfPath } from '../../frame/address.js';
import { useDoneHere } from '../../frame/done-here.js';
import { PageTitle } from '../../frame/page-title.js';
import { Shown } from '../../frame/states/shown.js';
import { Card, Columns } from '../../parts/page/page-parts.js';
import { appNumbers, attention } from './app-numbers.js';
import { firstSteps } from './first-steps.js';
import { Numbers } from './numbers.js';
import { StepsCard } from './steps-card.js';
import { TEXTS } from './texts.js';

/** The first page of an app: what to do next, and what needs attention. */
export default function StartPage(): ReactElement {
  const context = useContextOfPath();
  const [here] = useDoneHere(context);
  const facts = useRead<StartFacts>(operationIn(context, '/start'), { every: CALM_MS });
  const counts = useRead<Counts>(operationIn(context, '/counts'), { every: CALM_MS });
  return (
    <>
      <PageTitle title={TEXTS.title}>
        {counts.data === undefined ? '\u00a0' : attention(counts.data)}
      </PageTitle>
      <Columns>
        <Shown of={facts}>
          {(answer) => <StepsCard steps={firstSteps(context, answer, here)} />}
        </Shown>
        <Card
          title={TEXTS.now}
          aside={<span className="muted small">{TEXTS.everyMinute}</span>}
          isFlush
        >
          <Shown of={counts}>{(answer) => <Numbers numbers={appNumbers(context, answer)} />}</Shown>
        </Card>
      </Columns>
    </>
  );
}
