// Health and metrics.

import { type ErrorCode, errorCatalogue } from './errors.ts'
import type { RouteSpec } from './route.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const Health = Type.Object({ status: Type.String() }, { $id: 'Health' })

const Backlog = Type.Object(
  {
    depth: Type.Integer({ description: 'Number of waiting items, counted up to 1000.' }),
    oldest_seconds: Type.Integer({ description: 'How long the oldest item has waited; 0 if nothing is due.' }),
  },
  { $id: 'Backlog' },
)

export const Readiness = Type.Object(
  {
    status: Type.String(),
    details: Type.Record(Type.String(), Type.String(), { description: 'The version and the models in use.' }),
    backlogs: Type.Object(
      {
        vectors: Backlog,
        crawls: Backlog,
        webhooks: Backlog,
      },
      {
        description:
          'Documents waiting for vectors (on this node), due crawls, and pending deliveries, including those to be ' +
          'retried. Counted at most every 5 seconds.',
      },
    ),
    backups: Nullable(
      Type.Object(
        { last_at: Nullable(Timestamp), next_at: Timestamp, failed_at: Nullable(Timestamp) },
        {
          description:
            'Scheduled backups: the last that succeeded, the next, and the last failure since. Null without `BACKUP_EVERY`.',
        },
      ),
    ),
  },
  { $id: 'Readiness' },
)

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: OneOf(Object.keys(errorCatalogue) as ErrorCode[]),
      message: Type.String({ description: 'One helpful sentence.' }),
      details: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
          description: 'One entry per field; only for validation.',
        }),
      ),
      type: Type.Optional(Type.String({ description: 'Under /v1/ only: the OpenAI error type.' })),
      param: Type.Optional(Nullable(Type.String({ description: 'Under /v1/ only: the first invalid parameter.' }))),
      request_id: Type.String({ description: 'Also in the header x-request-id.' }),
    }),
  },
  { $id: 'Error' },
)

export const systemRoutes = {
  'GET /livez': {
    summary: 'Liveness: the process is running',
    tag: 'System',
    caller: 'anyone',
    status: 200,
    response: Health,
    errors: [],
  },
  'GET /readyz': {
    summary: 'Readiness: the server can handle requests',
    description:
      'Writes to the database, at most once a second. 503 names the reason: the disk is full, the database is read-only ' +
      'or unreachable, or the server is stopping.',
    tag: 'System',
    caller: 'anyone',
    status: 200,
    response: Readiness,
    errors: ['unavailable'],
  },
  'GET /metrics': {
    summary: 'Metrics for Prometheus',
    description: 'With `Authorization: Bearer <METRICS_TOKEN>`, or from the same machine if no token is set.',
    tag: 'System',
    caller: 'operator',
    status: 200,
    response: Type.String(),
    responseType: 'text/plain',
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSpec>
