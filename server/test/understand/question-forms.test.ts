// How questions are put in each language: what shape of answer they want, and which sentences deny or limit.
import { describe, expect, test } from 'vitest'
import { answerType } from '../../src/answers/compose/answer-type.ts'
import { type QuestionShape, questionShape } from '../../src/answers/compose/question-shape.ts'
import { type Language, languageData } from '../../src/language/languages.ts'
import { sentences } from '../../src/language/sentences.ts'

const questions: Record<Language, Partial<Record<QuestionShape, string[]>>> = {
  en: {
    yesNo: ['Can I return shoes?', 'Do you ship to Norway?', 'is parking free'],
    fact: ['How much is delivery?', 'When do you open?', 'Where are you?'],
    howTo: ['How do I reset my password?'],
    list: ['Which payment methods do you accept?', 'What is the difference between Basic and Pro?'],
  },
  de: {
    yesNo: [
      'Kann ich meine Bestellung noch stornieren?',
      'Kostet der Versand extra?',
      'Habt ihr jeden Tag geöffnet?',
      'Kann ich Schuhe zurückgeben?',
      'Liefert ihr nach Österreich?',
      'Gibt es Parkplätze?',
      'Ich kann bar zahlen?',
    ],
    fact: ['Wie viel kostet der Versand?', 'Wann habt ihr geöffnet?', 'Bis wann kann ich stornieren?'],
    howTo: ['Wie kann ich mein Passwort ändern?', 'Wie kündige ich mein Abo?'],
    list: ['Welche Zahlungsarten gibt es?', 'Was ist der Unterschied zwischen Basic und Pro?'],
    open: ['Kann ich mit Karte oder bar zahlen?'],
  },
  fr: {
    yesNo: [
      'Livrez-vous tous les jours ?',
      'La livraison est gratuite ?',
      'Est-ce que je peux payer en espèces ?',
      'Peut-on annuler ?',
      'Je peux venir avec mon chien ?',
      'Avez-vous un parking ?',
    ],
    fact: ['Combien coûte la livraison ?', 'Quand ouvrez-vous ?', 'Où êtes-vous ?', 'Jusqu’à quand puis-je annuler ?'],
    howTo: ['Comment changer mon mot de passe ?'],
    list: ['Quels moyens de paiement acceptez-vous ?', 'Quelle est la différence entre Basic et Pro ?'],
  },
  es: {
    yesNo: [
      'hola, se puede ir con perro?',
      'El envío es gratis?',
      '¿Puedo devolver los zapatos?',
      'se puede pagar en efectivo',
      '¿Hay aparcamiento?',
      '¿Envían a Canarias?',
    ],
    fact: ['¿Cuánto cuesta el envío?', 'cuando abren', '¿Dónde están?', '¿Hasta cuándo puedo cancelar?'],
    howTo: ['¿Cómo cambio mi contraseña?', 'como puedo cancelar'],
    list: ['¿Cuáles son los métodos de pago?', '¿Qué diferencia hay entre Basic y Pro?'],
  },
  it: {
    yesNo: [
      'Siete aperti tutti i giorni?',
      'I cani sono ammessi?',
      'Posso restituire le scarpe?',
      'Si può pagare in contanti?',
      'C’è un parcheggio?',
      'Spedite in Svizzera?',
    ],
    fact: ['Quanto costa la spedizione?', 'Quando aprite?', 'Dove siete?', 'Fino a quando posso disdire?'],
    howTo: ['Come posso cambiare la password?', 'come si fa il reso'],
    list: ['Quali metodi di pagamento accettate?', 'Che differenza c’è tra Basic e Pro?'],
  },
  pt: {
    yesNo: [
      'O frete é grátis?',
      'Posso devolver os sapatos?',
      'Vocês entregam em Lisboa?',
      'Tem estacionamento?',
      'É possível cancelar?',
    ],
    fact: ['Quanto custa o frete?', 'Quando abrem?', 'Onde ficam?', 'Até quando posso cancelar?'],
    howTo: ['Como faço para mudar a senha?'],
    list: ['Quais são as formas de pagamento?', 'Qual é a diferença entre Basic e Pro?'],
  },
  nl: {
    yesNo: [
      'Zijn jullie elke dag open?',
      'Kost verzenden extra?',
      'Kan ik schoenen terugsturen?',
      'Leveren jullie in België?',
      'Is parkeren gratis?',
      'Ik kan contant betalen?',
    ],
    fact: ['Hoeveel kost verzending?', 'Wanneer zijn jullie open?', 'Waar zitten jullie?'],
    howTo: ['Hoe wijzig ik mijn wachtwoord?'],
    list: ['Welke betaalmethoden zijn er?', 'Wat is het verschil tussen Basic en Pro?'],
  },
  pl: {
    yesNo: [
      'Pracujecie w sobotę?',
      'Działa infolinia w niedzielę?',
      'Czy dostawa kosztuje?',
      'Czy mogę zwrócić buty?',
      'Można płacić gotówką?',
      'Macie parking?',
      'Dzień dobry, czy wysyłacie do Niemiec?',
    ],
    fact: ['Ile kosztuje dostawa?', 'Kiedy otwieracie?', 'Gdzie jesteście?', 'Do kiedy mogę anulować?'],
    howTo: ['Jak zmienić hasło?', 'W jaki sposób mogę zwrócić towar?'],
    list: ['Jakie są metody płatności?', 'Czym różni się Basic od Pro i jaka jest różnica?'],
  },
  sv: {
    yesNo: [
      'Tar det lång tid?',
      'Ligger butiken i Malmö?',
      'Kostar frakten extra?',
      'Kostar det något att returnera?',
      'Kan jag returnera skor?',
      'Finns det parkering?',
      'Levererar ni till Norge?',
      'Man kan betala kontant?',
    ],
    fact: ['Hur mycket kostar frakten?', 'När öppnar ni?', 'Var ligger butiken?'],
    howTo: ['Hur ändrar jag mitt lösenord?', 'Hur gör man en retur?'],
    list: ['Vilka betalsätt finns det?', 'Vad är skillnaden mellan Basic och Pro?'],
  },
  da: {
    yesNo: [
      'Koster fragten ekstra?',
      'Ligger butikken i Aarhus?',
      'Har I åbent hver dag?',
      'Kan jeg returnere sko?',
      'Er der parkering?',
      'Leverer I til Norge?',
      'Man kan betale kontant?',
    ],
    fact: ['Hvor meget koster fragten?', 'Hvornår åbner I?', 'Hvor ligger butikken?'],
    howTo: ['Hvordan ændrer jeg min adgangskode?'],
    list: ['Hvilke betalingsmetoder er der?', 'Hvad er forskellen på Basic og Pro?'],
  },
  tr: {
    yesNo: [
      'Her gün açık mısınız?',
      'Türkiye’ye kargo var mı?',
      'Ayakkabıları iade edebilir miyim?',
      'Otopark var mı?',
      'Almanyaya gönderiyor musunuz?',
      'kargo ücretsiz mi',
    ],
    fact: ['Kargo ne kadar?', 'Ne zaman açılıyorsunuz?', 'Neredesiniz?', 'Teslimat kaç gün sürer?'],
    howTo: ['Şifremi nasıl değiştiririm?'],
    list: ['Hangi ödeme yöntemleri var?', 'Basic ile Pro arasındaki fark nedir?'],
  },
  ar: {
    yesNo: [
      'هل تفتحون كل يوم؟',
      'هل يمكنني إرجاع الحذاء؟',
      'هل لديكم موقف سيارات؟',
      'ممكن الدفع نقدا؟',
      'مرحبا، هل توصلون إلى دبي؟',
    ],
    fact: ['كم تكلفة الشحن؟', 'متى تفتحون؟', 'أين أنتم؟', 'إلى متى يمكنني الإلغاء؟'],
    howTo: ['كيف أغير كلمة المرور؟'],
    list: ['ما هي طرق الدفع؟', 'ما الفرق بين الباقتين؟'],
  },
  ru: {
    yesNo: [
      'Можно ещё вернуть товар?',
      'Доставка бесплатная?',
      'Можно вернуть обувь?',
      'Есть ли парковка?',
      'Вы доставляете в Казань?',
      'Могу ли я оплатить наличными?',
    ],
    fact: [
      'Сколько стоит доставка?',
      'Когда вы открываетесь?',
      'Где вы находитесь?',
      'До какого числа можно отменить?',
    ],
    howTo: ['Как изменить пароль?'],
    list: ['Какие есть способы оплаты?', 'Чем отличается Basic от Pro?'],
  },
  zh: {
    yesNo: ['每天都开门吗？', '可以退货吗？', '能不能用现金付款', '有停车场吗？', '是否支持退款？'],
    fact: ['运费多少？', '你们几点开门？', '你们在哪里？', '什么时候发货？'],
    howTo: ['怎么修改密码？', '如何取消订阅'],
    list: ['有哪些付款方式？', '基础版和专业版有什么区别？'],
  },
  ja: {
    yesNo: [
      '住所を変更できますか？',
      '靴を返品できますか？',
      '駐車場はありますか',
      '現金で払えますか？',
      '海外発送は可能？',
    ],
    fact: ['送料はいくらですか？', 'いつ開店しますか？', 'お店はどこですか？', '何時まで営業していますか？'],
    howTo: ['パスワードはどうやって変更しますか？', '解約の方法を教えてください'],
    list: ['どんな支払い方法がありますか？', 'ベーシックとプロの違いは何ですか？'],
  },
}

