// What kind of thing a question asks for, and whether a sentence has one that the question did not bring itself.
import { fold, normalise } from '../../language/fold.ts'

export type AnswerType = 'figure' | 'time' | 'person' | 'place' | 'reason' | 'manner' | 'other'

const patterns: Record<string, [AnswerType, RegExp][]> = {
  en: [
    [
      'time',
      /\b(?:when|(?:what|which) (?:year|date|day|month|century|decade|time)|how long ago|until what time|opening (?:hours|times))\b/i,
    ],
    [
      'figure',
      /\b(?:how (?:many|much|long|old|far|tall|high|big|large|wide|heavy|fast|often|deep|quickly|soon)|(?:what|which) (?:percent\w*|number|age|price|size|cost|amount|fee|temperature)|price|costs?|phone number|discount)\b/i,
    ],
    [
      'person',
      /\b(?:who|whom|whose|(?:what|which) (?:person|man|woman|king|queen|president|scientist|author|artist|leader|company|team|group|organi[sz]ation))\b/i,
    ],
    [
      'place',
      /\b(?:where|(?:what|which) (?:city|country|state|place|region|location|continent|town|street|address))\b/i,
    ],
    ['reason', /\b(?:why|for what reason|what (?:reason|caused?|is the reason))\b/i],
    ['manner', /\bhow (?:do|does|did|can|should|to|is|are|was|were)\b/i],
  ],
  de: [
    [
      'time',
      /\b(?:wann|seit wann|bis wann|(?:welche[mnrs]?|in welchem) (?:jahr|datum|tag|monat|jahrhundert)|öffnungszeiten)\b/i,
    ],
    [
      'figure',
      /\b(?:wie ?(?:viele?|lange?|alt|hoch|gro(?:ß|ss)|weit|teuer|schwer|oft|breit|schnell)|preis|kosten?|kostet|welche (?:anzahl|größe|summe|nummer))\b/i,
    ],
    ['person', /\b(?:wer|wem|wen|wessen|welche[rs]? (?:person|firma|organisation|gruppe|mannschaft))\b/i],
    ['place', /\b(?:wo|woher|wohin|(?:welche[mnrs]?) (?:stadt|land|ort|staat|region|kontinent))\b/i],
    ['reason', /\b(?:warum|wieso|weshalb|aus welchem grund)\b/i],
    ['manner', /\bwie (?:kann|funktioniert|geht|wird|werden|ist|sind)\b/i],
  ],
  es: [
    ['time', /cu[aá]ndo|(?:qu[eé]|cu[aá]l) (?:año|fecha|día|mes|siglo|década|hora)|horario/i],
    ['figure', /cu[aá]nt[oa]s?|qu[eé] (?:porcentaje|número|cantidad|edad|tamaño)|precio|cuesta/i],
    ['person', /(?:^|[\s¿])qui[eé]n(?:es)?\b|qu[eé] (?:persona|equipo|empresa|grupo|organización)/i],
    ['place', /d[oó]nde|qu[eé] (?:ciudad|país|lugar|estado|región)/i],
    ['reason', /por qu[eé]/i],
    ['manner', /c[oó]mo/i],
  ],
  fr: [
    ['time', /quand|quelle? (?:année|date|jour|mois|heure|siècle)|horaires/i],
    ['figure', /combien|quelle? (?:taille|âge|nombre|montant|pourcentage)|prix|coûte/i],
    ['person', /(?:^|\s)(?:à )?qui\b|quelle? (?:personne|équipe|entreprise|groupe)/i],
    ['place', /(?:^|\s)où\b|quel(?:le)? (?:ville|pays|lieu|région)/i],
    ['reason', /pourquoi/i],
    ['manner', /comment/i],
  ],
  it: [
    ['time', /quando|(?:che|quale) (?:anno|data|giorno|ora|mese|secolo)|orari/i],
    ['figure', /quant[oiae]|prezzo|costa|(?:che|quale) (?:numero|percentuale|taglia|età)/i],
    ['person', /(?:^|\s)chi\b|(?:che|quale) (?:persona|squadra|azienda|gruppo)/i],
    ['place', /dove|dov'|(?:che|quale) (?:città|paese|luogo|regione)/i],
    ['reason', /perch[eé]/i],
    ['manner', /come/i],
  ],
  pt: [
    ['time', /quando|(?:que|qual) (?:ano|data|dia|mês|século|hora)|horário/i],
    ['figure', /quant[oa]s?|preço|custa|(?:que|qual) (?:número|percentagem|idade|tamanho)/i],
    ['person', /(?:^|\s)quem\b|(?:que|qual) (?:pessoa|equipa|empresa|grupo)/i],
    ['place', /onde|(?:que|qual) (?:cidade|país|lugar|região)/i],
    ['reason', /por ?qu[eê]/i],
    ['manner', /como/i],
  ],
  nl: [
    ['time', /\b(?:wanneer|welk(?:e)? (?:jaar|datum|dag|maand|eeuw)|hoe laat|openingstijden)\b/i],
    ['figure', /\b(?:hoeveel|hoe (?:lang|oud|hoog|groot|ver|duur|vaak|snel)|prijs|kosten?|kost)\b/i],
    ['person', /\b(?:wie|wiens)\b/i],
    ['place', /\b(?:waar|waarheen|welk(?:e)? (?:stad|land|plaats))\b/i],
    ['reason', /\bwaarom\b/i],
    ['manner', /\bhoe\b/i],
  ],
  ar: [
    ['time', /متى|(?:أي|اي) (?:عام|سنة|تاريخ|يوم|شهر|قرن)/],
    ['figure', /(?:^|\s)(?:ب)?كم|ما (?:عدد|نسبة|هي نسبة|هو عدد)/],
    ['person', /(?:^|\s)(?:من|لمن|بمن|من هو|من هي|من الذي)\s/],
    ['place', /(?:أين|اين)|(?:أي|اي) (?:مدينة|دولة|بلد|مكان)/],
    ['reason', /لماذا|(?:ما|ماهو|ما هو) سبب/],
    ['manner', /كيف/],
  ],
  ru: [
    ['time', /когда|(?:каком|какой) (?:году|год|день|век|веке|дата|месяц)/i],
    ['figure', /сколько|цена|стоит|какой процент|какое количество/i],
    ['person', /(?:^|\s)(?:кто|кого|кому|кем|чей|чья)(?:\s|$)/i],
    ['place', /(?:^|\s)(?:где|куда|откуда)(?:\s|$)|как(?:ом|ой) (?:город|городе|стране|страна)/i],
    ['reason', /почему|зачем/i],
    ['manner', /(?:^|\s)как(?:\s|$)/i],
  ],
  zh: [
    ['time', /何时|什么时候|哪一?年|哪一?天|几点|哪个(?:世纪|月)|什么时间/],
    ['figure', /多少|几|多[大长高远久快]|价格|比例/],
    ['person', /谁|哪(?:个|位)(?:人|国王|总统|公司|组织|球员|球队)|什么人/],
    ['place', /哪里|何处|在哪|哪个(?:城市|国家|地方|州)|什么地方/],
    ['reason', /为什么|为何|什么原因/],
    ['manner', /如何|怎么|怎样/],
  ],
  ja: [
    ['time', /いつ|何(?:年|時|日|月|世紀)/],
    ['figure', /いくつ|いくら|何(?:人|個|回|歳|パーセント)|どのくらい|どれくらい/],
    ['person', /誰|だれ/],
    ['place', /どこ|どの(?:国|都市|場所)/],
    ['reason', /なぜ|どうして/],
    ['manner', /どうやって|どのように/],
  ],
}

export function answerType(question: string, language: string): AnswerType {
  for (const [type, pattern] of patterns[language.slice(0, 2)] ?? []) if (pattern.test(question)) return type
  return 'other'
}

const figure = /\p{N}+(?:[.,:]\p{N}+)*/gu
const numberWord =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|twice|double|free|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|hundert|tausend|million(?:en)?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil|millones|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille)\b|[一二三四五六七八九十百千万亿两]/iu
const timeWord =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|daily|januar|februar|märz|mai|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jahrhundert|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|siglo)\b/iu
const reasonWord =
  /\b(?:because|since|due to|so that|in order to|therefore|caused|reason|weil|da|damit|wegen|grund|deshalb|porque|debido|para que|parce que|à cause|afin)\b|لأن|بسبب|因为|由于|потому|из-за|ため|から/iu
