/** docs/operating/metrics.md, from the tables of apps/platform/src/metrics. */
export const metricsPage = (groups, labels) => `# Metrics

Each process shows its metrics for Prometheus at \`GET /metrics\` of its operator port: the API at \`METRICS_PORT\`, the worker at
\`WORKER_METRICS_PORT\`, the webhooks process at \`WEBHOOKS_METRICS_PORT\`, all on \`METRICS_HOST\`. What to alert on, and what to do then, is in
[monitoring](monitoring.md).

- Every worker shows the same gauges of the database: use \`max\` over them, and \`sum\` over counters. They are read at most every 15 s,
  those of quotas and catalogues every 5 minutes. If a reading fails, its gauges are missing and
  \`tributary_gauge_readings_failed_total\` rises; the other metrics are there.
- Counters begin at 0 with each process.
- Names that end in \`_timestamp_seconds\`, \`process_start_time_seconds\` and \`tributary_provider_credentials_end_seconds\` are points in
  time: compare them with \`time()\`. Other seconds are durations.
- The worker shows the metrics of the Temporal SDK (\`temporal_…\`: slots, polls, latencies of tasks) on a port of their own when
  \`WORKER_SDK_METRICS_PORT\` is set. Temporal documents them in its
  [SDK metrics reference](https://docs.temporal.io/references/sdk-metrics).

This page is generated from \`apps/platform/src/metrics/\` by \`npm run docs\`. A test compares it with what the processes show.
${Object.entries(groups)
  .map(
    ([question, metrics]) => `
## ${question}

| Name | Type | Labels | Processes | Meaning |
|---|---|---|---|---|
${Object.entries(metrics)
  .map(
    ([name, { type, labels: names, processes, help }]) =>
      `| \`${name}\` | ${type} | ${listed(names)} | ${processes.join(', ')} | ${help} |`,
  )
  .join('\n')}
`,
  )
  .join('')}
## Labels

No label holds an id of a customer's data, an address or free text. \`institution\` names entries of the public catalogue.

| Label | Values |
|---|---|
${Object.entries(labels)
  .map(([name, { values }]) => `| \`${name}\` | ${values} |`)
  .join('\n')}
`;

const listed = (names) => names.map((name) => `\`${name}\``).join(', ') || '–';