const examples = Object.entries(questions).flatMap(([language, shapes]) =>
  Object.entries(shapes).flatMap(([shape, texts]) => texts.map((text) => ({ language, shape, text }))),
)

test.each(examples)('$language: "$text" wants $shape', ({ language, shape, text }) => {
  expect(questionShape({ text, language, stems: ['a', 'b', 'c'] } as never)).toBe(shape)
})

test.each([
  ['pl', 'Kiedy otwieracie?', 'fact'],
  ['ar', 'متى تفتحون؟', 'fact'],
  ['tr', 'Kargo ücretsiz mi?', 'yesNo'],
  ['zh', '运费多少钱？', 'fact'],
  ['zh', '可以退货吗？', 'yesNo'],
  ['ja', '送料はいくらですか？', 'fact'],
  ['ja', '返品できますか？', 'yesNo'],
  ['pl', 'Godziny otwarcia', 'topic'],
  ['tr', 'iade koşulları', 'topic'],
  ['zh', '退货政策', 'topic'],
  ['ja', '返品', 'topic'],
  ['en', 'how much', 'topic'],
])('of few words, in %s "%s" is %s', (language, text, shape) => {
  expect(questionShape({ text, language, stems: ['a', 'b'] } as never)).toBe(shape)
})

const denying: Record<Language, [limited: string, plain: string]> = {
  en: ['Sale items cannot be returned.', 'Shoes can be returned within 30 days.'],
  de: ['Reduzierte Artikel sind vom Umtausch ausgeschlossen.', 'Sie können Schuhe innerhalb von 30 Tagen zurückgeben.'],
  fr: ['Les articles soldés ne sont pas repris.', 'Le billet coûte 15 € par personne.'],
  es: ['Los artículos rebajados no se pueden devolver.', 'Puede devolver los zapatos en 30 días.'],
  it: ['Gli articoli in saldo non si possono restituire.', 'Può restituire le scarpe entro 30 giorni.'],
  pt: ['Os artigos em saldo não podem ser devolvidos.', 'Pode devolver os sapatos em 30 dias.'],
  nl: ['Afgeprijsde artikelen kunnen niet worden geruild.', 'U kunt schoenen binnen 30 dagen terugsturen.'],
  pl: ['Towarów przecenionych nie można zwrócić.', 'Buty można zwrócić w ciągu 30 dni.'],
  sv: ['Reavaror kan inte returneras.', 'Skor kan returneras inom 30 dagar.'],
  da: ['Udsalgsvarer kan ikke returneres.', 'Sko kan returneres inden for 30 dage.'],
  tr: ['İndirimli ürünler iade edilemez.', 'Ayakkabıları 30 gün içinde iade edebilirsiniz.'],
  ar: ['لا يمكن إرجاع المنتجات المخفضة.', 'يمكنك إرجاع الأحذية خلال 30 يومًا.'],
  ru: ['Товары со скидкой вернуть нельзя.', 'Обувь можно вернуть в течение 30 дней.'],
  zh: ['打折商品不可退货。', '我们非常欢迎您在30天内退货。'],
  ja: ['セール品は返品できません。', '現金でもお支払いいただけます。'],
}

