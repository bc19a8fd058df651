import type { Provider } from '@nestjs/common';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { connectProtocol } from '../connect/connect-protocol.js';
import { headerNames } from '../http/header-names.js';
import { nativeProtocol } from '../http/native-protocol.js';
import { Protocols } from '../http/protocol.js';
import { RouteTable } from '../http/route-table.js';
import { plaidProtocol } from '../plaid/plaid-protocol.js';
import { simplefinProtocol } from '../simplefin/simplefin-protocol.js';

/** The APIs of this process; the native one responds to what no other serves. */
export const PROTOCOLS: Provider = {
  provide: Protocols,
  inject: [RouteTable, SETTINGS],
  useFactory: (routes: RouteTable, { baseUrl, connectBaseUrl, headerPrefix }: ApiSettings) =>
    new Protocols([
      plaidProtocol({ routes, baseUrl, headers: headerNames(headerPrefix) }),
      simplefinProtocol(),
      connectProtocol({ routes, baseUrl, connectBaseUrl }),
      nativeProtocol({ routes, baseUrl }),
    ]),
};
