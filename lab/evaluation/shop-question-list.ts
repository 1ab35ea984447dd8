// Questions about Magento's Luma sample shop, written for this project, each with what a correct answer contains.

export interface ShopItem {
  sku: string
  name: string
  price: string
  categories: string
  attributes: Record<string, string>
  rating?: number
  review_count?: number
}

export interface ShopQuestion {
  question: string
  kind: string
  /** An earlier question that this one follows up. */
  after?: string
  /** Titles, one of which comes first. */
  first?: string[]
  /** Titles that must all be named. */
  holds?: string[]
  /** Only these titles may be named. */
  only?: string[]
  /** Must hold for an item of every named product. */
  each?: (item: ShopItem) => boolean
  text?: RegExp
  /** To be answered from a page. */
  page?: boolean
  /** Also asks something the pages answer. */
  also_page?: boolean
  unanswered?: boolean
}

const upTo = (price: number, item: ShopItem) => Number(item.price) <= price
const is = (category: string, item: ShopItem) => item.categories.includes(category)
const has = (color: string, size: string | null, { attributes }: ShopItem) =>
  attributes.color === color && (size === null || attributes.size === size)

export const shopQuestions: ShopQuestion[] = [
  {
    kind: 'price',
    question: 'Do you have backpacks under 40 dollars?',
    each: (one) => upTo(40, one) && /Backpack/.test(one.name),
  },
  { kind: 'price', question: 'show me watches below $50', each: (one) => upTo(50, one) && is('Watches', one) },
  {
    kind: 'price',
    question: "women's jackets between 50 and 60 dollars",
    each: (one) => is('Women/Tops/Jackets', one) && Number(one.price) >= 50 && upTo(60, one),
  },
  {
    kind: 'price',
    question: "I'm looking for men's shorts for less than 30",
    each: (one) => is('Men/Bottoms/Shorts', one) && upTo(30, one),
  },
  { kind: 'price', question: 'yoga pants under 45$', each: (one) => /Yoga Pant/.test(one.name) && upTo(45, one) },
  { kind: 'price', question: 'How much is the Joust Duffle Bag?', first: ['Joust Duffle Bag'], text: /34/ },
  { kind: 'price', question: 'what does the dash digital watch cost', first: ['Dash Digital Watch'], text: /92/ },
  { kind: 'cheapest', question: 'What is your cheapest backpack?', first: ['Endeavor Daytrip Backpack'], text: /33/ },
  { kind: 'cheapest', question: 'cheapest water bottle', first: ['Affirm Water Bottle'] },
  { kind: 'cheapest', question: "Which is the most expensive men's jacket?", first: ['Lando Gym Jacket'], text: /99/ },
  {
    kind: 'cheapest',
    question: 'most expensive watch you sell',
    first: ['Dash Digital Watch', 'Didi Sport Watch'],
    text: /92/,
  },
  { kind: 'cheapest', question: 'cheapest hoodie for women', first: ['Selene Yoga Hoodie'], text: /42/ },
  {
    kind: 'cheapest',
    question: 'cheapest backpack with a laptop sleeve',
    first: ['Driven Backpack', 'Endeavor Daytrip Backpack'],
    each: (one) => /Laptop/.test(one.attributes.features_bags ?? ''),
  },
  {
    kind: 'colour',
    question: 'Do you have red hoodies?',
    each: (one) => has('Red', null, one) && /Hoodi|Hoodlie|Sweatshirt|Pull|Fleece/.test(one.name),
  },
  {
    kind: 'colour',
    question: "purple women's tank tops",
    each: (one) => has('Purple', null, one) && is('Women/Tops', one),
  },
  {
    kind: 'colour',
    question: 'is the Hero Hoodie available in green?',
    first: ['Hero Hoodie'],
    text: /yes.*green.*in stock/i,
  },
  {
    kind: 'colour',
    question: 'Does the Montana Wind Jacket come in yellow?',
    first: ['Montana Wind Jacket'],
    text: /not offered in yellow/i,
  },
  {
    kind: 'colour',
    question: 'What colors does the Teton Pullover Hoodie come in?',
    first: ['Teton Pullover Hoodie'],
    text: /Black.*Purple.*Red|Red.*Black/i,
  },
  { kind: 'size', question: 'Do you have the Juno Jacket in XS?', first: ['Juno Jacket'], text: /yes.*XS.*in stock/i },
  {
    kind: 'size',
    question: 'Is the Orion Two-Tone Fitted Jacket available in XXL?',
    first: ['Orion Two-Tone Fitted Jacket'],
    text: /not offered in size XXL/i,
  },
  { kind: 'size', question: 'black pants in size 34', each: (one) => has('Black', '34', one) },
  {
    kind: 'size',
    question: 'blue tee in size M for men under 25',
    each: (one) => has('Blue', 'M', one) && upTo(25, one) && is('Men', one),
  },
  {
    kind: 'size',
    question: 'What sizes does the Apollo Running Short have?',
    first: ['Apollo Running Short'],
    text: /32.*33.*34.*36/,
  },
  { kind: 'kind', question: 'Do you sell yoga mats or straps?', each: (one) => /Strap|Yoga/.test(one.name) },
  { kind: 'kind', question: 'jump rope', first: ['Zing Jump Rope'] },
  { kind: 'kind', question: 'sports bra', each: (one) => /Bra/.test(one.name) },
  { kind: 'kind', question: 'do you have any jackts for running', each: (one) => is('Jackets', one) },
  { kind: 'kind', question: 'messenger bags', each: (one) => /Messenger/.test(one.name) },
  { kind: 'kind', question: 'foam rollers', first: ['Sprite Foam Roller'] },
  { kind: 'kind', question: 'I need a duffle bag for travel', each: (one) => /Duffle/.test(one.name) },
  {
    kind: 'kind',
    question: 'organic cotton tees for women',
    each: (one) => is('Women', one) && /Organic Cotton/.test(one.attributes.material ?? ''),
  },
  { kind: 'rating', question: 'best rated backpack', each: (one) => /Backpack/.test(one.name) },
  {
    kind: 'rating',
    question: 'How is the Fusion Backpack rated?',
    first: ['Fusion Backpack'],
    text: /rated \d.* of 5/,
  },
  { kind: 'availability', question: 'Is the Impulse Duffle in stock?', first: ['Impulse Duffle'], text: /in stock/ },
  { kind: 'availability', question: 'is the fusion bakpack available', first: ['Fusion Backpack'], text: /in stock/ },
  {
    kind: 'fact',
    question: 'What material is the Fusion Backpack made of?',
    first: ['Fusion Backpack'],
    text: /Burlap|nylon/i,
  },
  { kind: 'fact', question: 'Is the Joust Duffle Bag waterproof?', first: ['Joust Duffle Bag'], text: /waterproof/i },
  {
    kind: 'fact',
    question: 'What are the dimensions of the Joust Duffle Bag?',
    first: ['Joust Duffle Bag'],
    text: /29" x W 13"/,
  },
  {
    kind: 'fact',
    question: 'Can I machine wash the Chaz Kangeroo Hoodie?',
    first: ['Chaz Kangeroo Hoodie'],
    text: /machine wash/i,
  },
  {
    kind: 'fact',
    question: 'Does the Dash Digital Watch have a backlight?',
    first: ['Dash Digital Watch'],
    text: /backlight/i,
  },
  {
    kind: 'fact',
    question: 'What is in the Sprite Yoga Companion Kit?',
    first: ['Sprite Yoga Companion Kit'],
    text: /includes|composed/,
  },
  {
    kind: 'follow-up',
    question: 'Tell me about the Crown Summit Backpack',
    first: ['Crown Summit Backpack'],
    text: /38/,
  },
  {
    kind: 'follow-up',
    question: 'Is it made of nylon?',
    after: 'Tell me about the Crown Summit Backpack',
    first: ['Crown Summit Backpack'],
    text: /nylon/i,
  },
  {
    kind: 'follow-up',
    question: 'something cheaper?',
    after: 'Is it made of nylon?',
    each: (one) => Number(one.price) < 38,
  },
  {
    kind: 'follow-up',
    question: 'and under 40 dollars?',
    after: "women's jackets between 50 and 60 dollars",
    each: (one) => upTo(40, one) && is('Women/Tops/Jackets', one),
  },
  {
    kind: 'follow-up',
    question: 'and in blue?',
    after: 'Do you have red hoodies?',
    each: (one) => has('Blue', null, one),
  },
  {
    kind: 'comparison',
    question: 'Compare the Driven Backpack and the Fusion Backpack',
    holds: ['Driven Backpack', 'Fusion Backpack'],
    text: /36[\s\S]*59|59[\s\S]*36/,
  },
  {
    kind: 'comparison',
    question: 'compare the first two',
    after: 'show me watches below $50',
    each: (one) => is('Watches', one),
    text: /side by side/i,
  },
  {
    kind: 'accessory',
    question: 'What goes with it?',
    after: 'Compare the Driven Backpack and the Fusion Backpack',
    text: /goes with/i,
  },
  { kind: 'policy', question: 'What is your return policy?', page: true, text: /30 days|return/i },
  { kind: 'policy', question: 'How many days do I have to return a jacket?', page: true, text: /30 days/i },
  {
    kind: 'policy',
    question: 'Can I return a backpack that I have used?',
    page: true,
    text: /used merchandise|unworn/i,
  },
  { kind: 'policy', question: 'How much is overnight shipping?', page: true, text: /\$33|\$38|overnight/i },
  { kind: 'policy', question: 'Do you deliver on weekends?', page: true, text: /weekdays/i },
  { kind: 'policy', question: 'How long does delivery to Hawaii take?', page: true, text: /7 to 9|Hawaii/i },
  { kind: 'policy', question: 'I want to return a gift, what do I get?', page: true, text: /gift card/i },
  { kind: 'policy', question: 'How long does it take to process my return?', page: true, text: /10 to 14 days/i },
  { kind: 'policy', question: 'What is your phone number?', page: true, text: /800-403-8838/ },
  { kind: 'policy', question: 'How many stores do you have?', page: true, text: /230/ },
  { kind: 'policy', question: 'Do you use cookies?', page: true, text: /cookie/i },
  { kind: 'policy', question: 'Is my credit card information encrypted?', page: true, text: /SSL|encrypt|secure/i },
  {
    kind: 'policy',
    question: 'I am an independent designer, can I sell my clothes with you?',
    page: true,
    text: /cs@luma\.com|designer/i,
  },
  { kind: 'policy', question: 'Who do journalists write to for press inquiries?', page: true, text: /pr@luma\.com/i },
  { kind: 'unanswerable', question: 'Do you sell lawn mowers?', unanswered: true },
  { kind: 'unanswerable', question: 'Does the Fusion Backpack have a built-in battery?', unanswered: true },
  { kind: 'unanswerable', question: 'What is the name of your chief executive?', unanswered: true },
  { kind: 'unanswerable', question: 'Can I pay with bitcoin?', unanswered: true },
]

