// Words that frame a question and do not say what it is about: "return policy" asks about returns. Where the content
// has them ("Privacy policy") they count like any other; where it has not, their absence says nothing against it.

const lists: Record<string, string> = {
  en: `policy policies information info details detail rules rule procedure procedures process guidelines guideline option options possibility possibilities conditions question questions problem issue issues situation like need want wanna tell explain know exactly generally usually currently`,
  de: `richtlinie richtlinien regelung regelungen regeln informationen information infos info details bedingungen möglichkeit möglichkeiten ablauf vorgehen frage fragen problem probleme bitte sagen erklären wissen möchte möchten genau eigentlich normalerweise`,
  fr: `politique politiques informations information infos info détails règles règle procédure conditions options option possibilités question questions problème voudrais aimerais savoir expliquer exactement normalement`,
  es: `política políticas información info detalles reglas regla procedimiento proceso condiciones opciones opción posibilidad pregunta preguntas problema quisiera quiero saber explicar exactamente normalmente`,
  it: `politica informazioni info dettagli regole regola procedura condizioni opzioni domanda domande problema vorrei sapere spiegare esattamente normalmente`,
  pt: `política informações informação info detalhes regras procedimento condições opções pergunta perguntas problema gostaria quero saber explicar exatamente normalmente`,
  nl: `beleid informatie info details regels procedure voorwaarden opties mogelijkheden vraag vragen probleem graag weten uitleggen precies normaal`,
}

const sets = new Map(Object.entries(lists).map(([language, list]) => [language, new Set(list.split(' '))]))

export function isFrameWord(word: string, language: string): boolean {
  return sets.get(language.slice(0, 2))?.has(word) ?? false
}
