// Words in which people ask about one and the same property, however the shop calls it. Compared by stem.
import { stem } from '../../language/stem.ts'

const topics: Record<string, string[]> = {
  en: [
    'weight weigh weighs heavy light lightweight kilograms pounds grams ounces kg lbs',
    'material materials made fabric composition textile leather cotton wool polyester nylon metal plastic wood',
    'size sizes big large small dimensions dimension width height length depth measurements inches inch cm diameter',
    'width wide dimensions measurements',
    'height tall high dimensions measurements',
    'length long dimensions measurements',
    'depth deep dimensions measurements',
    'capacity volume litres liters hold holds fit room storage memory',
    'color colour colors colours shade',
    'waterproof water water-repellent repellent resistant rain wet membrane splash weatherproof',
    'wash washable washing machine clean cleaning care dry',
    'warm warmth cold winter temperature insulated insulation cool',
    'brand maker manufacturer company makes by',
    'age ages years old kids children baby adults adult child kid toddler',
    'gender men women man woman boy girl unisex mens womens',
    'battery batteries charge charging rechargeable power powered last lasts runtime',
    'bright brightness brighter lumens lumen light',
    'pocket pockets compartment compartments sleeve',
    'style pattern design look',
    'season summer winter spring autumn weather climate',
    'fit fits tight loose snug slim relaxed regular',
    'model number version year',
    'country origin made manufactured',
    'included include includes comes package contents box',
    'number pieces count quantity pack many items set',
    'scent smell fragrance flavor taste ingredients allergens gluten vegan organic',
    'compatible compatibility work works fit device',
    'closure zip zipper button buttons hook lace laces',
    'activity sport sports gym yoga running hiking training exercise',
    'strap straps handle handles',
    'download downloadable format video stream',
    'wireless bluetooth wifi connectivity cable',
    'resolution screen display pixels',
    'voltage watts wattage amperage',
    'breathable breathability ventilated moisture wicking sweat',
    'recycled sustainable eco organic environment friendly',
  ],
  de: [
    'gewicht wiegt wiegen schwer leicht gramm kilo kg weight',
    'material stoff gewebe zusammensetzung besteht leder baumwolle wolle',
    'maße größe groß breit breite höhe hoch lang länge tief tiefe abmessungen durchmesser dimensions size',
    'volumen liter fassungsvermögen passt platz kapazität capacity',
    'farbe farben colour color',
    'wasserdicht wasser wasserabweisend regen nass membran waterproof regendicht',
    'waschen waschbar waschmaschine pflege reinigen trockner wash care',
    'warm wärme kalt kälte winter temperatur isoliert',
    'marke hersteller firma brand',
    'alter jahre kinder baby erwachsene age',
    'akku batterie laden aufladen battery',
    'tasche taschen fach fächer pocket pockets laptopfach sleeve',
    'saison sommer winter frühling herbst jahreszeit season',
    'passform schnitt eng weit locker fit',
    'atmungsaktiv breathable breathability',
    'recycelt nachhaltig bio recycled',
    'reißverschluss knöpfe verschluss zip',
    'lieferumfang enthalten dabei included',
  ],
}

const byStem = new Map<string, Map<string, Set<string>>>()

/** The stems that ask for the same property as this one. */
export function topicOf(word: string, language: string): ReadonlySet<string> {
  const code = topics[language.slice(0, 2)] ? language.slice(0, 2) : 'en'
  let known = byStem.get(code)
  if (!known) {
    known = new Map()
    for (const line of topics[code] ?? []) {
      const stems = line.split(' ').map((one) => stem(one, code))
      for (const one of stems) known.set(one, new Set([...(known.get(one) ?? []), ...stems]))
    }
    byStem.set(code, known)
  }
  return known.get(word) ?? none
}

const none: ReadonlySet<string> = new Set()
