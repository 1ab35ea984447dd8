// The language of a chat stays what it is until its visitor clearly writes another.
import { describe, expect, test } from 'vitest'
import { chatLanguage } from '../../src/language/chat-language.ts'

const names = [
  'Nike Air',
  'nike air max',
  'Samsung Galaxy S24 Ultra Titanium Black',
  'Le Creuset Signature',
  'ok',
  '42',
]

const dialogues: Record<string, string[]> = {
  en: ['How long does delivery to Austria take?', 'and in blue?', 'express?', 'how much', 'thanks'],
  de: [
    'Wie lange dauert die Lieferung nach Wien?',
    'und in blau?',
    'Express?',
    'was kostet das',
    'ja bitte',
    'Rückgabe',
  ],
  fr: ['Combien de temps prend la livraison ?', 'et en bleu ?', 'express ?', 'c’est combien', 'oui merci', 'retours'],
  es: ['¿Cuánto tarda el envío a Madrid?', '¿y en azul?', '¿exprés?', 'cuánto cuesta', 'sí, gracias', 'devoluciones'],
  it: ['Quanto tempo ci vuole per la consegna?', 'e in blu?', 'espresso?', 'quanto costa', 'sì grazie', 'resi'],
  pt: [
    'Quanto tempo demora a entrega em Lisboa?',
    'e em azul?',
    'expresso?',
    'quanto custa',
    'sim, obrigado',
    'trocas',
  ],
  nl: ['Hoe lang duurt de levering naar Gent?', 'en in het blauw?', 'express?', 'wat kost het', 'ja graag', 'retour'],
  pl: ['Ile trwa dostawa do Krakowa?', 'a w niebieskim?', 'ekspres?', 'ile kosztuje', 'tak, dziękuję', 'zwroty'],
  sv: ['Hur lång tid tar leveransen till Malmö?', 'och i blått?', 'express?', 'vad kostar det', 'ja tack', 'retur'],
  tr: ['Kargo kaç günde teslim edilir?', 'mavi renkte var mı?', 'hızlı kargo?', 'ne kadar', 'evet lütfen', 'iade'],
  ar: ['كم يستغرق التوصيل إلى دبي؟', 'وباللون الأزرق؟', 'سريع؟', 'كم السعر', 'نعم', 'الإرجاع'],
  zh: ['送货到北京需要多长时间？', '有蓝色的吗？', '加急？', '多少钱', '好的', '退货'],
  ja: ['東京への配送はどのくらいかかりますか？', '青はありますか？', '速達？', '送料', 'はい', '返品'],
}

const otherBot = (language: string) => (language === 'en' ? 'de' : 'en')

async function languagesOf(messages: string[], chat: Parameters<typeof chatLanguage>[2]) {
  const chosenLanguages: string[] = []
  for (const [at, message] of messages.entries())
    chosenLanguages.push(await chatLanguage(message, messages.slice(0, at), chat))
  return chosenLanguages
}

describe.each(Object.entries(dialogues))('a chat that begins in %s', (language, messages) => {
  test('stays in it through short messages and names', async () => {
    const allMessages = [...messages, ...names]
    const spoken = await languagesOf(allMessages, { language: otherBot(language) })
    expect(allMessages.map((message, at) => [message, spoken[at]])).toEqual(
      allMessages.map((message) => [message, language]),
    )
  })

  test('goes on in it from the language that was last spoken', async () => {
    const chat = { language: otherBot(language), locale: otherBot(language), current: language }
    for (const message of [...messages, ...names])
      expect([message, await chatLanguage(message, [], chat)]).toEqual([message, language])
  })

  test('changes with a visitor who changes', async () => {
    const [question = ''] = dialogues[otherBot(language)] ?? []
    expect(await chatLanguage(question, messages, { language })).toBe(otherBot(language))
  })

  test('is begun in the language of the widget where the message does not tell', async () => {
    for (const name of names)
      expect(await chatLanguage(name, [], { language: 'en', locale: `${language}-XX` })).toBe(language)
  })
})

test.each([
  ['Versandkosten', 'de', 'en-US', 'de'],
  ['running shoes', 'en', 'de-AT', 'en'],
  ['Wie lange dauert der Versand?', 'fr', 'en-US', 'de'],
  ['Nike Air', 'de', 'fi-FI', 'de'],
  ['привет', 'en', 'en-GB', 'ru'],
  ['مرحبا', 'de', undefined, 'ar'],
  ['送料', 'ja', undefined, 'ja'],
  ['送料', 'en', undefined, 'zh'],
])('"%s" to a bot in %s with the widget in %s is in %s', async (text, language, locale, expected) => {
  expect(await chatLanguage(text, [], { language, locale })).toBe(expected)
})
