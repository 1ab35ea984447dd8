// Sentences that open with "It", "This", "However" lean on the one before: alone they leave a reader puzzled.

const openings: Record<string, RegExp> = {
  en: /^(?:it|its|this|that|these|those|they|them|their|he|she|his|her|such|both|neither|however|but|and|or|so|also|then|therefore|thus|otherwise|instead|in that case|in this case|if so|if not|for this|because of this|the latter|the former|the same|as a result|in addition|similarly|conversely)\b(?!\s+(?:is|was)\s+(?:possible|important|not possible)\b)/i,
  de: /^(?:dies(?:e[mnrs]?)?|das (?:ist|gilt|sind|war|heißt|kann|geht|wird)|es (?!gibt)|er|sie|ihre?[mnrs]?|seine?[mnrs]?|dort|dann|deshalb|daher|dabei|dazu|damit|dafür|davon|danach|dadurch|darin|darauf|außerdem|sonst|andernfalls|jedoch|aber|und|oder|auch|ebenso|beide|letztere[rs]?|in diesem fall)(?![\p{L}])/iu,
  es: /^(?:est[eao]s?|es[eao]s?|ell[oa]s?|él|su[s]?|sin embargo|además|por (?:lo tanto|eso|ello)|así|pero|y|o|también|ambos|entonces|en (?:ese|este) caso)(?![\p{L}])/iu,
  fr: /^(?:ce(?:ci|la|tte|t|s|ux|lui)?|c['’]est|il(?! (?:y a|est (?:possible|nécessaire|important)|faut))|elles?|ils|leurs?|son|sa|ses|cependant|toutefois|mais|et|ou|donc|ainsi|de plus|aussi|sinon|dans ce cas)(?![\p{L}])/iu,
  it: /^(?:quest[oaie]|quell[oaie]|ciò|ess[oaie]|egli|lui|lei|loro|suo|sua|suoi|sue|tuttavia|inoltre|quindi|perciò|ma|e|o|anche|altrimenti|in (?:tal|questo) caso)(?![\p{L}])/iu,
  pt: /^(?:ist[oa]|ess[ea]s?|est[ea]s?|isso|ele[s]?|ela[s]?|seus?|suas?|no entanto|porém|além disso|portanto|assim|mas|e|ou|também|caso contrário|nesse caso)(?![\p{L}])/iu,
  nl: /^(?:dit|dat|deze|die|het (?:is|wordt|kan|geldt)|hij|zij|ze|hun|zijn|haar|daar|dan|daarom|daarna|daarmee|bovendien|anders|echter|maar|en|of|ook|in dat geval)\b/i,
  ru: /^(?:это[тм]?|эт[аи]|он[аио]?|его|её|их|такой|также|однако|но|и|а|поэтому|тогда|кроме того|в этом случае|иначе)(?![\p{L}])/iu,
  ar: /^(?:هذا|هذه|ذلك|تلك|هؤلاء|وهو|وهي|وهم|هو|هي|هم|ولكن|لكن|ومع ذلك|كما|وكان|وكانت|وقد|لذلك|ثم)(?=\s)/,
  zh: /^(?:这|那|它|他|她|此|该|其|但|然而|因此|所以|不过|另外|此外|同时|而且|否则)/,
  ja: /^(?:これ|それ|この|その|彼|彼女|しかし|そして|また|そのため|ただし|なお)/,
}

export const leansOnPrevious = (sentence: string, language: string): boolean =>
  openings[language.slice(0, 2)]?.test(sentence.replace(/^["“„«(¿¡]+/, '')) ?? false
