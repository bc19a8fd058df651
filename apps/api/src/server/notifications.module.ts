import { Module } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { CLIENT_CHANGED } from '../../../../prisma/tenants/applications/change-client.js';
import { ChannelListener } from '../../../../prisma/base/database/channel-listener.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import { logListeningFailures } from '../../../platform/src/database/listening-failures.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { TokenCache } from '../auth/token-cache.js';
import { ConnectModule } from '../connect/connect.module.js';
import { SessionNotifications } from '../connect/session/session-notifications.js';

/** Delivers notifications of other processes through PostgreSQL, over one connection. */
@Module({
  imports: [AuthModule, ConnectModule],
  providers: [
    {
      provide: ChannelListener,
      inject: [DATABASE_CONTEXT, SessionNotifications, TokenCache, LOGGER],
      useFactory: (
        { database: { pool } }: Context,
        sessions: SessionNotifications,
        tokens: TokenCache,
        logger: Logger,
      ) =>
        new ChannelListener({
          pool,
          on: {
            link_session: (sessionId) => sessions.changed(sessionId),
            client_changed: () => tokens.clear(),
          },
          confirms: CLIENT_CHANGED,
          onListening: () => tokens.resume(),
          onLost: () => tokens.pause(),
          onError: logListeningFailures(logger),
        }),
    },
  ],
})
export class NotificationsModule {}
