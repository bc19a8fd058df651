import { listRecord } from '../../../../../prisma/base/operator-actions/operator-record.js';
import { operation } from '../operation.js';
import { PAGE_SIZE } from '../page-size.js';
import { RecordInput, type RecordPage } from './record-shapes.js';

export const LIST_RECORD = operation({
  call: 'GET /instance/record',
  roles: ['operator'],
  level: 'read',
  input: RecordInput,
  run: async ({ service: { context } }, { before, ...filter }): Promise<RecordPage> => {
    const { actions, next } = await listRecord(context, filter, {
      before: before === undefined ? null : BigInt(before),
      limit: PAGE_SIZE,
    });
    const rows = actions.map(({ number, createdAt, actor, action, subject, outcome }) => ({
      number: number.toString(),
      at: createdAt.toISOString(),
      actor,
      action,
      subject,
      outcome,
    }));
    return { rows, before: next?.toString() ?? null };
  },
});
