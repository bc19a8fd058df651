import { initialState, reduce, type FlowAction, type FlowState } from './flow-state.js';

/** Holds the state and notifies subscribers; in the form React requires of an external store. */
export class FlowStore {
  private state = initialState;
  private readonly listeners = new Set<() => void>();

  readonly get = (): FlowState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  dispatch(action: FlowAction): void {
    const next = reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    for (const listener of [...this.listeners]) listener();
  }
}
