import { Parser } from 'htmlparser2'
import { makeDepthCounter } from './parse-limits.ts'

interface Handlers {
  open: (name: string, attributes: Record<string, string>) => void
  /** Implied: the text ended inside the element. */
  close?: (name: string, isImplied: boolean) => void
  text?: (text: string) => void
}

export function parseXml(xml: string, maxDepth: number, { open, close, text }: Handlers) {
  const nesting = makeDepthCounter(maxDepth)
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open()
        open(name, attributes)
      },
      onclosetag(name, isImplied) {
        nesting.close()
        close?.(name, isImplied)
      },
      ...(text ? { ontext: text } : {}),
    },
    { xmlMode: true },
  )
  parser.end(xml)
}
