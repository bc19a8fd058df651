// Compiled, never run: the handler of webhooks in a server of Node and in Express.
import { createServer } from 'node:http';
import { Tributary } from '@tributary/node';
import express from 'express';

const { webhooks } = new Tributary();
const handle = webhooks.nodeHandler((event) => event.webhook_idempotency_key, {
  onError: console.error,
});

createServer((request, response) => void handle(request, response)).listen(4400);
express().post('/hooks', handle).listen(4401);
void webhooks.verify(Buffer.from('{}'), { 'service-signature': 'x' });
