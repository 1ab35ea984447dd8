// Questions that ask for a number, an amount or a time are answered by sentences with figures in them.

const figureQuestion: Record<string, RegExp> = {
  en: /\b(?:how (?:many|much|long|old|far|tall|high|big|large|wide|heavy|fast|often|deep)|when|wh(?:at|ich) (?:year|date|day|month|time|percent\w*|number|age|price|size|cost|century|decade)|price|cost|phone number|dimensions?)\b/i,
  de: /\b(?:wie ?(?:viele?|lange?|alt|hoch|gro(?:ß|ss)|weit|teuer|schwer|oft|breit)|wann|seit wann|welche[mnrs]? (?:jahr|datum|tag|monat|jahrhundert)|preis|kostet)\b/i,
  es: /(?:cu[aá]nt[oa]s?|cu[aá]ndo|qu[eé] (?:año|fecha|día|mes|porcentaje|siglo)|precio|cuesta)/i,
  fr: /(?:combien|quand|quelle? (?:année|date|jour|mois|heure|taille|siècle|âge)|prix|coûte)/i,
  it: /(?:quant[oiae]|quando|che (?:anno|data|giorno|ora)|prezzo|costa)/i,
  pt: /(?:quant[oa]s?|quando|que (?:ano|data|dia|mês)|preço|custa)/i,
  nl: /\b(?:hoeveel|hoe (?:lang|oud|hoog|groot|ver|duur)|wanneer|welk jaar|prijs|kost)\b/i,
  ar: /(?:كم|متى|(?:أي|اي) (?:عام|سنة|تاريخ|يوم))/,
  ru: /(?:сколько|когда|каком году|цена|стоит)/i,
  zh: /(?:多少|几|何时|什么时候|哪一?年|多[大长高远久]|哪一?天|价格)/,
  ja: /(?:いくつ|いくら|何(?:年|人|時|日|月|個|回|歳)|いつ|どのくらい)/,
}

/** True when the answer is likely to be a number or a date. */
export const asksForFigure = (question: string, language: string): boolean =>
  figureQuestion[language.slice(0, 2)]?.test(question) ?? false