/** Held out: written after the others worked, asked once, never tuned for. */
export const freshQuestions: ShopQuestion[] = [
  {
    kind: 'price',
    question: 'what bags do you have for less than 35 dollars',
    each: (one) => upTo(35, one) && is('Bags', one),
  },
  {
    kind: 'price',
    question: 'hoodies between 40 and 50 dollars for men',
    each: (one) => is('Men', one) && Number(one.price) >= 40 && upTo(50, one),
  },
  { kind: 'price', question: 'price of the summit watch?', first: ['Summit Watch'], text: /54/ },
  { kind: 'cheapest', question: 'cheapest tank top for men', each: (one) => is('Men/Tops/Tanks', one), text: /18/ },
  { kind: 'cheapest', question: 'what is the priciest duffle', first: ['Impulse Duffle'] },
  { kind: 'colour', question: 'I want a yellow jacket', each: (one) => has('Yellow', null, one) && is('Jackets', one) },
  {
    kind: 'colour',
    question: 'orange shorts for women in size 29',
    each: (one) => has('Orange', '29', one) && is('Women', one),
  },
  { kind: 'size', question: 'does the Lando Gym Jacket come in small?', first: ['Lando Gym Jacket'], text: /yes/i },
  { kind: 'size', question: 'do you have the Cronus Yoga Pant in 33', first: ['Cronus Yoga Pant'], text: /yes.*33/i },
  { kind: 'kind', question: 'training videos for yoga', each: (one) => /Yoga|Pilates|Fitness/.test(one.name) },
  { kind: 'kind', question: 'fleece jackets', each: (one) => is('Jackets', one) },
  { kind: 'kind', question: 'do you have resistance bands', each: (one) => /Band/.test(one.name) },
  { kind: 'kind', question: 'sweatshrt for men', each: (one) => /Sweatshirt|Hoodie/.test(one.name) },
  {
    kind: 'fact',
    question: 'Is the Rival Field Messenger made of leather?',
    first: ['Rival Field Messenger'],
    text: /leather/i,
  },
  { kind: 'fact', question: "How long is the Beginner's Yoga video?", first: ["Beginner's Yoga"], text: /\d+/ },
  {
    kind: 'fact',
    question: 'Does the Driven Backpack have a bottle pocket?',
    first: ['Driven Backpack'],
    text: /bottle/i,
  },
  { kind: 'follow-up', question: 'Do you have the Zoe Tank in L?', first: ['Zoe Tank'], text: /yes/i },
  {
    kind: 'follow-up',
    question: 'how much is it?',
    after: 'Do you have the Zoe Tank in L?',
    first: ['Zoe Tank'],
    text: /29/,
  },
  {
    kind: 'follow-up',
    question: 'what other colors does it come in?',
    after: 'how much is it?',
    first: ['Zoe Tank'],
    text: /colou?rs/i,
  },
  { kind: 'follow-up', question: 'Can I return it?', after: 'how much is it?', page: true, text: /return/i },
  {
    kind: 'comparison',
    question: 'Which is better, the Aim Analog Watch or the Bolo Sport Watch?',
    holds: ['Aim Analog Watch', 'Bolo Sport Watch'],
  },
  { kind: 'policy', question: 'What does priority shipping cost for an order of 300 dollars?', page: true, text: /31/ },
  { kind: 'policy', question: 'Do you refund used items?', page: true, text: /defective|refund/i },
  { kind: 'unanswerable', question: 'Do you have any surfboards?', unanswered: true },
  { kind: 'unanswerable', question: 'Is the Summit Watch compatible with Android?', unanswered: true },
]
