import { Type } from 'typebox'
import { type ErrorCode, errorCatalogue } from './errors.ts'
import { OneOf } from './schema.ts'

export const Health = Type.Object(
  { status: Type.String(), details: Type.Optional(Type.Record(Type.String(), Type.String())) },
  { $id: 'Health' },
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
      request_id: Type.String({ description: 'Also in the header x-request-id.' }),
    }),
  },
  { $id: 'Error' },
)
