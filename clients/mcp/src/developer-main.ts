#!/usr/bin/env node
import type { TokensIntrospectResult } from '@tributary/node';
import { Refusal } from './serving/explain-failure.js';
import { startServer } from './serving/start-server.js';
import { eventTools } from './tools/event-tools.js';
import { faultTools } from './tools/fault-tools.js';
import { linkTools } from './tools/link-tools.js';
import { sandboxLinkTools } from './tools/sandbox-link-tools.js';
import { worldTools } from './tools/world-tools.js';

await startServer({
  name: 'tributary-mcp-developer',
  checkPair,
  tools: () => [...linkTools, ...sandboxLinkTools, ...worldTools, ...faultTools, ...eventTools],
});

function checkPair({ environment }: TokensIntrospectResult): void {
  if (environment !== 'sandbox')
    throw new Refusal(
      'The key pair belongs to Live, and this server drives the Sandbox. Set CLIENT_ID and CLIENT_SECRET to the Sandbox pair of your app.',
    );
}
