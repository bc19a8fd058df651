import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Where an activity runs in a test; what it throws is looked at by the test, not by a log. */
export const quietEnvironment = (info: { attempt?: number } = {}): MockActivityEnvironment =>
  new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
