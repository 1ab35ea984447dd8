import { Fault } from '@docent/contract'
import type { FastifyRequest } from 'fastify'

export function requireAcceptable(request: FastifyRequest, type: string) {
  const { accept } = request.headers
  if (!accept) return
  const family = `${type.split('/')[0]}/*`
  const accepted = accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return !refused && (name === type || name === family || name === '*/*')
  })
  if (!accepted) throw new Fault('not_acceptable')
}
