import { Type } from 'typebox'
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { Nullable, OneOf } from './schema.ts'

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
