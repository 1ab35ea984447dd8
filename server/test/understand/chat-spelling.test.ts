import { expect, test } from 'vitest'
import { expandChatSpelling } from '../../src/language/chat-spelling.ts'
import { detectLanguage } from '../../src/language/detect-language.ts'

test.each([
  ['do u ship to norway', 'do you ship to norway'],
  ['whats ur return policy', "what's your return policy"],
  ['Whats included? I dont know', "What's included? I don't know"],
  ['r dogs allowed pls', 'are dogs allowed please'],
])('chat spelling is written out: %s', (chatText, fullText) => {
  expect(expandChatSpelling(chatText, 'en')).toBe(fullText)
})

test.each([
  ['de', 'gibts vllt Rabatt inkl mwst', 'gibt es vielleicht Rabatt inklusive Mehrwertsteuer'],
  ['de', 'ich moechte die groesse aendern', 'ich möchte die Größe ändern'],
  ['fr', 'mdp oublié svp', "mot de passe oublié s'il vous plaît"],
  ['es', 'xq no llega, porfa', 'por qué no llega, por favor'],
  ['it', 'xke nn arriva', 'perché non arriva'],
  ['pt', 'vcs entregam hj?', 'vocês entregam hoje?'],
  ['nl', 'wnr geleverd aub', 'wanneer geleverd alstublieft'],
  ['pl', 'czy mozna zwrocic', 'czy można zwrócić'],
  ['sv', 'kan ngn svara, tex idag', 'kan någon svara, till exempel idag'],
  ['da', 'hvormeget koster det idag', 'hvor meget koster det i dag'],
  ['tr', 'sifremi nasil', 'şifremi nasıl'],
  ['ar', 'وين الطلب، ليش تأخر', 'أين الطلب، لماذا تأخر'],
  ['ru', 'скока стоит, подскажите пжл', 'сколько стоит, подскажите пожалуйста'],
  ['zh', '能用 zfb 付款吗', '能用 支付宝 付款吗'],
  ['ja', 'pw を忘れました', 'パスワード を忘れました'],
])('chat spelling in %s is written out: %s', (language, chatText, fullText) => {
  expect(expandChatSpelling(chatText, language)).toBe(fullText)
})

test.each(['R packages, IM and U-Bahn', 'the u.s. office-r', "what's your policy", 'constructor __proto__ toString'])(
  'names and ordinary words stay: %s',
  (text) => {
    expect(expandChatSpelling(text, 'en')).toBe(text)
  },
)

test('other languages are left alone', () => {
  expect(expandChatSpelling('im Laden', 'de')).toBe('im Laden')
})

test.each(['do u ship to norway', 'im a student', 'i didnt go last week, money?', 'dont want a box next week'])(
  'chat spelling is recognised as English: %s',
  async (text) => {
    expect(await detectLanguage(text, 'en')).toBe('en')
  },
)
