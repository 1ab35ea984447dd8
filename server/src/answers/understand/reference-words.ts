// Words by which a question leans on what was said before, per language. Single words are separated by a space,
// phrases by a bar. Chinese and Japanese are matched inside the text, the others word by word.
import type { Language } from './languages.ts'

export interface ReferenceWords {
  /** Third person: "it", "their". They nearly always point back. */
  pronouns: Set<string>
  /** "this", "those", "there". They point back, but also have other uses. */
  demonstratives: Set<string>
  /** Words with an everyday other use ("I know that …"): they point back only at the end or next to an auxiliary. */
  ambiguous: Set<string>
  /** "else", "another", "again": the question goes on with something. */
  continuers: Set<string>
  /** How an elliptic question begins: "and …", "what about …". */
  openers: string[]
  /** How an elliptic question ends where the language marks it there: Chinese "…呢", Japanese "…は". */
  enders: string[]
  /** Whole questions without a topic: "why?", "how much?". */
  bareQuestions: string[]
  /** Definite articles: "the trip" alone points back, "the trip to Rome" does not. */
  articles: Set<string>
  /** Words that begin a question. */
  questionWords: Set<string>
  /** Verbs that carry a question and can follow a definite noun: "was the trip …", "the band is …". */
  auxiliaries: Set<string>
}

const list = (text: string) => new Set(text.split(' ').filter(Boolean))
const phrases = (text: string) => text.split('|').filter(Boolean)

