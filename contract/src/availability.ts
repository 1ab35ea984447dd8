// Whether a member takes conversations now.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofWorkspace, type RouteSpec } from './route.ts'
import { Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'
import { OfficeHours } from './widget-settings.ts'

export const AVAILABILITY_STATUSES = ['online', 'away'] as const

export const Availability = Type.Object(
  {
    status: OneOf(AVAILABILITY_STATUSES, { description: 'Members are online until they set it to `away`.' }),
    hours: Nullable(OfficeHours),
  },
  {
    $id: 'Availability',
    description:
      'When a member takes conversations: while online and within these hours (null: at any time). A bot hands over only while somebody of its team is available.',
  },
)
export type Availability = Static<typeof Availability>

const SetAvailability = Type.Partial(Availability)

export const availabilityRoutes = {
  'GET /api/manage/v1/workspaces/{workspaceId}/availability': {
    summary: 'Read your availability',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofWorkspace,
    status: 200,
    response: Availability,
    errors: [...MANAGER_ERRORS, 'not_found'],
  },
  'PUT /api/manage/v1/workspaces/{workspaceId}/availability': {
    summary: 'Set your availability',
    description:
      'What is left out stays as it is. Visitors are offered a person only while somebody is available; widgets that are open notice within about a minute.',
    tag: 'Inbox',
    caller: 'management',
    role: 'agent',
    params: ofWorkspace,
    body: SetAvailability,
    status: 200,
    response: Availability,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
