import { expect, test } from 'vitest'
import { readVocabularyWords } from '../../src/inference/model-files.ts'
import { correctSpelling } from '../../src/language/correct-spelling.ts'
import { fold } from '../../src/language/fold.ts'

const { wordRanks: ranks, frequentWords: frequent } = readVocabularyWords()
const content = new Set(['refund', 'parcel', 'weather', 'zulip', 'compost'])
const has = (word: string) => content.has(word)
const correct = (text: string) =>
  correctSpelling(text, { inContent: has, isWritten: has, rank: (word) => ranks.get(word), isFrequent: () => false })

test.each([
  ['how many secconds before it goes', 'how many seconds before it goes'],
  ['longest possible message lenght?', 'longest possible message length?'],
  ['Garantee on backpacks', 'guarantee on backpacks'],
  ['i lost my recipt, the catagory and the calender', 'i lost my receipt, the category and the calendar'],
  ['where is my parcl', 'where is my parcel'],
])('a typo is corrected: %s', (typo, right) => {
  expect(correct(typo)).toBe(right)
})

test.each([
  'it doesnt work, whats wrong, theres nothing',
  'trackers, freezers, quitting, listens, squeaky, empties',
  'do you take Venmo or paypal',
  'is parsley fine in the compost, with a projector',
  'can I pay with Garantee',
  'order-nubmer A12seccond, naïve café',
  'Wie lange dauert die Lieferung',
])('what is right, a name or a code stays: %s', (text) => {
  expect(correct(text)).toBe(text)
})

test('a text of unknown words costs no more lookups than a question with a dozen typos', () => {
  const unknownWords = Array.from(
    { length: 200 },
    (_, n) => `zqx${String.fromCharCode(97 + (n % 26), 97 + (n % 25))}kw`,
  )
  let lookups = 0
  const rank = () => {
    lookups++
    return undefined
  }
  correctSpelling(unknownWords.join(' '), {
    inContent: () => false,
    isWritten: () => false,
    rank,
    isFrequent: () => false,
  })
  expect(lookups).toBeLessThan(20_000)
})

const contents: Record<string, string> = {
  de: 'rückgabe verschlüsselung lieferung gutschein versandkostenpauschale spenden kisten buchungen',
  fr: 'remboursement livraison facture supprimer billets virtuelle contrôler',
  es: 'devolución descuento etiqueta horquilla alquilada envío cuando',
  it: 'biglietto spedizione viaggiare rimborso controllare mangiare',
  pt: 'devolução encomenda reembolso pagamento garantia',
  nl: 'verzendkosten bestelling terugbetaling levertijd garantie',
  sv: 'återbetalning leverans försändelse anslutna presentkort',
  pl: 'zamówienie reklamacja przesyłka wyłączone podłączyć gwarancja',
  tr: 'teslimat siparişler gönderim ödenmesi başlatmak garantisi',
  ar: 'العملاء الكتاب التوصيل',
}

function correctIn(language: string, text: string): string {
  const contentWords = new Set(contents[language]?.split(' ').map(fold))
  const has = (word: string) => contentWords.has(fold(word))
  const vocabulary = {
    inContent: has,
    isWritten: has,
    rank: () => undefined,
    isFrequent: (word: string) => frequent.has(word),
  }
  return correctSpelling(text, vocabulary, language)
}

test.each([
  ['de', 'Wie geht die Rükcgabe mit Gutschien?', 'Wie geht die Rückgabe mit Gutschein?'],
  ['de', 'was kostet die liefferung', 'was kostet die lieferung'],
  ['de', 'die Versandkostenpauchale', 'die Versandkostenpauschale'],
  ['fr', 'je veux un rembousement pour la livriason', 'je veux un remboursement pour la livraison'],
  ['es', 'tengo un descueto y la etiqeta', 'tengo un descuento y la etiqueta'],
  ['it', 'il bilietto per viagiare', 'il biglietto per viaggiare'],
  ['pt', 'quero o reemboso da encomedna', 'quero o reembolso da encomenda'],
  ['nl', 'wat zijn de verzendksoten van mijn besteling', 'wat zijn de verzendkosten van mijn bestelling'],
  ['sv', 'vad kostar leverasn och återbetalnign?', 'vad kostar leverans och återbetalning?'],
  ['sv', 'en förrsändelse med presentkrot', 'en försändelse med presentkort'],
  ['pl', 'gdzie jest moja przesłyka i gwaarncja', 'gdzie jest moja przesyłka i gwarancja'],
  ['pl', 'reklamcja zamówieniie', 'reklamacja zamówienie'],
  ['tr', 'tesliamt ne kadar sürer, siparişller nerede', 'teslimat ne kadar sürer, siparişler nerede'],
  ['tr', 'garntisi var mı', 'garantisi var mı'],
])('a typo in a word of the content is corrected in %s: %s', (language, typo, right) => {
  expect(correctIn(language, typo)).toBe(right)
})

test.each([
  ['de', 'Was kosten die Kartons, und wohin senden Sie? Meine Kasten sind von Lieferando.'],
  ['fr', 'combien coûte une assurance visuelle pour mon contrôleur'],
  ['es', 'mi cuñado me dio una tarjeta'],
  ['it', 'il controllore mi ha multato'],
  ['pt', 'quanto custa a entrega em Lisboa'],
  ['nl', 'hoe lang duurt de levering naar Gent'],
  ['pl', 'ile kosztuje wysylka, czy powiadomienia są włączone i jak połączyć konta'],
  ['sv', 'hur ansluter jag en skrivare'],
  ['tr', 'ödemesi nasıl, başlamak istiyorum'],
  ['ar', 'هل العلماء هنا وأين الكاتب'],
])('what is right stays in %s: %s', (language, text) => {
  expect(correctIn(language, text)).toBe(text)
})
