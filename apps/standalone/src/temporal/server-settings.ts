/** The version of `temporal` that is downloaded or built; also the name of its cache folder. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

/** Measured: with the default of 20 polls per second an Update that runs one activity takes 100 ms, with these 12 ms. */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;
