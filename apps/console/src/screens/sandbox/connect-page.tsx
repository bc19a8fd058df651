import { Checkbox, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { AppOverview } from '../../../../console-server/src/operations/apps/app-shapes.js';
import type {
  LinkSessionsCreateRequest,
  LinkSessionsCreateResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useChange } from '../../data/use-change.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn, placeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { CodeBlock } from '../../parts/code/call.js';
import { Stack } from '../../parts/page/page-parts.js';
import { BankField } from './bank-field.js';
import { CallForm } from './call-form.js';
import { ConnectTrial, type Trial } from './connect-trial.js';
import { listsOrigin } from './lists-origin.js';
import { SandboxHead } from './sandbox-head.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';
import { WebhookField } from './webhook-field.js';
import { WorldField } from './world-field.js';

const PREFETCHED = { prefetch: true };

/** Connect as users of the app see it, with its callbacks and calls beside it. */
export default function ConnectPage(): ReactElement {
  const context = useContextOfPath();
  const { value } = useAddress();
  const [trial, setTrial] = useState<Trial | null>(null);
  // The page of a return from a bank: the SDK hands it to the window that started, or continues here.
  const isReturn = value('oauth_state_id') !== '';
  const [returned] = useState(() => (isReturn ? location.href : null));
  return (
    <>
      <SandboxHead context={context} current="connect" />
      <Stack>
        {returned === null && <SessionForm context={context} onCreated={setTrial} />}
        {returned !== null && <ConnectTrial context={context} trial={{ returned }} />}
        {trial !== null && <ConnectTrial key={keyOf(trial)} context={context} trial={trial} />}
      </Stack>
    </>
  );
}

const keyOf = (trial: Trial): string => ('returned' in trial ? trial.returned : trial.sessionId);

function SessionForm({
  context,
  onCreated,
}: {
  context: Context;
  onCreated: (trial: Trial) => void;
}): ReactElement {
  const [bank, setBank] = useState('');
  const [user, setUser] = useState('test-user');
  const [webhook, setWebhook] = useState('');
  const [world, setWorld] = useState('');
  const [further, setFurther] = useState<readonly string[]>([]);
  const { send, isSending, failure } = useChange<LinkSessionsCreateResult>();
  const { data: app } = useRead<AppOverview>(`/apps/${encodeURIComponent(context.app)}/overview`);
  const missing = app === undefined ? [] : missingOrigins(app);
  const body: LinkSessionsCreateRequest = {
    customer_user: { id: user.trim() },
    redirect_uri: `${location.origin}${placeIn(context, '/connect')}`,
    ...(bank === '' ? {} : { institution_id: bank }),
    ...(webhook.trim() === '' ? {} : { webhook: webhook.trim() }),
    ...(world === '' ? {} : { world_id: world }),
    ...(further.length === 0
      ? {}
      : // Beside the products that the app asks for by default (link-lifecycle 2.2).
        { products_settings: Object.fromEntries(further.map((name) => [name, PREFETCHED])) }),
  };
  const isReady = user.trim() !== '' && app !== undefined && missing.length === 0;
  const create = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, '/link-session'), body });
    if (sent === undefined) return;
    const { link_session_token: token, session_id: sessionId } = sent.answer;
    onCreated({ token, sessionId });
  };
  return (
    <CallForm
      title={TEXTS.connect}
      hint={TEXTS.connectHint}
      action={TEXTS.openConnect}
      call={{
        method: 'POST',
        path: '/link-session',
        operation: 'linkSessions.create',
        values: [],
        body: { ...body },
      }}
      isSending={isSending}
      failure={failure}
      isReady={isReady}
      onSend={() => void create()}
      result={null}
    >
      <div className={classes.fields}>
        <BankField context={context} value={bank} none={TEXTS.userChooses} onChange={setBank} />
        <TextInput
          label={TEXTS.user}
          required
          value={user}
          onChange={({ currentTarget }) => setUser(currentTarget.value)}
        />
        <WorldField context={context} value={world} onChange={setWorld} />
      </div>
      <Checkbox.Group label={TEXTS.alsoAsk} value={[...further]} onChange={setFurther}>
        <Stack>
          {TEXTS.furtherProducts.map(([name, label]) => (
            <Checkbox key={name} value={name} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <WebhookField value={webhook} onChange={setWebhook} />
      {missing.length > 0 && (
        <>
          <p>{TEXTS.notListed}</p>
          <CodeBlock name={TEXTS.listIt} text={missing.join('\n')} />
        </>
      )}
    </CallForm>
  );
}

/** The commands that let an app with lists of origins be tried on this page. */
function missingOrigins({ app_id, redirect_origins, page_origins }: AppOverview): string[] {
  const { origin } = location;
  const options = [
    ...(listsOrigin(redirect_origins, origin)
      ? []
      : [...redirect_origins, origin].map((each) => `--redirect-origin ${each}`)),
    ...(listsOrigin(page_origins, origin)
      ? []
      : [...page_origins, origin].map((each) => `--page-origin ${each}`)),
  ];
  return options.length === 0
    ? []
    : [`npm run -s operator -- apps update ${app_id} ${options.join(' ')}`];
}
