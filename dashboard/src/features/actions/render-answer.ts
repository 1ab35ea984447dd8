// The answer of an action as its visitor will read it, for the preview. The server renders the real one in
// server/src/actions/templates.ts; a test holds both to the same text.

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
const RESPONSE_PATH = /^response((?:\.[\p{L}_$][\p{L}\p{N}_$-]*|\[\d{1,4}\])*)$/u
const FIELD_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const LONGEST_VALUE = 500
const LISTED_FIELDS = 6

export function renderAnswer(template: string, values: Record<string, string>, response: unknown, doneText: string) {
  const text =
    template.trim() === ''
      ? listFields(response)
      : template.replace(PLACEHOLDER, (_, name: string) =>
          asText(RESPONSE_PATH.test(name) ? valueAt(response, name) : values[name]),
        )
  return text.trim() || doneText
}

/** Without a template: the first fields that hold a plain value. */
function listFields(response: unknown): string {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return ''
  return Object.entries(response)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, LISTED_FIELDS)
    .map(([name, value]) => `- ${asText(name.replaceAll('_', ' '))}: ${asText(value)}`)
    .join('\n')
}

function valueAt(response: unknown, path: string): unknown {
  const steps = path.slice('response'.length).match(/[^.[\]]+/g) ?? []
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    response,
  )
}

/** One line in which nothing is markup. */
function asText(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'object') return ''
  const line = String(value)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim()
  const cut = line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE - 1)}…` : line
  if (/^https?:\/\/[^\s<>"'()[\]\\*_`]+$/.test(cut)) return cut
  return cut.replace(/[\\`*_{}[\]()<>#+!|~-]/g, (sign) => `\\${sign}`)
}

/** The path of a field below another one; null if templates cannot name it. */
export function pathBelow(path: string, step: string | number): string | null {
  if (typeof step === 'number') return `${path}[${step}]`
  return FIELD_NAME.test(step) ? `${path}.${step}` : null
}
