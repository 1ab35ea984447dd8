// Health and metrics.
import { Type } from 'typebox'
import type { RouteSpec } from '../route.ts'
import { Health, Readiness } from '../system.ts'

export const systemRoutes = {
  'GET /livez': {
    summary: 'Liveness: the process is running',
    tag: 'System',
    caller: 'anyone',
    status: 200,
    answer: Health,
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
    answer: Readiness,
    errors: ['unavailable'],
  },
  'GET /metrics': {
    summary: 'Metrics for Prometheus',
    description: 'With `Authorization: Bearer <METRICS_TOKEN>`, or from the same machine if no token is set.',
    tag: 'System',
    caller: 'operator',
    status: 200,
    answer: Type.String(),
    answerType: 'text/plain',
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSpec>
