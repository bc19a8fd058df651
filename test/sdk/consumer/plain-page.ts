// Compiled, never run: code that an app with connect-js may contain, and code that it may not.
import {
  createConnect,
  version,
  type Connect,
  type ConnectExit,
  type ConnectOptions,
  type ConnectSuccess,
  type Theme,
} from '@tributary/connect-js';

const theme: Theme = {
  colors: { accent: { light: '#1f4fd8', dark: '#7fa2ff' }, background: 'white' },
  typography: { font_family: 'Inter', title: { size: '24px', weight: 620 } },
  button: { use_institution_color: true },
  texts: { finder_title: { en: 'Choose your bank', de: 'Wählen Sie Ihre Bank' } },
};

export function tokenOf(success: ConnectSuccess): string | null {
  // @ts-expect-error a repaired link has no token
  void success.exchangeable_token;
  return success.mode === 'link' ? success.exchangeable_token : null;
}

const options: ConnectOptions = {
  connectBaseUrl: 'https://api.example/connect',
  onSuccess: (success) => tokenOf(success),
  onExit: ({ reason, error }: ConnectExit) => [reason, error?.error_id],
  onEvent: (event) =>
    event.name === 'change_screen'
      ? event.properties['current_screen_name']
      : event.meta.link_session_id,
  theme,
  closeOnSuccess: false,
};

export const connect: Connect = createConnect(options);
connect.open({ linkSessionToken: 'token' });
connect.continue({ url: location.href });
connect.continue({ url: location.href, linkSessionToken: 'token', onHandedOver: () => undefined });
connect.exit();
connect.exit({ force: true });
connect.update({ theme, appearance: 'dark', onExit: () => undefined });
connect.destroy();
export const sdkVersion: string = version;

// @ts-expect-error without a callback the app would never learn of the success
createConnect({ connectBaseUrl: 'https://api.example/connect' });
// @ts-expect-error there is no such appearance
createConnect({ ...options, appearance: 'sepia' });
// @ts-expect-error a token is needed
connect.open({});
