import { DocentError } from '@docent/sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fieldSentence } from '../src/messages/de/field-sentences.ts'

test('German readers get the server’s sentences in German', () => {
  expect(fieldSentence('Use at least 10 characters.')).toBe('Verwenden Sie mindestens 10 Zeichen.')
  expect(fieldSentence('Use one of these: a, b.')).toBe('Wählen Sie einen dieser Werte: a, b.')
  expect(fieldSentence('Something new.')).toBe('Something new.')
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
