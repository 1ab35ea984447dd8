import { DocentError } from '@docent/sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { translateSentence } from '../src/text/explain-error.ts'
import { withScheme } from '../src/text/with-scheme.ts'
import { fieldSentences } from '../src/texts/de/field-sentences.ts'

test('German readers get the server’s sentences in German', () => {
  const inGerman = (sentence: string) => translateSentence(sentence, fieldSentences)
  expect(inGerman('Use at least 10 characters.')).toBe('Verwenden Sie mindestens 10 Zeichen.')
  expect(inGerman('Use one of these: a, b.')).toBe('Wählen Sie einen dieser Werte: a, b.')
  const host = 'This host resolves to a private address, which is not allowed.'
  expect(inGerman(`${host} The operator can allow it with ALLOWED_PRIVATE_NETWORKS.`)).toMatch(
    /^Dieser Host hat .+ ALLOWED_PRIVATE_NETWORKS erlauben\.$/,
  )
  const englishError = 'Too many attempts. Try again in 12 minutes.'
  expect(inGerman(englishError)).toBe('Zu viele Versuche. Versuchen Sie es in 12 Minuten erneut.')
  expect(inGerman('The website responds with an error (503).')).toBe('Die Website antwortet mit einem Fehler (503).')
  expect(inGerman('No complete response within 10 seconds.')).toContain('innerhalb von 10 Sekunden')
  expect(inGerman('The server could not be reached or closed the connection.')).toContain('nicht erreichbar')
  expect(inGerman('Something new.')).toBe('Something new.')
})

test('an address without a scheme gets one, and slips are left for the server to refuse', () => {
  expect(withScheme(' example.com ')).toBe('https://example.com')
  expect(withScheme('www.example.com:8080/a?b#c')).toBe('https://www.example.com:8080/a?b#c')
  expect(withScheme('localhost:9220/docs')).toBe('http://localhost:9220/docs')
  expect(withScheme('localhost:11434/v1')).toBe('http://localhost:11434/v1')
  expect(withScheme('192.168.0.7:3000')).toBe('http://192.168.0.7:3000')
  expect(withScheme('bücher.example?a=1')).toBe('https://bücher.example?a=1')
  const others = ['', 'http://example.com', 'htps://example.com', 'http:/example.com', 'mailto:a@example.com']
  for (const text of [...others, '/datenschutz', 'a@example.com', 'two words.example'])
    expect(withScheme(text)).toBe(text)
})

test('what the server says of a field, or of a part of it, is shown with that field only', async () => {
  vi.stubGlobal('location', { origin: 'http://docent.test' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { fieldError } = await import('../src/client.ts')
  const details = [
    { path: 'language_model.base_url', message: 'Enter a URL.' },
    { path: 'include.0', message: 'Start with a slash.' },
  ]
  const error = new DocentError({ status: 400, code: 'validation_failed', message: 'No.', details })
  expect(fieldError(error, 'language_model.base_url')).toBe('Enter a URL.')
  expect(fieldError(error, 'include')).toBe('Start with a slash.')
  expect(fieldError(error, 'language_model.base')).toBeUndefined()
  expect(fieldError(new Error('No.'), 'include')).toBeUndefined()
})
