'use client'
// <DocentChat bot="bot_…" server="https://…" />: the element as a React component, its events as props.
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react'
import type { DocentApi, DocentChat as DocentElement, DocentEvents, Visitor } from '../docent-widget.d.ts'
import './index.ts'

export interface DocentChatProps {
  bot: string
  /** The URL of the Docent server; the page's own origin by default. */
  server?: string | undefined
  mode?: 'bubble' | 'inline' | 'page' | undefined
  /** Overrides the visitor's language. */
  lang?: string | undefined
  visitor?: Visitor | undefined
  className?: string | undefined
  onOpen?: ((detail: DocentEvents['open']) => void) | undefined
  onClose?: ((detail: DocentEvents['close']) => void) | undefined
  onMessage?: ((detail: DocentEvents['message']) => void) | undefined
  onReply?: ((detail: DocentEvents['reply']) => void) | undefined
  onLead?: ((detail: DocentEvents['lead']) => void) | undefined
  onHandover?: ((detail: DocentEvents['handover']) => void) | undefined
  onExpired?: ((detail: DocentEvents['expired']) => void) | undefined
  onError?: ((detail: DocentEvents['error']) => void) | undefined
}

const HANDLERS = {
  open: 'onOpen',
  close: 'onClose',
  message: 'onMessage',
  reply: 'onReply',
  lead: 'onLead',
  handover: 'onHandover',
  expired: 'onExpired',
  error: 'onError',
} as const satisfies Record<keyof DocentEvents, keyof DocentChatProps>

export const DocentChat = forwardRef<DocentApi, DocentChatProps>(function DocentChat(props, ref) {
  const { bot, server, mode, lang, visitor, className } = props
  const element = useRef<DocentElement>(null)
  const latest = useRef(props)
  latest.current = props
  const identity = JSON.stringify([bot, server, mode, lang])

  useImperativeHandle(ref, () => element.current as DocentApi, [identity])

  useEffect(() => {
    const names = Object.keys(HANDLERS) as (keyof DocentEvents)[]
    const stops = names.map((name) => element.current?.on(name, (detail) => callHandler(latest.current, name, detail)))
    return () => {
      for (const stop of stops) stop?.()
    }
  }, [identity])

  useEffect(() => {
    if (visitor) element.current?.identify(visitor)
  }, [identity, visitor])

  // The element reads its attributes only once, so a change needs a new element.
  return createElement('docent-chat', { key: identity, ref: element, bot, server, mode, lang, class: className })
})

function callHandler<Name extends keyof DocentEvents>(props: DocentChatProps, name: Name, detail: DocentEvents[Name]) {
  const listener = props[HANDLERS[name]] as ((detail: DocentEvents[Name]) => void) | undefined
  listener?.(detail)
}
