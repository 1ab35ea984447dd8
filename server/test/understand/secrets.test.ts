// What is recognised as a secret, and what is not.
import { expect, test } from 'vitest'
import { maskSecrets, namesSecret } from '../../src/answers/understand/secrets.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

const MASKED = [
  ['My card is 4111 1111 1111 1111, please help', 'My card is ••••, please help'],
  ['4111-1111-1111-1111', '••••'],
  ['IBAN DE89 3704 0044 0532 0130 00 and my name', 'IBAN •••• and my name'],
  ['gb29nwbk60161331926819.', '••••.'],
  ['my password is hunter2!', 'my password is ••••'],
  ['Password: sesame', 'Password: ••••'],
  ['My password is: sesame', 'My password is: ••••'],
  ['PIN is: 1234', 'PIN is: ••••'],
  ['PIN - 1234', 'PIN - ••••'],
  ['PIN 1234 does not work', 'PIN •••• does not work'],
  ['Mein Passwort lautet „geheim1“', 'Mein Passwort lautet „••••“'],
  ['Passwort lautet: abc1', 'Passwort lautet: ••••'],
  ['mot de passe : soleil', 'mot de passe : ••••'],
  ['contraseña=sol', 'contraseña=••••'],
  ['Мой пароль: солнце', 'Мой пароль: ••••'],
  ['密码是abc123', '密码是••••'],
  ['パスワードは abc123 です', 'パスワードは •••• です'],
  ['Moje hasło to abc123', 'Moje hasło to ••••'],
  ['Lösenordet är abc123', 'Lösenordet är ••••'],
  ['Adgangskoden er abc123', 'Adgangskoden er ••••'],
  ['şifrem: gizli', 'şifrem: ••••'],
  ['الرمز السري 1234', 'الرمز السري ••••'],
  ['код подтверждения 1234', 'код подтверждения ••••'],
  ['驗證碼是123456', '驗證碼是••••'],
  ['認証コード：123456', '認証コード：••••'],
] as const

const UNCHANGED = [
  'My password is wrong',
  'My PIN - the new one - is wrong',
  'I forgot my password and cannot log in',
  'Order 4111111111111112 has not arrived',
  'Order AB12345 was sent to me on 12 March 2026',
  'Call me at +43 660 1234567890',
  'I spin 1000 times a day',
  'The enamel pin is sold out',
]

test('card and account numbers, and what is called a password or PIN, are masked within a text', () => {
  expect(MASKED.map(([text]) => maskSecrets(text))).toEqual(MASKED.map(([, maskedText]) => maskedText))
})

test('other numbers and talk about passwords stay', () => {
  expect(UNCHANGED.map(maskSecrets)).toEqual(UNCHANGED)
})

test('letters that are like those of an account number are none', () => {
  const texts = ['DE12 34567890\u017f23456', 'DE12 34567890\u212a23456', '\u212aE12 3456789023456']
  expect(texts.map(maskSecrets)).toEqual(texts)
})

test('a label names a secret in any language of the widget', () => {
  const secret = [
    'Your PIN',
    'card_number',
    'Kartennummer',
    'Kundenkennwort',
    'Mot de passe',
    'Número de tarjeta',
    'Пароль',
    '暗証番号',
  ]
  const plain = ['Order number', 'Opinion', 'Shipping address', 'Passenger', 'Bestellnummer', 'Card colour', '番号']
  expect([...secret, ...plain].filter(namesSecret)).toEqual(secret)
})

test('a long hostile text is masked at once', async () => {
  const maskAll = () => {
    for (const part of ['1 ', 'AB12 ', 'password is ', 'passwor', '4-', 'pin: ', 'pin - ', 'pin is: '])
      maskSecrets(part.repeat(4000 / part.length))
  }
  await expectBelow(2000, () => measureCpuMs(maskAll))
})