describe.each(Object.entries(denying) as [Language, [string, string]][])(
  'sentences in %s',
  (language, [limitedSentence, plain]) => {
    const data = languageData[language]
    test.each([
      ['limits', data.questions.expects?.limits],
      ['denial', data.sentences.denial],
    ])('%s', (name, source) => {
      const pattern = new RegExp(source ?? '$.', 'iu')
      if (!(language === 'de' && name === 'denial')) expect(limitedSentence).toMatch(pattern)
      expect(plain).not.toMatch(pattern)
    })
  },
)

const invitations: Record<Language, string[]> = {
  en: ['Learn more about billing.', 'Contact us.'],
  de: ['Mehr erfahren.', 'Jetzt kostenlos testen!', 'Kontaktieren Sie uns.', 'Erfahren Sie mehr über unsere Preise.'],
  fr: ['En savoir plus.', 'Contactez-nous !', 'Inscrivez-vous gratuitement.', 'Découvrez nos offres.'],
  es: ['Más información.', 'Regístrate ahora.', 'Contáctenos.', 'Descubre nuestras ofertas.'],
  it: ['Scopri di più.', 'Contattaci!', 'Prenota ora.', 'Leggi anche le nostre guide.'],
  pt: ['Saiba mais.', 'Fale conosco!', 'Experimente grátis.', 'Conheça os nossos planos.'],
  nl: ['Lees meer.', 'Bestel nu!', 'Neem contact met ons op.', 'Bekijk onze aanbiedingen.'],
  pl: ['Dowiedz się więcej.', 'Zamów teraz!', 'Skontaktuj się z nami.'],
  sv: ['Läs mer.', 'Beställ nu!', 'Kontakta oss.', 'Läs mer om våra priser.'],
  da: ['Læs mere.', 'Bestil nu!', 'Kontakt os.', 'Læs mere om vores priser.'],
  tr: ['Daha fazla bilgi edinin.', 'Hemen ücretsiz deneyin!', 'Bize ulaşın.'],
  ar: ['اقرأ المزيد.', 'سجل الآن!', 'تواصل معنا.'],
  ru: ['Подробнее.', 'Узнайте больше о ценах.', 'Закажите сейчас!', 'Свяжитесь с нами.'],
  zh: ['了解更多。', '立即注册！', '联系我们。'],
  ja: ['詳しくはこちら。', '今すぐ登録！', 'お問い合わせください。'],
}

