import { expect, test } from 'vitest'
import { sentences } from '../../src/language/sentences.ts'

test.each([
  ['de', 'Wir liefern z. B. Zelte.|Das dauert ca. 3 Tage.'],
  ['de', 'Das gilt ab dem 3. Januar.|Danach nicht.'],
  ['de', 'Im Shop bleibt es bis 31. Dezember, in Wien bis 6. Jänner.|Der Preis ist inkl. MwSt. gültig.'],
  ['en', 'The screen has 120 Hz.|My friend is Al.|He wrote Smith et al.|Then he left.'],
  ['de', 'Wir führen u. a. Zelte, d. h. Nicht nur Schuhe.|Mo. Bis Fr. 9 Uhr.'],
  ['de', 'Das kostet 2 Mio. Euro, v. a. Wegen der Fracht.|Fragen bzgl. Lieferung?'],
  ['es', 'P. ej. Zapatos, n.º 5.|Av. Mayor, Pza. España.'],
  ['fr', 'Voir la réf. A12, p. ex. Sur le colis.|Merci.'],
  ['it', 'P. es. Tende, in V.le Roma.|La sig.ra Rossi risponde.|Tre giorni fa.|Poi no.'],
  ['pt', 'Pode ser, p. ex. Sapatos, n.º 5.|Fale com a Exma. Sra. Silva.'],
  ['nl', 'D.w.z. Tenten, m.a.w. Alles.|Dhr. Jansen helpt.'],
  ['es', 'Puede devolver p. ej. Zapatos.|Enviamos a EE. UU. Y a Canadá.'],
  ['es', 'Llame al Sr. García.|Está en la Av. Mayor.'],
  ['fr', 'Nous livrons p. ex. Des tentes.|Voir M. Dupont, c.-à-d. Notre équipe.'],
  ['it', 'Consegniamo ad es. Tende.|Contatti il sig. Rossi.'],
  ['pt', 'Pode devolver p. ex. Sapatos.|Fale com a Sra. Silva.'],
  ['nl', 'Wij leveren bijv. Tenten.|Het duurt ca. 3 dagen.'],
  ['pl', 'Dostarczamy np. Namioty.|Trwa to 3 dni, tj. Do piątku.'],
  ['sv', 'Vi levererar t.ex. Tält.|Det tar ca 3 dagar.'],
  ['pl', 'Sklep jest przy al. Jerozolimskich.|Wysyłamy m. in. Książki.'],
  ['sv', 'Vi har bl. a. Tält.|Det gäller fr. o. m. Måndag.'],
  ['da', 'Vi leverer f. eks. Telte.|Prisen er inkl. Moms.'],
  ['tr', 'Örn. Çadır ve çanta vb. Ürünler.|Süre 3 gün.'],
  ['tr', 'Örnek A.Ş. Genel Merkezi.|T.C. Kimlik numarası gerekir.'],
  ['ru', 'Офис на пл. Ленина.|Это т. е. Доставка.'],
  ['ar', 'هل يمكن الإرجاع؟|نعم، خلال 14 يومًا.|راسل د. أحمد.'],
])('abbreviations and dates end no sentence in %s: %s', (language, markedText) => {
  const text = markedText.replaceAll('|', ' ')
  expect(sentences(text, language).map(({ start, end }) => text.slice(start, end))).toEqual(markedText.split('|'))
})

test.each([
  ['zh', '可以退货吗？|可以。|请保留发票。|“好的。”'],
  ['ja', '返品できますか？|はい、7日以内です！|「はい。」とお答えします。'],
])('sentences without spaces keep their marks in %s: %s', (language, markedText) => {
  const text = markedText.replaceAll('|', '')
  expect(sentences(text, language).map(({ start, end }) => text.slice(start, end))).toEqual(markedText.split('|'))
})