export const referenceWords: Record<Language, ReferenceWords> = {
  en: {
    pronouns: list('he she it they him her them his hers its their theirs himself herself itself themselves thier'),
    demonstratives: list("this these those that's then such ones"),
    ambiguous: list('that one'),
    continuers: list('else other others another more also instead besides too again same both either neither'),
    openers: phrases(
      'and|but|or|what about|how about|what if|how so|in what way|which one|what else|who else|where else|besides|other than|then|so what',
    ),
    enders: [],
    bareQuestions: phrases(
      'why|how|when|where|who|which|what|how many|how much|how long|how often|how far|how old|how so|how come|why not|since when|really|are you sure|for example|such as|tell me more|more|go on',
    ),
    articles: list('the'),
    questionWords: list('what who whom whose which when where why how'),
    auxiliaries: list(
      "is are was were do does did can could will would should has have had may might am isn't aren't wasn't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't",
    ),
  },
  de: {
    pronouns: list(
      'er sie es ihn ihm ihr ihnen ihre ihren ihrem ihrer sein seine seinen seinem seiner davon dafür damit darin daran darauf dazu dagegen darüber dabei daraus dadurch',
    ),
    demonstratives: list(
      'dies diese dieser dieses diesen diesem jene jener jenes dort solche solcher solches derjenige selbe selben',
    ),
    ambiguous: list('das da'),
    continuers: list(
      'auch noch sonst andere anderen anderes weitere weiteren stattdessen nochmal wieder außerdem mehr beide ebenfalls',
    ),
    openers: phrases(
      'und|aber|oder|was ist mit|wie ist es mit|wie sieht es mit|wie steht es mit|und wenn|was wenn|was noch|wer noch|sonst|außerdem|dann',
    ),
    enders: [],
    bareQuestions: phrases(
      'warum|wieso|weshalb|wie|wann|wo|wer|was|welche|welcher|welches|wie viel|wieviel|wie viele|wie lange|wie oft|wie teuer|warum nicht|seit wann|wirklich|zum beispiel|sicher|erzähl mehr|mehr',
    ),
    articles: list('der die das den dem des'),
    questionWords: list(
      'was wer wen wem wessen welche welcher welches welchen wann wo wohin woher warum wieso weshalb wie wieviel womit wofür',
    ),
    auxiliaries: list(
      'ist sind war waren hat haben hatte kann können könnte wird werden würde soll sollte muss müssen darf dürfen gibt macht mag bin bist habt könnt könnten',
    ),
  },
  fr: {
    pronouns: list("il elle ils elles lui leur leurs eux son sa ses celui celle ceux celles c'est"),
    demonstratives: list('cet cette ces ça cela ceci là tel telle'),
    ambiguous: list('ce en y le'),
    continuers: list('aussi encore autre autres sinon plutôt également même mêmes davantage'),
    openers: phrases("et|mais|ou|qu'en est-il|et si|quid de|et pour|quoi d'autre|sinon|alors"),
    enders: [],
    bareQuestions: phrases(
      "pourquoi|comment|quand|où|qui|quoi|combien|lequel|laquelle|lesquels|combien de temps|pourquoi pas|depuis quand|vraiment|par exemple|c'est-à-dire|sûr",
    ),
    articles: list('le la les'),
    questionWords: list(
      "que quoi qui quel quelle quels quelles quand où pourquoi comment combien lequel laquelle qu'est qu'est-ce est-ce",
    ),
    auxiliaries: list(
      'est sont était étaient a ont avait peut peuvent pourrait sera seront doit doivent fait faut puis puis-je peut-on y-a-t-il avez pouvez',
    ),
  },
  es: {
    pronouns: list('él ella ellos ellas le les su sus suyo suya ello'),
    demonstratives: list('esto este esta estos estas eso ese esa esos esas aquel aquella allí ahí tal'),
    ambiguous: list('lo'),
    continuers: list('también otro otra otros otras más además todavía mismo misma ambos tampoco'),
    openers: phrases('y|pero|o|qué hay de|qué pasa con|y si|y para|qué más|quién más|entonces|además'),
    enders: [],
    bareQuestions: phrases(
      'por qué|cómo|cuándo|dónde|quién|qué|cuánto|cuántos|cuánta|cuál|cuáles|cuánto tiempo|por qué no|desde cuándo|de verdad|por ejemplo|seguro',
    ),
    articles: list('el la los las'),
    questionWords: list(
      'qué que quién quien quiénes cuál cual cuáles cuándo cuando dónde donde adónde cómo como cuánto cuanto cuánta cuántos cuántas',
    ),
    auxiliaries: list(
      'es son está están era eran fue ha han hay puede pueden puedo podría será debe deben tiene tienen hace tengo tenéis podéis',
    ),
  },
  it: {
    pronouns: list('lui lei loro esso essa essi esse gli ne suo sua suoi sue'),
    demonstratives: list('questo questa questi queste quello quella quelli quelle ciò lì là tale'),
    ambiguous: list('ci'),
    continuers: list('anche altro altra altri altre ancora invece inoltre più stesso stessa entrambi neanche'),
    openers: phrases('e|ma|o|che ne dici di|e se|e per|cosa altro|e allora|allora|inoltre|oppure'),
    enders: [],
    bareQuestions: phrases(
      'perché|come|quando|dove|chi|cosa|che cosa|quanto|quanti|quale|quali|quanto tempo|perché no|da quando|davvero|per esempio|sicuro',
    ),
    articles: list("il lo la i gli le l'"),
    questionWords: list(
      "che cosa chi quale quali quando dove perché come quanto quanta quanti quante cos'è dov'è com'è",
    ),
    auxiliaries: list("è sono era erano ha hanno può possono posso potrebbe sarà deve devono fa c'è avete potete fate"),
  },
  pt: {
    pronouns: list('ele ela eles elas lhe lhes dele dela deles delas seu sua seus suas nele nela'),
    demonstratives: list(
      'isto isso aquilo este esta estes estas esse essa esses essas aquele aquela disso nisso lá aí tal',
    ),
    ambiguous: list(''),
    continuers: list('também outro outra outros outras mais ainda além mesmo mesma ambos tampouco'),
    openers: phrases('e|mas|ou|e quanto a|e se|e para|o que mais|quem mais|então|além disso'),
    enders: [],
    bareQuestions: phrases(
      'por quê|por que|porquê|como|quando|onde|quem|o quê|quanto|quantos|qual|quais|quanto tempo|por que não|desde quando|sério|por exemplo|certeza',
    ),
    articles: list('o a os as'),
    questionWords: list('que quê quem qual quais quando onde aonde porque porquê como quanto quanta quantos quantas'),
    auxiliaries: list(
      'é são está estão era eram foi tem têm há pode podem posso poderia será deve devem faz vocês fazem',
    ),
  },
  nl: {
    pronouns: list('hij zij ze het hem haar hen hun zijn ervan ervoor ermee erin eraan erop daarvan daarvoor daarmee'),
    demonstratives: list('dit deze daar zulke dergelijke'),
    ambiguous: list('dat die'),
    continuers: list('ook nog anders andere ander meer bovendien in plaats zelfde beide weer'),
    openers: phrases('en|maar|of|hoe zit het met|wat dacht je van|en als|wat als|wat nog|wie nog|dan|en voor'),
    enders: [],
    bareQuestions: phrases(
      'waarom|hoe|wanneer|waar|wie|wat|welke|hoeveel|hoe lang|hoe vaak|hoe duur|waarom niet|sinds wanneer|echt|bijvoorbeeld|zeker',
    ),
    articles: list('de het'),
    questionWords: list('wat wie welke welk wanneer waar waarom hoe hoeveel waarheen waarmee waarvoor'),
    auxiliaries: list(
      'is zijn was waren heeft hebben had kan kunnen kun zou wordt worden zal moet moeten mag mogen doet doen ben bent hebt',
    ),
  },
  pl: {
    pronouns: list('on ona ono oni one jego jej ich jemu im nim nią nimi niego niej'),
    demonstratives: list('ten ta te ci tego tej tych tym temu tam taki taka takie'),
    ambiguous: list('to'),
    continuers: list('też także również jeszcze inny inna inne innych więcej ponadto znowu sam obie oba'),
    openers: phrases('a|i|ale|lub|a co z|co z|a jeśli|a dla|co jeszcze|kto jeszcze|więc|poza tym'),
    enders: [],
    bareQuestions: phrases(
      'dlaczego|czemu|jak|kiedy|gdzie|kto|co|ile|który|która|które|jak długo|jak często|dlaczego nie|od kiedy|naprawdę|na przykład|na pewno',
    ),
    articles: list(''),
    questionWords: list(
      'co kto kogo komu który która które jaki jaka jakie kiedy gdzie dokąd dlaczego czemu jak ile czy',
    ),
    auxiliaries: list('jest są był była było były ma mają może mogą mogę można będzie będą musi muszą macie możecie'),
  },
  sv: {
    pronouns: list('han hon de honom henne dem hans hennes dess deras sin sitt sina'),
    demonstratives: list('detta denna dessa där sådan sådana dit'),
    ambiguous: list('det den'),
    continuers: list('också även annan annat andra mer fler dessutom istället igen samma båda'),
    openers: phrases('och|men|eller|hur är det med|vad gäller|och om|tänk om|vad mer|vem mer|då|och för'),
    enders: [],
    bareQuestions: phrases(
      'varför|hur|när|var|vem|vad|vilken|vilket|vilka|hur mycket|hur många|hur länge|hur ofta|varför inte|sedan när|verkligen|till exempel|säkert',
    ),
    articles: list(''),
    questionWords: list('vad vem vilken vilket vilka vems när var vart varifrån varför hur'),
    auxiliaries: list('är var har hade kan kunde ska skulle kommer blir måste får finns gör'),
  },
  da: {
    pronouns: list('han hun de ham hende dem hans hendes dens dets deres sin sit sine'),
    demonstratives: list('dette denne disse der dér sådan sådanne'),
    ambiguous: list('det den'),
    continuers: list('også andet anden andre mere flere desuden stedet igen samme begge'),
    openers: phrases('og|men|eller|hvad med|hvordan med|og hvis|hvad hvis|hvad ellers|hvem ellers|så|og for'),
    enders: [],
    bareQuestions: phrases(
      'hvorfor|hvordan|hvornår|hvor|hvem|hvad|hvilken|hvilket|hvilke|hvor meget|hvor mange|hvor længe|hvor ofte|hvorfor ikke|siden hvornår|virkelig|for eksempel|sikker',
    ),
    articles: list(''),
    questionWords: list('hvad hvem hvilken hvilket hvilke hvis hvornår hvor hvorhen hvorfor hvordan'),
    auxiliaries: list('er var har havde kan kunne skal skulle vil ville bliver må findes gør'),
  },
  tr: {
    pronouns: list('onu ona onun onlar onları onlara onların ondan onda bunun bunu buna bunlar bundan şunu'),
    demonstratives: list('bu şu böyle öyle orada orası burada oraya'),
    ambiguous: list('o'),
    continuers: list('de da başka diğer ayrıca daha yine tekrar aynı ikisi hem'),
    openers: phrases('ve|peki|ama|ya|veya|peki ya|ya da|başka ne|o zaman|ayrıca'),
    enders: [],
    bareQuestions: phrases(
      'neden|niye|nasıl|ne zaman|nerede|kim|ne|kaç|hangi|hangisi|ne kadar|kaç tane|neden olmasın|gerçekten mi|mesela|örneğin|emin misin',
    ),
    articles: list(''),
    questionWords: list(
      'ne kim kimin hangi hangisi neden niye niçin nasıl nerede nereye nereden kaç mi mı mu mü mısınız misiniz musunuz müsünüz mıyım miyim',
    ),
    auxiliaries: list('var yok mi mı mu mü olur olabilir'),
  },
  ar: {
    pronouns: list('هو هي هم هن هما له لها لهم به بها عنه عنها فيه فيها منه منها إليه إليها معه معها'),
    demonstratives: list('هذا هذه هؤلاء ذلك تلك هناك هنالك مثل'),
    ambiguous: list(''),
    continuers: list('أيضا أيضًا آخر أخرى آخرون المزيد كذلك مجددا نفس كلاهما غير'),
    openers: phrases('و|ولكن|لكن|أو|ماذا عن|وماذا عن|ماذا لو|وإذا|ماذا أيضا|إذن'),
    enders: [],
    bareQuestions: phrases('لماذا|كيف|متى|أين|من|ماذا|كم|أي|لم لا|منذ متى|حقا|مثلا|بكم'),
    articles: list(''),
    questionWords: list('ما ماذا من متى أين لماذا كيف كم هل أي أية بكم'),
    auxiliaries: list('كان كانت يكون تكون يوجد هناك يمكن'),
  },
  ru: {
    pronouns: list('он она оно они его её ее их ему ей им них нему ней ним ними нём'),
    demonstratives: list('этот эта эти этого этой этих этом тот та те того там такой такая такие туда'),
    ambiguous: list('это'),
    continuers: list('тоже также ещё еще другой другая другие других больше кроме опять снова оба'),
    openers: phrases(
      'а|и|но|или|а как насчёт|а как насчет|как насчёт|а если|а для|что ещё|что еще|кто ещё|тогда|кроме того',
    ),
    enders: [],
    bareQuestions: phrases(
      'почему|зачем|как|когда|где|кто|что|сколько|какой|какая|какие|как долго|как часто|почему нет|с каких пор|правда|например|точно',
    ),
    articles: list(''),
    questionWords: list(
      'что кто кого кому чей какой какая какое какие когда где куда откуда почему зачем как сколько ли',
    ),
    auxiliaries: list('есть был была было были можно может могут могу будет будут нужно должен'),
  },
  zh: {
    pronouns: list('他 她 它 他们 她们 它们 他們 她們 它們 其'),
    demonstratives: list('这 那 这个 那个 这些 那些 這 這個 這些 那里 那裡 这里 這裡 这样 那样'),
    ambiguous: list(''),
    continuers: list('还有 還有 其他 别的 別的 另外 也 再 更多 同样 同樣'),
    openers: phrases('那么|那麼|那|还有|還有|如果|要是|但是|或者|另外'),
    enders: phrases('呢'),
    bareQuestions: phrases(
      '为什么|為什麼|怎么|怎麼|什么时候|什麼時候|哪里|哪裡|谁|誰|什么|什麼|多少|多少钱|多少錢|多久|哪个|哪個|真的吗|真的嗎|比如|然后呢|然後呢',
    ),
    articles: list(''),
    questionWords: list(
      '什么 什麼 谁 誰 哪 哪里 哪裡 何时 怎么 怎麼 怎样 为什么 為什麼 多少 几 幾 吗 嗎 呢 如何 是否 能否 多久',
    ),
    auxiliaries: list(''),
  },
  ja: {
    pronouns: list('彼 彼女 彼ら それ それら これ これら あれ'),
    demonstratives: list('この その あの そこ ここ あそこ そんな こんな そう'),
    ambiguous: list(''),
    continuers: list('他に 他の ほか また さらに もっと 同じ 別の'),
    openers: phrases('では|じゃあ|それで|それから|でも|あと|もし|ちなみに|または'),
    enders: phrases('は|には|では|とは|も'),
    bareQuestions: phrases(
      'なぜ|どうして|どう|どうやって|いつ|どこ|だれ|誰|何|なに|いくら|いくつ|どれ|どのくらい|本当|例えば',
    ),
    articles: list(''),
    questionWords: list('何 なに なん 誰 だれ どこ いつ なぜ どうして どう どの どれ どちら いくら いくつ か'),
    auxiliaries: list(''),
  },
}
