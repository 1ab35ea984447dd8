import { expect, test } from 'vitest'
import { renderAnswer as renderOnServer } from '../../server/src/actions/templates.ts'
import { changedFields, nameOf } from '../src/features/actions/action-draft.ts'
import { pathBelow, renderAnswer } from '../src/features/actions/render-answer.ts'

const response = {
  status: 'on its *way*',
  days: 3,
  late: false,
  empty: '',
  nothing: null,
  url: 'https://velo.example/t/1',
  items: [{ title: 'Bell\n# x' }],
  long: 'x'.repeat(600),
}
const values = { order_number: 'A-1', name: '[x](https://evil.example)' }
const templates = [
  '',
  'Order {{order_number}} is {{response.status}}, {{ response.days }} days, {{response.late}}.',
  '{{name}}: {{response.items[0].title}}{{response.items[9].title}}{{response.nothing}}{{response.items}}',
  '[Track]({{response.url}}) {{response.long}} {{unknown}} {{response.constructor}}',
  '{{response.empty}}',
]

test('the preview shows the answer that the server gives', () => {
  for (const template of templates)
    for (const each of [response, [response], 'text', null]) {
      const expected = renderOnServer(template === '' ? null : template, values, each, { done: 'Done.' })
      expect(renderAnswer(template, values, each, 'Done.')).toBe(expected)
    }
})

test('only fields that a template can name have a path', () => {
  expect(pathBelow('response', 'größe')).toBe('response.größe')
  expect(pathBelow('response.items', 0)).toBe('response.items[0]')
  for (const name of ['not a path', '1st', 'a.b', '']) expect(pathBelow('response', name)).toBeNull()
})

test('the name of an input follows from its description', () => {
  expect(nameOf('Order number')).toBe('order_number')
  expect(nameOf(' 2. Größe (cm)!')).toBe('grosse_cm')
  expect(nameOf('№')).toBe('no')
})

test('a saved action sends what changed, and its confirmation along with the request', () => {
  const storedAction = { name: 'A', confirm: false, request: { method: 'GET' as const, url: 'https://a.example/' } }
  expect(changedFields({ ...storedAction }, storedAction)).toEqual({})
  expect(changedFields({ ...storedAction, name: 'B' }, storedAction)).toEqual({ name: 'B' })
  const request = { method: 'POST' as const, url: 'https://a.example/' }
  expect(changedFields({ ...storedAction, request }, storedAction)).toEqual({ request, confirm: false })
})
