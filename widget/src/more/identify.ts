// Visitors whom the page knows: their conversation follows them, and stays theirs when they log out.
import type { Identified } from '@docent/contract'
import { reportError } from '../chat/context.ts'
import type { View } from '../view/view.ts'

export async function identify({ server, store, texts, visitor, conversation, restart }: View, isOpen: boolean) {
  const { user_token } = visitor()
  /** Another visitor's conversation is no longer shown. */
  const goOn = (session: string | undefined, token: string | undefined) => {
    const isOther = session !== store.get().session
    store.set({ token })
    if (isOther) restart(session, isOpen)
  }
  try {
    if (user_token) {
      const response: Identified = await (await server.ask('identify', { user_token })).json()
      store.set({ known: true })
      if (response.switched) goOn(response.session_id ?? undefined, response.visitor_token ?? undefined)
      else if (response.visitor_token) store.set({ token: response.visitor_token })
      return
    }
  } catch (error) {
    reportError(error, { texts, emit: conversation().emit })
    // Not refused, but out of reach.
    if (visitor().user_token) return
  }
  if (store.get().known) goOn(undefined, undefined)
  store.set({ known: false })
}
