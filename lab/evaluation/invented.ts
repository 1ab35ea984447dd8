// Whether a reply has figures or addresses that neither the content nor the visitor gave.

const FIGURE = /\d(?:[\d.,:\u00a0\u202f]*\d)?/g
const ADDRESS = /(?:https?:\/\/|www\.)[^\s)\]>"]+|[\w.+-]+@[\w-]+\.[\w.]+/gi
// "1." to "9." at the start of a line number the steps.
const STEP_NUMBER = /^\s*\d\.\s/gm

export function makeFindInvented(contents: readonly string[]): (reply: string, said: readonly string[]) => string[] {
  const content = contents.join('\n')
  const knownFigures = figuresOf(content)
  return (reply, messages) => {
    const conversation = messages.join('\n')
    const askedFigures = figuresOf(conversation)
    const text = reply.replaceAll(STEP_NUMBER, '')
    const addresses = [...text.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, ''))
    const figures = [...figuresOf(text.replaceAll(ADDRESS, ' '))]
    return [
      ...addresses.filter((address) => !content.includes(address) && !conversation.includes(address)),
      ...figures.filter((figure) => !knownFigures.has(figure) && !askedFigures.has(figure)),
    ]
  }
}

/** Without separators, as "1,150.00" and "1.150" are the same. */
function figuresOf(text: string): Set<string> {
  const plain = [...text.matchAll(FIGURE)].map(([figure]) => figure.replace(/[.,]00?$/, '').replaceAll(/\D/g, ''))
  return new Set(plain.map((digits) => digits.replace(/^0+(?=\d)/, '')))
}
