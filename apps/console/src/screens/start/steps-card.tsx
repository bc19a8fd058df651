import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useMayChange } from '../../frame/use-may-change.js';
import { Icon } from '../../frame/icons.js';
import { PlaceLink } from '../../frame/place-link.js';
import { Card } from '../../parts/page/page-parts.js';
import { Time } from '../../parts/time/time.js';
import type { Step } from './first-steps.js';
import css from './start.module.css';
import { TEXTS } from './texts.js';

/** The first steps; the first open one says how it is done. */
export function StepsCard({ steps }: { steps: readonly Step[] }): ReactElement {
  const mayChange = useMayChange();
  const next = steps.find(({ at }) => at === null);
  const done = steps.filter(({ at }) => at !== null).length;
  return (
    <Card title={TEXTS.steps(done, steps.length)} isFlush>
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step.title} data-done={step.at !== null || undefined}>
            <Icon name={step.at === null ? 'circle' : 'ok'} />
            <span className={css.stepTitle}>
              {step.result === null ? (
                step.title
              ) : (
                <PlaceLink href={step.result}>{step.title}</PlaceLink>
              )}
              <span className="visually-hidden">
                : {step.at === null ? TEXTS.open : TEXTS.done}
              </span>
            </span>
            <span className={css.stepAside}>
              {step.at !== null && (
                <>
                  <Time at={step.at} />
                  {step.isDoneHere === true && ` · ${TEXTS.doneHere}`}
                </>
              )}
            </span>
            {step === next && (
              <div className={css.stepMore}>
                <p className="muted">{step.hint}</p>
                {step.action !== null && (mayChange || step.isDoneHere === true) && (
                  <Button component={PlaceLink} href={step.action.href}>
                    {step.action.text}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
