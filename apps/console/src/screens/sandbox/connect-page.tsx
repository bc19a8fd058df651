import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { AppOverview } from '../../../../console-server/src/operations/apps/app-shapes.js';
import type {
  InstitutionsListResult,
  LinkSessionsCreateRequest,
  LinkSessionsCreateResult,
} from '../../../../../clients/node/src/generated/types.js';
import { useSession } from '../../data/session.js';
import { useChange } from '../../data/use-change.js';
import { useMayChange } from '../../frame/use-may-change.js';
import { useRead } from '../../data/use-read.js';
import { nativeIn, placeIn, useAddress, useContextOfPath } from '../../frame/address.js';
import type { Context } from '../../frame/screen.js';
import { Call, CodeBlock } from '../../parts/code/call.js';
import { FailureText } from '../../parts/confirm/failure-text.js';
import { Card, Stack } from '../../parts/page/page-parts.js';
import { ConnectTrial, type Trial } from './connect-trial.js';
import { listsOrigin } from './lists-origin.js';
import { SandboxHead } from './sandbox-head.js';
import classes from './sandbox.module.css';
import { TEXTS } from './texts.js';
import { WorldField } from './world-field.js';

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
  const { base_url: baseUrl } = useSession();
  const mayChange = useMayChange();
  const [bank, setBank] = useState('');
  const [user, setUser] = useState('test-user');
  const [webhook, setWebhook] = useState('');
  const [world, setWorld] = useState('');
  const { send, isSending, failure } = useChange<LinkSessionsCreateResult>();
  const { data: app } = useRead<AppOverview>(`/apps/${encodeURIComponent(context.app)}/overview`);
  const missing = app === undefined ? [] : missingOrigins(app);
  const body: LinkSessionsCreateRequest = {
    customer_user: { id: user.trim() },
    redirect_uri: `${location.origin}${placeIn(context, '/connect')}`,
    ...(bank === '' ? {} : { institution_id: bank }),
    ...(webhook.trim() === '' ? {} : { webhook: webhook.trim() }),
    ...(world === '' ? {} : { world_id: world }),
  };
  const isReady = user.trim() !== '' && app !== undefined && missing.length === 0;
  const create = async (): Promise<void> => {
    const sent = await send({ method: 'POST', path: nativeIn(context, '/link-session'), body });
    if (sent === undefined) return;
    const { link_session_token: token, session_id: sessionId } = sent.answer;
    onCreated({ token, sessionId });
  };
  return (
    <Card title={TEXTS.connect}>
      <div className={classes.callForm}>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady && !isSending) void create();
          }}
        >
          <p className="muted">{TEXTS.connectHint}</p>
          <div className={classes.fields}>
            <BankChoice context={context} value={bank} onChange={setBank} />
            <TextInput
              label={TEXTS.user}
              required
              value={user}
              onChange={({ currentTarget }) => setUser(currentTarget.value)}
            />
            <WorldField context={context} value={world} onChange={setWorld} />
          </div>
          <TextInput
            label={TEXTS.webhook}
            description={TEXTS.webhookHint}
            type="url"
            value={webhook}
            onChange={({ currentTarget }) => setWebhook(currentTarget.value)}
          />
          {missing.length > 0 && (
            <>
              <p>{TEXTS.notListed}</p>
              <CodeBlock name={TEXTS.listIt} text={missing.join('\n')} />
            </>
          )}
          <FailureText failure={failure} />
          {mayChange && (
            <div>
              <Button type="submit" loading={isSending} disabled={!isReady}>
                {TEXTS.openConnect}
              </Button>
            </div>
          )}
        </form>
        <Call
          call={{
            method: 'POST',
            path: '/link-session',
            operation: 'linkSessions.create',
            values: [],
            body: { ...body },
          }}
          baseUrl={baseUrl}
        />
      </div>
    </Card>
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

/** The banks of the sandbox, or the choice of the user in Connect. */
function BankChoice({
  context,
  value,
  onChange,
}: {
  context: Context;
  value: string;
  onChange: (institutionId: string) => void;
}): ReactElement {
  const { data } = useRead<InstitutionsListResult>(nativeIn(context, '/institutions?limit=100'));
  return (
    <NativeSelect
      label={TEXTS.bank}
      value={value}
      data={[
        { value: '', label: TEXTS.userChooses },
        ...(data?.institutions ?? []).map(({ institution_id, name }) => ({
          value: institution_id,
          label: name,
        })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