const statements: Record<Language, string> = {
  en: 'Start the timer before you book a table for two.',
  de: 'Mehr als zehn Artikel liefern wir kostenlos.',
  fr: 'Commandez avant 12 heures et recevez votre colis le lendemain.',
  es: 'Reserve con al menos dos días de antelación por teléfono.',
  it: 'Prenota almeno due giorni prima al numero 02 1234.',
  pt: 'Compre acima de 50 euros e o envio é grátis.',
  nl: 'Bestel voor 17 uur en je ontvangt je pakket morgen.',
  pl: 'Zamów do godziny 12, a paczka dotrze jutro.',
  sv: 'Beställ före klockan 12 så kommer paketet i morgon.',
  da: 'Bestil inden klokken 12, så kommer pakken i morgen.',
  tr: 'Saat 12’den önce verilen siparişler ertesi gün teslim edilir.',
  ar: 'اطلب قبل الساعة 12 لتصلك الطلبية غدا.',
  ru: 'Закажите до 12 часов, и посылка придёт завтра.',
  zh: '中午12点前下单，次日送达。',
  ja: '正午までのご注文は翌日に届きます。',
}

describe.each(Object.entries(invitations) as [Language, string[]][])('calls to action in %s', (language, texts) => {
  const pattern = new RegExp(languageData[language].sentences.callToAction ?? '$.', 'iu')
  test.each(texts)('"%s" says nothing', (text) => expect(text).toMatch(pattern))
  test('a statement does', () => expect(statements[language]).not.toMatch(pattern))
})

