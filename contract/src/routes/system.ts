// The state of the process.
import { Type } from 'typebox'
import type { RouteSpec } from '../route.ts'
import { Health, Readiness } from '../system.ts'

export const systemRoutes = {
  'GET /livez': {
    summary: 'Is the process alive',
    tag: 'System',
    caller: 'anyone',
    status: 200,
    answer: Health,
    errors: [],
  },
  'GET /readyz': {
    summary: 'Can it serve',
    description:
      'Writes to the database, once a second at most. 503 names the reason: the disk is full, the database can only be ' +
      'read or cannot be reached, the server is stopping.',
    tag: 'System',
    caller: 'anyone',
    status: 200,
    answer: Readiness,
    errors: ['unavailable'],
  },
  'GET /metrics': {
    summary: 'Figures for Prometheus',
    description: 'With `Authorization: Bearer <METRICS_TOKEN>`, or from the machine itself when no such token is set.',
    tag: 'System',
    caller: 'operator',
    status: 200,
    answer: Type.String(),
    answerType: 'text/plain',
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSpec>
