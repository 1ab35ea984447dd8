// Every metric with its type, help text and labels. docs/guides/monitoring.md explains them; a test compares the two.
interface Definition {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  labels: readonly string[]
}

export const metricDefinitions = {
  docent_requests_total: counter('Requests by route and status.', 'route', 'status'),
  docent_request_seconds: histogram('Time to answer a request, by route.', 'route'),
  docent_quota_rejections_total: counter('Calls refused because a daily quota was used up.', 'quota'),

  docent_turns_total: counter('Messages that a bot answered, by channel and outcome.', 'channel', 'outcome'),
  docent_turn_seconds: histogram('Time from a message to its stored answer, by channel.', 'channel'),
  docent_turn_stage_seconds: histogram('Time of each stage of a turn; a turn may enter a stage twice.', 'stage'),
  docent_degraded_answers_total: counter('Times that an answer did without a model because it was too late.'),

  docent_model_calls_total: counter('Calls to language models by outcome.', 'outcome'),
  docent_model_tokens_total: counter('Tokens sent to and received from language models.', 'direction'),
  docent_model_seconds: histogram('Time of calls to language models by outcome.', 'outcome'),

  docent_webhook_attempts_total: counter('Attempts to deliver to a webhook.', 'succeeded'),
  docent_webhook_attempt_seconds: histogram('Time of attempts to deliver to a webhook.', 'succeeded'),
  docent_crawled_pages_total: counter('Pages that crawls have visited, by result.', 'result'),
  docent_queue_depth: gauge('Items waiting in a background queue, counted up to 1000.', 'queue'),
  docent_queue_oldest_seconds: gauge('Age of the oldest item waiting in a background queue.', 'queue'),

  docent_password_checks_total: counter('Passwords checked at login.', 'right'),

  docent_index_memory_bytes: gauge('Memory of the indexes of all bots on this node.'),
  docent_index_memory_limit_bytes: gauge('The limit INDEX_MEMORY_BYTES.'),
  docent_ready: gauge('Whether the server can handle requests, as /readyz reports.'),
  docent_build_info: gauge('Always 1, with the version as a label.', 'version', 'database'),

  docent_database_operations_in_progress: gauge('Database operations that run or wait for a connection or a commit.'),
  docent_database_pool_size: gauge('The limit DATABASE_POOL_SIZE; only on PostgreSQL.'),
  docent_database_size_bytes: gauge('Size of the database, measured once a minute.'),
  docent_database_wal_bytes: gauge('Size of the write-ahead log file; only on SQLite.'),
  docent_disk_free_bytes: gauge('Free space of the disk that holds the data folder.'),
  docent_disk_size_bytes: gauge('Size of the disk that holds the data folder.'),

  docent_spans_total: counter('Trace spans, sent to the collector or dropped.', 'result'),

  process_cpu_seconds_total: counter('CPU time of this process, without the model process.'),
  process_resident_memory_bytes: gauge('Resident memory of this process, without the model process.'),
  process_start_time_seconds: gauge('Start of the process, in seconds since 1970.'),
  nodejs_heap_size_used_bytes: gauge('JavaScript heap in use.'),
  nodejs_external_memory_bytes: gauge('Memory outside the JavaScript heap, most of it the indexes.'),
  nodejs_eventloop_lag_p50_seconds: gauge('Median delay of the event loop since the last reading.'),
  nodejs_eventloop_lag_p99_seconds: gauge('99th percentile of the delay of the event loop since the last reading.'),
  nodejs_eventloop_lag_max_seconds: gauge('Longest delay of the event loop since the last reading.'),
} as const satisfies Record<string, Definition>

type Definitions = typeof metricDefinitions
export type MetricName = keyof Definitions
type OfType<T> = { [N in MetricName]: Definitions[N]['type'] extends T ? N : never }[MetricName]
export type CounterName = OfType<'counter'>
export type GaugeName = OfType<'gauge'>
export type HistogramName = OfType<'histogram'>
export type Labels<N extends MetricName> = Record<Definitions[N]['labels'][number], string | number | boolean>

function counter<const L extends string[]>(help: string, ...labels: L) {
  return { type: 'counter', help, labels } as const
}

function gauge<const L extends string[]>(help: string, ...labels: L) {
  return { type: 'gauge', help, labels } as const
}

function histogram<const L extends string[]>(help: string, ...labels: L) {
  return { type: 'histogram', help, labels } as const
}