test.each([
  ['de', 'Wie kündige ich mein Abo?', 'manner'],
  ['fr', 'Comment changer mon mot de passe ?', 'manner'],
  ['es', '¿Cómo cambio mi contraseña?', 'manner'],
  ['it', 'Come posso disdire?', 'manner'],
  ['pt', 'Como faço para cancelar?', 'manner'],
  ['nl', 'Hoe zeg ik op?', 'manner'],
  ['pl', 'Jak anulować zamówienie?', 'manner'],
  ['sv', 'Hur avbokar jag?', 'manner'],
  ['da', 'Hvordan afbestiller jeg?', 'manner'],
  ['tr', 'Nasıl iptal ederim?', 'manner'],
  ['ar', 'كيف ألغي الطلب؟', 'manner'],
  ['ru', 'Как отменить заказ?', 'manner'],
  ['zh', '怎么取消订单？', 'manner'],
  ['ja', 'どうやって解約しますか？', 'manner'],
  ['pl', 'Kiedy otwieracie?', 'time'],
  ['sv', 'När öppnar ni?', 'time'],
  ['da', 'Hvornår åbner I?', 'time'],
  ['tr', 'Ne zaman açılıyorsunuz?', 'time'],
  ['pl', 'Ile kosztuje dostawa?', 'figure'],
  ['sv', 'Hur mycket kostar frakten?', 'figure'],
  ['da', 'Hvor mange dage tager det?', 'figure'],
  ['tr', 'Kargo ne kadar?', 'figure'],
  ['pl', 'Gdzie jest sklep?', 'place'],
  ['sv', 'Var ligger butiken?', 'place'],
  ['da', 'Hvor ligger butikken?', 'place'],
  ['tr', 'Mağaza nerede?', 'place'],
  ['pl', 'Kto jest prezesem?', 'person'],
  ['sv', 'Vem är chef?', 'person'],
  ['da', 'Hvem er chef?', 'person'],
  ['tr', 'Müdür kim?', 'person'],
])('%s: "%s" asks for %s', (language, text, type) => {
  expect(answerType(text, language)).toBe(type)
})

test.each([
  ['de', 'Wir liefern z. B. Berlin an.', 'Und mehr.'],
  ['fr', 'Nous livrons p. ex. Paris.', 'Oui.'],
  ['es', 'Acepta p. ej. Visa.', 'Nada más.'],
  ['it', 'Spediamo ad es. Roma.', 'Certo.'],
  ['pt', 'Entregamos p. ex. Lisboa.', 'Sim.'],
  ['nl', 'Wij leveren bijv. Antwerpen.', 'Ja.'],
  ['pl', 'Wysyłamy np. Warszawę.', 'Tak.'],
  ['sv', 'Vi levererar t.ex. Oslo.', 'Ja.'],
  ['da', 'Vi leverer f.eks. Oslo.', 'Ja.'],
  ['tr', 'Bkz. Ek bölüm.', 'Evet.'],
  ['ar', 'د. أحمد هنا.', 'نعم.'],
  ['ru', 'Адрес: г. Москва, ул. Ленина.', 'Да.'],
])('%s: an abbreviation does not end a sentence: %s', (language, first, second) => {
  const text = `${first} ${second}`
  expect(sentences(text, language).map(({ start, end }) => text.slice(start, end))).toEqual([first, second])
})

test.each([
  ['de', 'Es dauert drei Tage.', 'Es gibt Parkplätze.'],
  ['de', 'Sie ist kostenlos.', 'Sie können bar zahlen.'],
  ['fr', 'Cela dure trois jours.', 'Il est possible de payer.'],
  ['es', 'Eso es gratis.', 'El envío es gratis.'],
  ['it', 'Questo è gratuito.', 'Il reso è gratuito.'],
  ['pt', 'Isso é grátis.', 'O envio é grátis.'],
  ['nl', 'Dit is gratis.', 'Verzending is gratis.'],
  ['pl', 'Jednak zwrot jest płatny.', 'Zwrot jest płatny.'],
  ['sv', 'Det är gratis.', 'Det är möjligt att betala kontant.'],
  ['da', 'Derfor er det gratis.', 'Der er parkering.'],
  ['tr', 'Bu ücretsizdir.', 'Kargo ücretsizdir.'],
  ['ar', 'لذلك هو مجاني.', 'الشحن مجاني.'],
  ['ru', 'Поэтому это бесплатно.', 'Доставка бесплатна.'],
  ['zh', '但是运费另计。', '运费另计。'],
  ['ja', 'ただし送料は別です。', '送料は別です。'],
])('%s: "%s" depends on what precedes it, "%s" does not', (language, dependent, independent) => {
  const pattern = new RegExp(languageData[language as Language].sentences.dependentStart ?? '$.', 'iu')
  expect(dependent).toMatch(pattern)
  expect(independent).not.toMatch(pattern)
})
