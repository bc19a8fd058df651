export function expectLoss<Emitter extends NodeJS.EventEmitter>(emitter: Emitter): Emitter;