const capitalised = /(?<=\p{Ll}[\p{L}]*[,;:]?\s(?:["“„(]\s?)?)\p{Lu}[\p{L}\p{M}'’-]+/gu
// All nouns are capitalised in German, and other scripts have no capitals: names cannot be told there.
const namesByCapital = (language: string): boolean => !/^(?:de|lb|ar|he|fa|ur|zh|ja|ko|th|hi)/.test(language)

/** How well a sentence could hold the answer: 1 yes, 0 no, 0.5 where that cannot be told. */
export function holdsType(type: AnswerType, sentence: string, question: string, language: string): number {
  switch (type) {
    case 'figure':
      return newFigure(sentence, question) || numberWord.test(sentence) ? 1 : 0
    case 'time':
      return newFigure(sentence, question) || timeWord.test(sentence) ? 1 : 0
    case 'person':
    case 'place':
      return !namesByCapital(language) ? 0.5 : newName(sentence, question) ? 1 : 0
    case 'reason':
      return reasonWord.test(sentence) ? 1 : 0.5
    default:
      return 0.5
  }
}

function newFigure(sentence: string, question: string): boolean {
  const known = new Set(question.match(figure))
  return (sentence.match(figure) ?? []).some((found) => !known.has(found))
}

function newName(sentence: string, question: string): boolean {
  const known = fold(normalise(question))
  return (sentence.match(capitalised) ?? []).some((name) => !known.includes(fold(normalise(name))))
}
