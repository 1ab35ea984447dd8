// The state of the process.
import { Type } from 'typebox'
import type { RouteSpec } from '../route.ts'
import { Health } from '../system.ts'

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
    tag: 'System',
    caller: 'anyone',
    status: 200,
    answer: Health,
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
