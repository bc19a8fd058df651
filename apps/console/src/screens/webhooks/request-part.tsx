import { useState, type ReactElement } from 'react';
import { SegmentedControl } from '@mantine/core';
import type { EventRequest } from '../../../../console-server/src/operations/webhooks/webhook-answers.js';
import { useRead } from '../../data/use-read.js';
import { operationIn } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Shown } from '../../frame/states/shown.js';
import { CodeBlock } from '../../parts/code/call.js';
import { Facts, Stack } from '../../parts/page/page-parts.js';
import { requestAsCurl } from './request-as-curl.js';
import { TEXTS } from './texts.js';

export const requestPath = (context: Context, eventId: string): string =>
  operationIn(context, `/events/${encodeURIComponent(eventId)}/request`);

const OWN_RECEIVER = 'http://localhost:3000/hook';

/** The request of an event, byte for byte. */
export function RequestPart({
  context,
  eventId,
}: {
  context: Context;
  eventId: string;
}): ReactElement {
  const reading = useRead<EventRequest>(requestPath(context, eventId));
  const [form, setForm] = useState('exact');
  return (
    <Shown of={reading} rows={6}>
      {(request) => (
        <Stack>
          <p className="muted">
            {TEXTS.requestHint}
            {request.hides_tokens && ` ${TEXTS.tokensHidden}`}
          </p>
          <CodeBlock
            name={`${request.method} ${request.url ?? ''}`}
            text={Object.entries(request.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          />
          <div>
            <SegmentedControl
              aria-label={TEXTS.body}
              size="xs"
              mb={8}
              value={form}
              onChange={setForm}
              data={[
                { value: 'exact', label: TEXTS.exact },
                { value: 'pretty', label: TEXTS.pretty },
              ]}
            />
            <CodeBlock
              name={TEXTS.body}
              text={form === 'pretty' ? readable(request.body) : request.body}
            />
          </div>
          <Facts facts={[['SHA-256', <code key="digest">{request.body_sha256}</code>]]} />
          {!request.hides_tokens && (
            <CodeBlock name={TEXTS.curl} text={requestAsCurl(request, OWN_RECEIVER)} />
          )}
        </Stack>
      )}
    </Shown>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
