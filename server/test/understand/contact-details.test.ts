import { expect, test } from 'vitest'
import { contactDetails } from '../../src/answers/understand/contact-details.ts'

test.each([
  ['my mail is Anna.Berg+shop@Example.co.uk, thanks', 'anna.berg+shop@example.co.uk'],
  ['(jo@example.org)', 'jo@example.org'],
  ['Schreiben Sie an büro@müller-söhne.de.', 'büro@müller-söhne.de'],
  ['mailto:x_1@sub.domain.io', 'x_1@sub.domain.io'],
  ['我的邮箱是li@example.cn谢谢', 'li@example.cn'],
  ['メールはken@example.jpです', 'ken@example.jp'],
])('finds the address in "%s"', (text, address) => {
  expect(contactDetails(text).emails).toEqual([address])
})

test.each(['@anna', 'anna@', 'price @ 5.99', 'a@b', 'user@localhost', 'foo@bar@'])(
  'finds no address in "%s"',
  (text) => {
    expect(contactDetails(text).emails).toEqual([])
  },
)

test.each([
  ['call me at +49 30 901820', 'US', '+4930901820'],
  ['0049 30 901820', 'DE', '+4930901820'],
  ['my number is 030 901820', 'DE', '+4930901820'],
  ['Rufen Sie mich an: 0171/1234567', 'DE', '+491711234567'],
  ['(415) 555-2671', 'US', '+14155552671'],
  ['415-555-2671 after 5', 'US', '+14155552671'],
  ['my phone: 4155552671', 'US', '+14155552671'],
  ['Rappelez-moi au 06 12 34 56 78', 'FR', '+33612345678'],
  ['mi teléfono es 612 345 678', 'ES', '+34612345678'],
  ['il mio cellulare è 347 123 4567', 'IT', '+393471234567'],
  ['bel me op 06-12345678', 'NL', '+31612345678'],
  ['zadzwoń: 501 234 567', 'PL', '+48501234567'],
  ['ring mig på 070-123 45 67', 'SE', '+46701234567'],
  ['ring til mig på 20 12 34 56', 'DK', '+4520123456'],
  ['beni arayın 0532 123 45 67', 'TR', '+905321234567'],
  ['мой телефон 8 916 123-45-67', 'RU', '+79161234567'],
  ['我的电话13912345678', 'CN', '+8613912345678'],
  ['電話番号は090-1234-5678です', 'JP', '+819012345678'],
  ['رقم هاتفي ٠٥٠١٢٣٤٥٦٧', 'SA', '+966501234567'],
  ['mój numer to 501 234 567', 'PL', '+48501234567'],
  ['mit nummer er 20 12 34 56', 'DK', '+4520123456'],
  ['mitt nummer är 070-123 45 67', 'SE', '+46701234567'],
  ['numaram 0532 123 45 67', 'TR', '+905321234567'],
  ['WhatsApp +55 11 91234-5678', undefined, '+5511912345678'],
  ['+44 20 7946 0958 or jo@example.org', undefined, '+442079460958'],
])('finds the number in "%s" (%s)', (text, region, number) => {
  expect(contactDetails(text, region).phones).toEqual([number])
})

test.each([
  ['order 4155552671', 'US'],
  ['my order number is 20231234567', 'US'],
  ['Order #0301234567', 'DE'],
  ['Bestellnummer 030901820', 'DE'],
  ['Rechnung Nr. 0301234567', 'DE'],
  ['commande 0612345678', 'FR'],
  ['Mein Vertrag: Vertragsnummer 030 901820', 'DE'],
  ['numéro client : 06 12 34 56 78', 'FR'],
  ['mi reserva es 612 345 678', 'ES'],
  ['codice prenotazione 347 123 4567', 'IT'],
  ['o meu NIF é 212 345 678', 'PT'],
  ['mijn klantnummer is 06-12345678', 'NL'],
  ['pedido 612345678', 'ES'],
  ['zamówienie nr 501234567', 'PL'],
  ['заказ 89161234567', 'RU'],
  ['订单号13912345678', 'CN'],
  ['it costs 1 200 000 EUR', 'DE'],
  ['$4155552671', 'US'],
  ['12.05.2024', 'DE'],
  ['2024-05-12', 'US'],
  ['on 05/12/2024 at 10:30', 'US'],
  ['between 2019-2023', 'US'],
  ['size 42, 100 x 200 cm', 'DE'],
  ['is the 4155552671 in stock', 'US'],
  ['tracking 1Z999AA10123456784', 'US'],
  ['IBAN DE89 3704 0044 0532 0130 00', 'DE'],
  ['10.000.000.001', 'DE'],
  ['version 10.0.19045.3803', 'US'],
  ['رقم الطلب 0501234567', 'SA'],
  ['رقم طلبي هو 0501234567', 'SA'],
  ['kundnummer: 0701234567', 'SE'],
  ['mit ordrenummer er 20123456', 'DK'],
  ['sipariş numaram 05321234567', 'TR'],
  ['numer klienta 501234567', 'PL'],
  ['注文番号は0312345678です', 'JP'],
  ['伝票番号 0312345678', 'JP'],
  ['会员号13812345678', 'CN'],
])('takes "%s" (%s) for no phone number', (text, region) => {
  expect(contactDetails(text, region).phones).toEqual([])
})
