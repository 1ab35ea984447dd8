// "This page explains how to …" promises an answer and is none.

const patterns: Record<string, RegExp> = {
  en: /\b(?:this|the following|on this|in this) (?:page|article|section|guide|chapter|faq)\b|\b(?:below|here) you(?: wi|')ll find\b|\bread on\b/i,
  de: /\b(?:diese[rs]?|folgenden?) (?:seite|artikel|abschnitt|anleitung|kapitel)\b|\b(?:hier|unten|nachfolgend) finden sie\b/i,
  es: /\b(?:esta|la siguiente) (?:página|sección|guía)|\beste (?:artículo|apartado)|\baquí encontrará/i,
  fr: /\b(?:cette|la présente) (?:page|section|rubrique)|\bcet article|\bvous trouverez (?:ici|ci-dessous)/i,
  it: /\b(?:questa|la seguente) (?:pagina|sezione|guida)|\bquesto articolo|\bqui troverà/i,
  pt: /\b(?:esta|a seguinte) (?:página|seção|secção)|\beste artigo|\baqui encontrará/i,
  nl: /\b(?:deze|volgende) (?:pagina|sectie|gids)\b|\bdit artikel\b|\bhieronder vindt u\b/i,
}

/** Whether a sentence speaks of the page that it stands on. */
export const speaksOfPage = (sentence: string, language: string): boolean =>
  patterns[language.slice(0, 2)]?.test(sentence) ?? false
