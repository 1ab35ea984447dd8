import type { AnswerChat } from '../../../conversations/answer-chat.ts'
import { requireAcceptable } from '../../acceptable.ts'
import { createAnswerCall } from '../../answer-call.ts'
import type { Route } from '../../route.ts'
import { streamAnswer } from '../../streams/stream-answer.ts'

export function chatRoutes(route: Route, { answerChat }: { answerChat: AnswerChat }) {
  route('POST /api/v1/chat', async (incoming) => {
    const { body, request, reply } = incoming
    requireAcceptable(request, body.stream ? 'text/event-stream' : 'application/json')
    const answer = createAnswerCall(answerChat, incoming, body)
    if (!body.stream) return answer()
    return streamAnswer(request, reply, {
      run: ({ start, text }) =>
        answer({ onStart: (turn) => start(toStart(turn.sessionId, turn.messageId)), onText: text }),
      start: ({ session_id, message_id }) => toStart(session_id, message_id),
      text: ({ response }) => response,
      onFault: (status, fault) => request.mirrorEnd(reply, status, fault),
    })
  })
}

function toStart(sessionId: string, messageId: string) {
  return { session_id: sessionId, message_id: messageId }
}
