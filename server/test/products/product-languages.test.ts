// Product questions in languages that the other tests of products do not ask in: the same small shop in each of them.
import { expect, test } from 'vitest'
import { startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'

/** Products by what they are, with the attributes that questions ask for. */
interface Texts {
  currency: string
  /** The currency's worth: products cost 25 to 200 times this. */
  unit: number
  kinds: [jackets: string, shoes: string, backpacks: string, bottles: string]
  titles: Record<Id, string>
  washing: string
  attributes: [colour: string, size: string, audience: string]
  audiences: [women: string, men: string]
  colours: [red: string, blue: string, green: string, black: string, brown: string]
  returns: [title: string, text: string]
  questions: Record<keyof typeof expected, string>
}

type Id = 'rain' | 'wool' | 'run' | 'hike' | 'pack' | 'bottle'

/** What the reply shows, best first: products, the page on returns, or nothing. */
const expected = {
  'a colour': ['rain'],
  'at most a price': ['rain'],
  'the cheapest': ['rain', 'wool'],
  'the most expensive': ['hike', 'run'],
  'a named one in a size': ['rain'],
  'the price of a named one': ['pack'],
  'what is on sale': ['run'],
  'a present for a woman, with a limit': ['rain'],
  'a kind in a size': ['run'],
  'the colours of a named one': ['bottle'],
  'a colour between two prices': ['pack'],
  'what is not sold': [],
  'a return': ['returns'],
  'at least a price': ['hike'],
  'how it is washed': ['rain'],
  'a present for a man': ['wool'],
} satisfies Record<string, (Id | 'returns')[]>

function productsOf({ currency, unit, kinds, titles, washing, attributes, audiences, colours }: Texts) {
  const [jackets, shoes, backpacks, bottles] = kinds
  const [colour, size, audience] = attributes
  const [women, men] = audiences
  const [red, blue, green, black, brown] = colours
  const product = (id: Id, kind: string, price: number, ownAttributes: object, extra: object = {}) => ({
    id,
    title: titles[id],
    product_type: kind,
    price: `${price * unit} ${currency}`,
    availability: 'in_stock',
    attributes: ownAttributes,
    ...extra,
  })
  return [
    product(
      'rain',
      jackets,
      120,
      { [colour]: [red, blue], [size]: ['S', 'M', 'L'], [audience]: women },
      { description: washing },
    ),
    product('wool', jackets, 200, { [colour]: [green], [size]: ['M', 'XL'], [audience]: men }),
    product(
      'run',
      shoes,
      80,
      { [colour]: [black], [size]: ['38', '39', '42'] },
      { sale_price: `${60 * unit} ${currency}` },
    ),
    product('hike', shoes, 150, { [colour]: [brown], [size]: ['40', '44'] }),
    product('pack', backpacks, 90, { [colour]: [blue] }),
    product('bottle', bottles, 25, { [colour]: [red, black] }),
  ]
}

const shops: Record<string, Texts> = {
  pl: {
    currency: 'PLN',
    unit: 1,
    kinds: ['Kurtki', 'Buty', 'Plecaki', 'Butelki'],
    titles: {
      rain: 'Kurtka przeciwdeszczowa Bryza',
      wool: 'Kurtka wełniana Tatry',
      run: 'Buty do biegania Iskra',
      hike: 'Buty trekkingowe Granit',
      pack: 'Plecak turystyczny Szlak 30',
      bottle: 'Butelka termiczna Zdrój',
    },
    washing: 'Lekka kurtka na deszcz. Można prać w pralce w 30 stopniach.',
    attributes: ['Kolor', 'Rozmiar', 'Płeć'],
    audiences: ['damskie', 'męskie'],
    colours: ['czerwony', 'niebieski', 'zielony', 'czarny', 'brązowy'],
    returns: ['Zwroty', 'Kurtkę i każdy inny produkt można zwrócić w ciągu 30 dni od dostawy. Zwrot jest bezpłatny.'],
    questions: {
      'a colour': 'Macie czerwone kurtki?',
      'at most a price': 'Szukam kurtki do 150 zł',
      'the cheapest': 'Jaka jest najtańsza kurtka?',
      'the most expensive': 'A najdroższe buty?',
      'a named one in a size': 'Czy kurtka Bryza jest dostępna w rozmiarze M?',
      'the price of a named one': 'Ile kosztuje plecak Szlak 30?',
      'what is on sale': 'Co macie w promocji?',
      'a present for a woman, with a limit': 'Szukam prezentu dla mamy do 130 złotych',
      'a kind in a size': 'buty do biegania rozmiar 42',
      'the colours of a named one': 'W jakich kolorach jest butelka Zdrój?',
      'a colour between two prices': 'Czy są niebieskie plecaki między 50 a 100 zł?',
      'what is not sold': 'Macie namioty?',
      'a return': 'Jak mogę zwrócić kurtkę?',
      'at least a price': 'Jakie macie buty powyżej 100 zł?',
      'how it is washed': 'Czy kurtkę Bryza można prać w pralce?',
      'a present for a man': 'prezent dla taty',
    },
  },
  sv: {
    currency: 'SEK',
    unit: 10,
    kinds: ['Jackor', 'Skor', 'Ryggsäckar', 'Flaskor'],
    titles: {
      rain: 'Bris regnjacka',
      wool: 'Fjäll ulljacka',
      run: 'Gnista löparskor',
      hike: 'Granit vandringskängor',
      pack: 'Led 30 vandringsryggsäck',
      bottle: 'Källa termosflaska',
    },
    washing: 'Lätt jacka för regn. Maskintvätt i 30 grader.',
    attributes: ['Färg', 'Storlek', 'Kön'],
    audiences: ['dam', 'herr'],
    colours: ['röd', 'blå', 'grön', 'svart', 'brun'],
    returns: ['Returer', 'Du kan returnera en jacka eller annan vara inom 30 dagar efter leverans. Returen är gratis.'],
    questions: {
      'a colour': 'Har ni röda jackor?',
      'at most a price': 'Jag letar efter en jacka under 1500 kr',
      'the cheapest': 'Vilken är den billigaste jackan?',
      'the most expensive': 'Och de dyraste skorna?',
      'a named one in a size': 'Finns Bris regnjacka i storlek M?',
      'the price of a named one': 'Vad kostar Led 30?',
      'what is on sale': 'Vad har ni på rea?',
      'a present for a woman, with a limit': 'Jag söker en present till mamma för högst 1300 kronor',
      'a kind in a size': 'löparskor storlek 42',
      'the colours of a named one': 'Vilka färger finns Källa i?',
      'a colour between two prices': 'blåa ryggsäckar mellan 500 och 1000 kr',
      'what is not sold': 'Har ni tält?',
      'a return': 'Hur kan jag returnera en jacka?',
      'at least a price': 'skor över 1000 kr',
      'how it is washed': 'Kan man tvätta Bris i maskin?',
      'a present for a man': 'Har ni några julklappar till pappa?',
    },
  },
  da: {
    currency: 'DKK',
    unit: 10,
    kinds: ['Jakker', 'Sko', 'Rygsække', 'Flasker'],
    titles: {
      rain: 'Brise regnjakke',
      wool: 'Fjeld uldjakke',
      run: 'Gnist løbesko',
      hike: 'Granit vandresko',
      pack: 'Sti 30 vandrerygsæk',
      bottle: 'Kilde termoflaske',
    },
    washing: 'Let jakke til regn. Maskinvask ved 30 grader.',
    attributes: ['Farve', 'Størrelse', 'Køn'],
    audiences: ['dame', 'herre'],
    colours: ['rød', 'blå', 'grøn', 'sort', 'brun'],
    returns: [
      'Returnering',
      'Du kan returnere en jakke eller en anden vare inden for 30 dage. Returneringen er gratis.',
    ],
    questions: {
      'a colour': 'Har I røde jakker?',
      'at most a price': 'Jeg leder efter en jakke under 1500 kr',
      'the cheapest': 'Hvilken jakke er billigst?',
      'the most expensive': 'Og de dyreste sko?',
      'a named one in a size': 'Findes Brise regnjakke i størrelse M?',
      'the price of a named one': 'Hvad koster Sti 30?',
      'what is on sale': 'Hvad har I på tilbud?',
      'a present for a woman, with a limit': 'Jeg søger en gave til min mor til højst 1300 kroner',
      'a kind in a size': 'løbesko størrelse 42',
      'the colours of a named one': 'Hvilke farver fås Kilde i?',
      'a colour between two prices': 'blå rygsække mellem 500 og 1000 kr',
      'what is not sold': 'Har I telte?',
      'a return': 'Hvordan returnerer jeg en jakke?',
      'at least a price': 'sko over 1000 kr',
      'how it is washed': 'Kan Brise vaskes i maskine?',
      'a present for a man': 'En gave til far',
    },
  },
  ru: {
    currency: 'RUB',
    unit: 50,
    kinds: ['Куртки', 'Обувь', 'Рюкзаки', 'Бутылки'],
    titles: {
      rain: 'Куртка дождевая Бриз',
      wool: 'Куртка шерстяная Тундра',
      run: 'Обувь для бега Искра',
      hike: 'Обувь походная Гранит',
      pack: 'Рюкзак Тропа 30',
      bottle: 'Бутылка термос Родник',
    },
    washing: 'Лёгкая куртка от дождя. Можно стирать в машине при 30 градусах.',
    attributes: ['Цвет', 'Размер', 'Пол'],
    audiences: ['женский', 'мужской'],
    colours: ['красный', 'синий', 'зелёный', 'чёрный', 'коричневый'],
    returns: ['Возврат', 'Куртку и любой другой товар можно вернуть в течение 30 дней. Возврат бесплатный.'],
    questions: {
      'a colour': 'У вас есть красные куртки?',
      'at most a price': 'Ищу куртку до 8000 рублей',
      'the cheapest': 'Какая самая дешёвая куртка?',
      'the most expensive': 'А самая дорогая обувь?',
      'a named one in a size': 'Куртка дождевая Бриз есть в размере M?',
      'the price of a named one': 'Сколько стоит рюкзак Тропа 30?',
      'what is on sale': 'Что сейчас со скидкой?',
      'a present for a woman, with a limit': 'Ищу подарок маме не дороже 6500 рублей',
      'a kind in a size': 'обувь для бега размер 42',
      'the colours of a named one': 'Какие цвета есть у термоса Родник?',
      'a colour between two prices': 'синие рюкзаки от 3000 до 5000 рублей',
      'what is not sold': 'Вы продаёте палатки?',
      'a return': 'Как вернуть куртку?',
      'at least a price': 'обувь дороже 6000 рублей',
      'how it is washed': 'Дождевую куртку Бриз можно стирать в машине?',
      'a present for a man': 'подарок для папы',
    },
  },
  tr: {
    currency: 'TRY',
    unit: 10,
    kinds: ['Ceketler', 'Ayakkabılar', 'Sırt çantaları', 'Termoslar'],
    titles: {
      rain: 'Meltem yağmurluk ceket',
      wool: 'Toros yün ceket',
      run: 'Kıvılcım koşu ayakkabısı',
      hike: 'Granit yürüyüş ayakkabısı',
      pack: 'Patika 30 sırt çantası',
      bottle: 'Pınar termos',
    },
    washing: 'Yağmur için hafif ceket. Makinede 30 derecede yıkanabilir.',
    attributes: ['Renk', 'Beden', 'Cinsiyet'],
    audiences: ['kadın', 'erkek'],
    colours: ['kırmızı', 'mavi', 'yeşil', 'siyah', 'kahverengi'],
    returns: ['İade', 'Ceket ve diğer ürünleri teslimattan sonra 30 gün içinde iade edebilirsiniz. İade ücretsizdir.'],
    questions: {
      'a colour': 'Kırmızı ceket var mı?',
      'at most a price': '1500 TL altı ceket arıyorum',
      'the cheapest': 'En ucuz ceket hangisi?',
      'the most expensive': 'En pahalı ayakkabınız hangisi?',
      'a named one in a size': 'Meltem ceketin M bedeni var mı?',
      'the price of a named one': 'Patika 30 ne kadar?',
      'what is on sale': 'İndirimde neler var?',
      'a present for a woman, with a limit': 'Annem için 1300 liraya kadar bir hediye arıyorum',
      'a kind in a size': '42 numara koşu ayakkabısı',
      'the colours of a named one': 'Pınar termosun hangi renkleri var?',
      'a colour between two prices': '500 ile 1000 lira arası mavi sırt çantası',
      'what is not sold': 'Çadır satıyor musunuz?',
      'a return': 'Ceketi nasıl iade edebilirim?',
      'at least a price': '1000 liradan pahalı ayakkabılar',
      'how it is washed': 'Meltem makinede yıkanır mı?',
      'a present for a man': 'Babama hediye',
    },
  },
  ar: {
    currency: 'SAR',
    unit: 1,
    kinds: ['جاكيتات', 'أحذية', 'حقائب ظهر', 'قوارير'],
    titles: {
      rain: 'جاكيت مطر نسيم',
      wool: 'جاكيت صوف جبال',
      run: 'حذاء جري شرارة',
      hike: 'حذاء مشي صخر',
      pack: 'حقيبة ظهر درب 30',
      bottle: 'قارورة حرارية نبع',
    },
    washing: 'جاكيت خفيف للمطر. يمكن غسله في الغسالة على 30 درجة.',
    attributes: ['اللون', 'المقاس', 'الفئة'],
    audiences: ['نسائي', 'رجالي'],
    colours: ['أحمر', 'أزرق', 'أخضر', 'أسود', 'بني'],
    returns: ['الإرجاع', 'يمكنك إرجاع الجاكيت وأي منتج آخر خلال 30 يوما من الاستلام. الإرجاع مجاني.'],
    questions: {
      'a colour': 'هل لديكم جاكيت أحمر؟',
      'at most a price': 'أبحث عن جاكيت بأقل من 150 ريال',
      'the cheapest': 'ما أرخص جاكيت؟',
      'the most expensive': 'وما أغلى حذاء؟',
      'a named one in a size': 'هل جاكيت نسيم متوفر بمقاس M؟',
      'the price of a named one': 'بكم حقيبة درب 30؟',
      'what is on sale': 'ما هي المنتجات المخفضة؟',
      'a present for a woman, with a limit': 'أبحث عن هدية لأمي لا تتجاوز ١٣٠ ريال',
      'a kind in a size': 'حذاء جري مقاس 42',
      'the colours of a named one': 'ما ألوان قارورة نبع؟',
      'a colour between two prices': 'حقائب زرقاء بين 50 و100 ريال',
      'what is not sold': 'هل تبيعون خيام؟',
      'a return': 'كيف يمكنني إرجاع الجاكيت؟',
      'at least a price': 'أحذية أكثر من 100 ريال',
      'how it is washed': 'هل يمكن غسل جاكيت نسيم في الغسالة؟',
      'a present for a man': 'هدية لوالدي',
    },
  },
  zh: {
    currency: 'CNY',
    unit: 1,
    kinds: ['夹克', '鞋', '背包', '水杯'],
    titles: {
      rain: '清风防水夹克',
      wool: '高山羊毛夹克',
      run: '火花跑步鞋',
      hike: '花岗登山鞋',
      pack: '小径30背包',
      bottle: '清泉保温杯',
    },
    washing: '轻便的雨天夹克。可用洗衣机30度清洗。',
    attributes: ['颜色', '尺码', '性别'],
    audiences: ['女款', '男款'],
    colours: ['红色', '蓝色', '绿色', '黑色', '棕色'],
    returns: ['退货', '夹克和其他商品均可在收货后30天内退货。退货免费。'],
    questions: {
      'a colour': '有红色的夹克吗？',
      'at most a price': '想找150元以下的夹克',
      'the cheapest': '最便宜的夹克是哪款？',
      'the most expensive': '那最贵的鞋呢？',
      'a named one in a size': '清风防水夹克有M码吗？',
      'the price of a named one': '小径30背包多少钱？',
      'what is on sale': '现在有什么打折的？',
      'a present for a woman, with a limit': '想给妈妈买个礼物，预算不超过130元',
      'a kind in a size': '42码的跑步鞋',
      'the colours of a named one': '清泉保温杯有哪些颜色？',
      'a colour between two prices': '有没有50到100块的蓝色背包',
      'what is not sold': '卖帐篷吗？',
      'a return': '夹克怎么退货？',
      'at least a price': '100元以上的鞋',
      'how it is washed': '清风夹克可以机洗吗？',
      'a present for a man': '送爸爸的礼物',
    },
  },
  ja: {
    currency: 'JPY',
    unit: 100,
    kinds: ['ジャケット', 'シューズ', 'リュック', 'ボトル'],
    titles: {
      rain: 'そよかぜ レインジャケット',
      wool: 'アルプス ウールジャケット',
      run: 'スパーク ランニングシューズ',
      hike: 'みかげ 登山靴',
      pack: 'こみち30 リュック',
      bottle: 'いずみ 保温ボトル',
    },
    washing: '雨の日に便利な軽いジャケット。洗濯機で30度で洗えます。',
    attributes: ['カラー', 'サイズ', '対象'],
    audiences: ['レディース', 'メンズ'],
    colours: ['レッド', 'ブルー', 'グリーン', 'ブラック', 'ブラウン'],
    returns: ['返品', 'ジャケットなどの商品は、お届けから30日以内であれば返品できます。返品は無料です。'],
    questions: {
      'a colour': '赤いジャケットはありますか？',
      'at most a price': '15000円以下のジャケットを探しています',
      'the cheapest': '一番安いジャケットはどれですか？',
      'the most expensive': 'では一番高い靴は？',
      'a named one in a size': 'そよかぜのMサイズはありますか？',
      'the price of a named one': 'こみち30はいくらですか？',
      'what is on sale': 'セール中の商品はありますか？',
      'a present for a woman, with a limit': '母へのプレゼントを探しています。予算は1万3千円以内です',
      'a kind in a size': 'ランニングシューズ 42',
      'the colours of a named one': 'いずみは何色がありますか？',
      'a colour between two prices': '5000円から10000円の青いリュック',
      'what is not sold': 'テントは売っていますか？',
      'a return': 'ジャケットを返品するにはどうすればいいですか？',
      'at least a price': '１万円以上の靴',
      'how it is washed': 'そよかぜは洗濯機で洗えますか？',
      'a present for a man': '父の誕生日プレゼント',
    },
  },
}

test.each(Object.entries(shops))(
  'in "%s", questions about products show what they ask for',
  async (language, texts) => {
    const [embeddedEngine] = engines
    const shop = await startCatalogueServer(embeddedEngine as (typeof engines)[number], {}, language)
    const [title, text] = texts.returns
    const returnsPage = { id: 'returns', title, url: 'https://shop.test/returns', markdown: `# ${title}\n\n${text}` }
    await shop.manage('POST /api/manage/v1/bots/{botId}/documents', { body: { documents: [returnsPage] } })
    await shop.sync(productsOf(texts))
    const ids = new Map([...Object.entries(texts.titles).map(([id, name]) => [name, id] as const), [title, 'returns']])
    const shownProducts: Record<string, unknown> = {}
    for (const [name, message] of Object.entries(texts.questions)) {
      const { body } = await shop.call('POST /api/v1/chat', {
        token: shop.chatKey,
        body: { bot_id: shop.botId, message },
      })
      shownProducts[name] = body.sources.map((source: { title: string }) => ids.get(source.title))
    }
    expect(shownProducts).toEqual(expected)
  },
)
