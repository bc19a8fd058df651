import { defaultPayloadConverter } from '@temporalio/common';
import { TRACE_HEADER } from '../../../domain/api/trace-context.js';
import { interceptors } from '../../../workflows/trace/trace-interceptors.js';

const traced = (traceId: string) => ({
  [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceId),
  other: defaultPayloadConverter.toPayload('of someone else'),
});

/** A workflow, as far as the interceptors see it. */
function openWorkflow() {
  const { inbound: [inbound] = [], outbound: [outbound] = [] } = interceptors();
  const call = (side: object | undefined, name: string, headers: object): unknown => {
    let passed: { headers: object } | undefined;
    const next = (input: { headers: object }) => void (passed = input);
    (side as Record<string, (input: object, next: object) => unknown>)[name]?.({ headers }, next);
    return passed?.headers;
  };
  return {
    comes: (name: string, headers: object) => call(inbound, name, headers),
    goes: (name: string, headers = {}) => call(outbound, name, headers),
  };
}

const OUTBOUND = [
  'scheduleActivity',
  'scheduleLocalActivity',
  'startChildWorkflowExecution',
  'signalWorkflow',
  'continueAsNew',
];

describe('The trace of a workflow', () => {
  it.each(OUTBOUND)('is sent with %s, and no other header is', (name) => {
    const workflow = openWorkflow();
    workflow.comes('execute', traced('one'));
    expect(workflow.goes(name)).toEqual({ [TRACE_HEADER]: traced('one')[TRACE_HEADER] });
  });

  it.each(['handleSignal', 'handleUpdate'])('is that of the latest request, by %s', (name) => {
    const workflow = openWorkflow();
    workflow.comes('execute', traced('one'));
    workflow.comes(name, traced('two'));
    workflow.comes(name, {});
    expect(workflow.goes('scheduleActivity')).toEqual({
      [TRACE_HEADER]: traced('two')[TRACE_HEADER],
    });
  });

  it.each(OUTBOUND)('adds nothing to %s when no request caused the workflow', (name) => {
    const workflow = openWorkflow();
    workflow.comes('execute', {});
    expect(workflow.goes(name)).toEqual({});
  });
});
