// What people say besides asking, per language and kind, in lower case without punctuation. A bar separates phrases.
// Words that only decorate ("there", "so much") are in `fillers`, so that the phrases stay short.
import type { Language } from './languages.ts'

export const smallTalkKinds = [
  'hello',
  'thanks',
  'bye',
  'how_are_you',
  'are_you_a_robot',
  'who_are_you',
  'help',
  'praise',
  'insult',
  'acknowledgement',
] as const
export type SmallTalkKind = (typeof smallTalkKinds)[number]

export type SmallTalkPhrases = Record<SmallTalkKind, string> & { fillers: string }

export const smallTalkPhrases: Record<Language, SmallTalkPhrases> = {
  en: {
    hello:
      "hello|hi|hey|hiya|howdy|yo|greetings|good morning|good afternoon|good evening|good day|morning|hello hello|hi hi|sup|hallo|heya|g'day|nice to meet you|anyone there|is anyone there|anybody there|is anybody there|are you there|you there|knock knock",
    thanks:
      'thanks|thank you|thx|ty|cheers|many thanks|much appreciated|i appreciate it|thank u|thanks a lot|thank you very much|thanks for your help|thank you for your help|thanks for the help|thanks for the info|thank you for the information|appreciate it|tysm|thanks a bunch|thanks a million|thank you so much|cheers mate|ta',
    bye: "bye|goodbye|good bye|see you|see ya|cya|farewell|have a nice day|have a good day|have a great day|good night|take care|talk to you later|that is all|that's all|that will be all|that's it|nothing else|no that's all|i'm done|bye bye|see you later",
    how_are_you:
      "how are you|how are you doing|how are you today|how is it going|how's it going|how do you do|what's up|whats up|how have you been|are you ok|how r u|how are things|you ok|how's your day",
    are_you_a_robot:
      'are you a robot|are you a bot|are you human|are you a human|are you real|are you a real person|are you a person|am i talking to a robot|am i talking to a bot|am i talking to a human|am i talking to a person|is this a bot|is this a robot|is this a real person|is this a chatbot|are you a chatbot|are you an ai|are you ai|are you a machine|are you a computer|is this a human|are you chatgpt|is this automated|bot or human',
    who_are_you:
      "who are you|what are you|what is your name|what's your name|your name|who am i talking to|who is this|who am i speaking with|who am i chatting with|introduce yourself|do you have a name|who made you|who built you",
    help: 'help|help me|can you help me|can you help|could you help me|i need help|i need some help|need help|what can you do|what can you help with|what can you help me with|what do you do|how can you help|how can you help me|what can i ask|what can i ask you|how does this work|what do you know|what are you for|how do i use this|please help',
    praise:
      "great|good bot|well done|good job|nice|awesome|perfect|excellent|amazing|brilliant|you are great|you're great|you are the best|you're the best|you are awesome|you're awesome|that was helpful|that's helpful|very helpful|that helped|i love you|wonderful|fantastic|good answer|great answer|nice work|cool|smart|you are smart|super|love it|you rock|you are very helpful|great job|impressive|that did it|that did the trick|it worked|that worked|sorted|got it|makes sense|good to know|that makes sense|lovely|all clear|helped a lot|that's great|good stuff|brill",
    insult:
      "stupid|you are stupid|you're stupid|stupid bot|idiot|you idiot|you are an idiot|useless|you are useless|you're useless|this is useless|dumb|you are dumb|dumb bot|you suck|this sucks|shut up|fuck you|fuck off|bad bot|you are bad|you are terrible|i hate you|moron|asshole|piece of shit|bullshit|crap|worst bot ever|that was useless|you are no help|fuck|shit|screw you|damn you|go to hell|you lot are useless|you lot|hopeless|you are hopeless|this is rubbish|you are rubbish|this is garbage|you are garbage|this is trash|you are trash|pathetic|ridiculous|this is ridiculous|waste of time|what a waste of time|worst app ever|worst app|worst bot|worst service ever|dumbest bot ever|dumbest bot|dumbest|worst|not helpful|that's not helpful|you don't understand anything",
    acknowledgement:
      "ok|okay|okey|k|kk|alright|all right|fine|i see|got it|understood|makes sense|good to know|good|will do|one moment|one sec|just a moment|hold on|never mind|nevermind|no problem|no worries|sure|cool|nice|oh no|oh dear|too bad|pity|what a pity|a pity|shame|what a shame|bummer|haha|hahaha|lol|hm|hmm|hmmm|mhm|uh huh|aha|ah|oh|wow|phew|sounds good|sounds fair|fair enough|that works|that helps|noted|interesting|really|right|that is kind|that's kind|thats kind|thats alright|that's alright|that's fine|thats fine|thank god|great stuff|found it|works now|it works now|ok fine|i'll try that|let me try|worth a try|i will try",
    fillers:
      "there|everyone|all|guys|team|bot|again|so much|a lot|very much|really|please|for now|then|ok|okay|well|just|just wanted to say|today|dear|sir|madam|friend|man|buddy|mate|oh|wow|yes|no|yeah|you|alright|right|very|quite|too|actually|a|an|the|such|bro|anyway|that's|that is|it's|this is|you are|are|and|but|my|to you|now|great|perfect|ever",
  },
  de: {
    hello:
      'hallo|hi|hey|guten tag|guten morgen|guten abend|servus|moin|moin moin|grüß gott|grüss gott|grüezi|grüß dich|hallöchen|tag|schönen guten tag|na',
    thanks:
      'danke|vielen dank|dankeschön|danke schön|besten dank|herzlichen dank|danke sehr|danke für die hilfe|danke für deine hilfe|danke für ihre hilfe|danke dir|ich danke dir|ich danke ihnen|merci|tausend dank|danke für die info',
    bye: "tschüss|tschüß|tschau|ciao|auf wiedersehen|bis bald|bis später|bis dann|schönen tag noch|einen schönen tag|gute nacht|mach's gut|das war's|das wars|das ist alles|das war alles|nichts weiter|ade|wiedersehen|schönen abend noch",
    how_are_you:
      "wie geht es dir|wie geht es ihnen|wie geht's|wie gehts|wie geht's dir|wie gehts dir|wie läuft's|alles klar|alles gut bei dir|was geht|was machst du",
    are_you_a_robot:
      'bist du ein roboter|sind sie ein roboter|bist du ein bot|sind sie ein bot|bist du ein mensch|sind sie ein mensch|bist du echt|sind sie echt|rede ich mit einem roboter|spreche ich mit einem roboter|spreche ich mit einem menschen|rede ich mit einem menschen|bist du eine maschine|sind sie eine maschine|bist du eine ki|sind sie eine ki|ist das ein bot|bist du ein chatbot|mensch oder maschine|ist das automatisch',
    who_are_you:
      'wer bist du|wer sind sie|wie heißt du|wie heissen sie|wie heißen sie|wie heisst du|was bist du|was sind sie|wie ist dein name|wie ist ihr name|mit wem spreche ich|mit wem rede ich|stell dich vor|dein name|hast du einen namen',
    help: 'hilfe|hilf mir|kannst du mir helfen|können sie mir helfen|könnten sie mir helfen|ich brauche hilfe|was kannst du|was können sie|was kannst du tun|was kannst du alles|was können sie für mich tun|wobei kannst du helfen|wobei können sie mir helfen|wie kannst du mir helfen|wie können sie mir helfen|was kann ich fragen|was kann ich dich fragen|wie funktioniert das|wie funktioniert das hier|was machst du hier|bitte helfen sie mir',
    praise:
      'super|toll|klasse|gut gemacht|prima|perfekt|ausgezeichnet|großartig|genial|spitze|du bist toll|du bist super|sehr gut|sehr hilfreich|das hat geholfen|das war hilfreich|gute antwort|du bist der beste|wunderbar|cool|du bist klasse|hervorragend|ich liebe dich|gute arbeit|hat mir sehr geholfen',
    insult:
      'dumm|du bist dumm|blöd|du bist blöd|idiot|du idiot|nutzlos|du bist nutzlos|das ist nutzlos|scheiße|scheisse|halt die klappe|halt den mund|verpiss dich|arschloch|du nervst|dummer bot|blöder bot|schlechter bot|du bist schlecht|ich hasse dich|trottel|so ein mist|leck mich|fick dich|du kannst nichts|unbrauchbar|mistding|so ein schrott',
    acknowledgement:
      'ok|okay|alles klar|in ordnung|verstehe|verstanden|gut zu wissen|gut|schön|mach ich|moment|einen moment|kleinen moment|egal|schon gut|kein problem|macht nichts|klar|cool|schade|oh nein|haha|lol|hm|hmm|aha|ach so|achso|oh|ah|wow|klingt gut|passt|das hilft|interessant|wirklich|gefunden|hat geklappt|ich versuche es|ich probiere es|na gut',
    fillers:
      'zusammen|ihr|an alle|nochmal|sehr|ganz|bitte|dann|ok|okay|gut|ja|nein|mal|erstmal|erst mal|auch|so|einfach|das ist|das war|du bist|sie sind|du|sie|echt|wirklich|heute|na|und|aber|ein|eine|mein|freund|liebes team|team|leute|denn|dir|ihnen|wünsche ich|noch|ach|oh|für alles|für deine antwort|für die antwort|jetzt|vielmals',
  },
  fr: {
    hello:
      'bonjour|salut|coucou|bonsoir|hello|allô|allo|hey|bonne journée à vous|rebonjour|re bonjour|bjr|slt|enchanté',
    thanks:
      "merci|merci beaucoup|merci bien|mille mercis|je vous remercie|je te remercie|un grand merci|grand merci|merci pour votre aide|merci pour ton aide|merci de votre aide|mrc|merci infiniment|merci à vous|merci à toi|merci d'avance",
    bye: "au revoir|à bientôt|a bientôt|bonne journée|bonne soirée|bonne nuit|à plus|à plus tard|adieu|ciao|à demain|c'est tout|ce sera tout|rien d'autre|bye|tchao|à la prochaine|bonne fin de journée",
    how_are_you:
      'comment allez-vous|comment allez vous|comment vas-tu|comment vas tu|comment ça va|ça va|ca va|vous allez bien|tu vas bien|quoi de neuf|la forme|comment tu vas',
    are_you_a_robot:
      "êtes-vous un robot|êtes vous un robot|es-tu un robot|es tu un robot|tu es un robot|vous êtes un robot|êtes-vous humain|es-tu humain|tu es humain|vous êtes humain|êtes-vous une vraie personne|es-tu réel|est-ce que je parle à un robot|je parle à un robot|je parle à un humain|es-tu une machine|est-ce un robot|c'est un robot|êtes-vous une ia|es-tu une ia|robot ou humain|êtes-vous une machine|êtes-vous un bot|tu es un bot|es-tu un bot",
    who_are_you:
      "qui êtes-vous|qui êtes vous|qui es-tu|qui es tu|t'es qui|tu es qui|vous êtes qui|comment vous appelez-vous|comment t'appelles-tu|comment tu t'appelles|quel est votre nom|quel est ton nom|ton nom|votre nom|à qui je parle|à qui ai-je l'honneur|présente-toi|présentez-vous",
    help: "aide|aidez-moi|aidez moi|aide-moi|aide moi|à l'aide|au secours|pouvez-vous m'aider|pouvez vous m'aider|peux-tu m'aider|peux tu m'aider|j'ai besoin d'aide|que peux-tu faire|que pouvez-vous faire|que sais-tu faire|qu'est-ce que tu peux faire|qu'est-ce que vous pouvez faire|que savez-vous faire|comment pouvez-vous m'aider|comment peux-tu m'aider|que puis-je vous demander|que puis-je demander|comment ça marche|à quoi tu sers|à quoi servez-vous",
    praise:
      "super|génial|parfait|excellent|bravo|bien joué|très bien|formidable|tu es génial|vous êtes génial|c'est super|très utile|bonne réponse|magnifique|top|tu es le meilleur|vous êtes le meilleur|bon travail|chouette|je t'aime|c'est parfait|nickel|impressionnant|cool",
    insult:
      "stupide|tu es stupide|vous êtes stupide|idiot|imbécile|nul|tu es nul|vous êtes nul|inutile|tu es inutile|vous êtes inutile|c'est nul|ta gueule|tais-toi|merde|connard|con|va te faire foutre|tu ne sers à rien|vous ne servez à rien|crétin|je te déteste|débile|putain|abruti|quel nul",
    acknowledgement:
      "ok|d'accord|entendu|compris|je vois|je comprends|bon à savoir|bien|un instant|un moment|laissez tomber|pas grave|pas de problème|pas de souci|bien sûr|cool|dommage|oh non|haha|mdr|lol|hm|hmm|ah|ah bon|ah d'accord|oh|wow|ça marche|parfait|intéressant|vraiment|trouvé|je vais essayer",
    fillers:
      "à tous|à toutes|tout le monde|madame|monsieur|beaucoup|bien|encore|très|vraiment|s'il vous plaît|svp|stp|alors|ok|d'accord|oui|non|et|mais|un|une|le|la|c'est|tu es|vous êtes|quel|mon ami|l'équipe|pour tout|pour la réponse|pour votre réponse|donc|ah|oh|aujourd'hui|à vous|à toi|du coup",
  },
  es: {
    hello:
      'hola|buenos días|buenos dias|buenas tardes|buenas noches|buenas|buen día|buen dia|qué tal hola|saludos|hey|holi|muy buenas|holaa|encantado',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|te lo agradezco|se lo agradezco|gracias por tu ayuda|gracias por su ayuda|gracias por la ayuda|gracias por todo|grax|gracias por la información|te agradezco|agradecido',
    bye: 'adiós|adios|hasta luego|hasta pronto|hasta mañana|hasta la vista|chao|chau|nos vemos|que tengas un buen día|que tenga un buen día|eso es todo|nada más|nada mas|es todo|bye|cuídate|hasta otra|feliz día',
    how_are_you:
      'cómo estás|como estas|cómo está|como esta usted|cómo está usted|qué tal|que tal|cómo te va|como te va|cómo va todo|qué hay|qué pasa|cómo andas|qué tal estás|todo bien',
    are_you_a_robot:
      'eres un robot|es usted un robot|eres un bot|es usted un bot|eres humano|eres humana|es usted humano|eres una persona|es usted una persona|eres real|eres una persona real|hablo con un robot|estoy hablando con un robot|estoy hablando con una persona|hablo con una persona|eres una máquina|es esto un bot|esto es un bot|eres una ia|es usted una máquina|robot o humano|eres un chatbot',
    who_are_you:
      'quién eres|quien eres|quién es usted|quien es usted|cómo te llamas|como te llamas|cómo se llama|cómo se llama usted|cuál es tu nombre|cual es tu nombre|cuál es su nombre|tu nombre|qué eres|que eres|con quién hablo|con quien hablo|preséntate|tienes nombre',
    help: 'ayuda|ayúdame|ayudame|ayúdeme|puedes ayudarme|puede ayudarme|me puedes ayudar|me puede ayudar|necesito ayuda|qué puedes hacer|que puedes hacer|qué puede hacer|qué sabes hacer|en qué puedes ayudarme|en qué me puedes ayudar|en qué puede ayudarme|cómo puedes ayudarme|qué puedo preguntar|qué te puedo preguntar|cómo funciona esto|cómo funcionas|para qué sirves',
    praise:
      'genial|excelente|perfecto|muy bien|bien hecho|estupendo|fantástico|fantastico|increíble|buen trabajo|eres genial|eres el mejor|muy útil|muy amable|buena respuesta|súper|super|maravilloso|bravo|qué bien|te quiero|me encanta|eres muy útil|chévere|guay',
    insult:
      'estúpido|estupido|eres estúpido|eres tonto|tonto|idiota|eres idiota|eres un idiota|inútil|inutil|eres inútil|no sirves|no sirves para nada|cállate|callate|mierda|vete a la mierda|imbécil|imbecil|te odio|eres malo|gilipollas|pendejo|cabrón|qué inútil|basura|maldito bot|joder|puta',
    acknowledgement:
      'ok|vale|de acuerdo|entendido|entiendo|ya veo|bueno|bien|bueno saberlo|un momento|un segundo|no importa|no pasa nada|sin problema|claro|guay|qué pena|lástima|oh no|jaja|jajaja|lol|hm|hmm|ah|oh|wow|suena bien|perfecto|interesante|en serio|lo encontré|voy a probar',
    fillers:
      'a todos|a todas|equipo|amigo|señor|señora|muy|mucho|muchas|por favor|entonces|ok|vale|sí|si|no|y|pero|un|una|el|la|es|eres|qué|de nuevo|otra vez|bueno|pues|hoy|por todo|por la respuesta|por responder|tan|de verdad|bot|de momento',
  },
  it: {
    hello:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|hey|hola|salute|piacere|piacere di conoscerti',
    thanks:
      "grazie|grazie mille|molte grazie|tante grazie|ti ringrazio|la ringrazio|vi ringrazio|grazie per l'aiuto|grazie dell'aiuto|grazie per il tuo aiuto|grazie infinite|grazie di tutto|mille grazie|grazie tante|grazie per la risposta",
    bye: "arrivederci|a presto|a dopo|ci vediamo|buona giornata|buona serata|buonanotte|buona notte|addio|alla prossima|è tutto|questo è tutto|nient'altro|niente altro|bye|a domani|arrivederla|stammi bene",
    how_are_you:
      'come stai|come sta|come va|come stai oggi|come ti va|tutto bene|tutto ok|come state|come butta|che si dice',
    are_you_a_robot:
      "sei un robot|lei è un robot|è un robot|sei un bot|è un bot|sei umano|sei umana|è umano|sei una persona|sei una persona vera|sei reale|sei vero|parlo con un robot|sto parlando con un robot|sto parlando con una persona|parlo con una persona|sei una macchina|sei un'ia|sei un'intelligenza artificiale|questo è un bot|robot o umano|sei un chatbot",
    who_are_you:
      'chi sei|chi è lei|chi siete|come ti chiami|come si chiama|qual è il tuo nome|qual è il suo nome|il tuo nome|cosa sei|che cosa sei|con chi parlo|con chi sto parlando|presentati|hai un nome',
    help: 'aiuto|aiutami|mi aiuti|puoi aiutarmi|può aiutarmi|mi puoi aiutare|mi può aiutare|ho bisogno di aiuto|mi serve aiuto|cosa puoi fare|che cosa puoi fare|cosa sai fare|cosa può fare|come puoi aiutarmi|come può aiutarmi|in cosa puoi aiutarmi|cosa posso chiedere|cosa posso chiederti|come funziona|come funzioni|a cosa servi',
    praise:
      'ottimo|perfetto|bravo|brava|bravissimo|eccellente|fantastico|grande|ben fatto|molto bene|sei bravo|sei grande|sei il migliore|molto utile|buona risposta|bene|benissimo|magnifico|super|stupendo|ottimo lavoro|ti amo|ti voglio bene|che bello|geniale|sei gentilissimo|forte',
    insult:
      'stupido|sei stupido|idiota|sei un idiota|inutile|sei inutile|scemo|sei scemo|cretino|imbecille|stai zitto|merda|vaffanculo|fai schifo|non servi a niente|non servi a nulla|ti odio|stronzo|che schifo|deficiente|sei pessimo|pessimo|cazzo|incapace|bot stupido',
    acknowledgement:
      "ok|va bene|d'accordo|capito|ho capito|vedo|buono a sapersi|bene|un momento|un attimo|non importa|nessun problema|certo|figo|peccato|che peccato|oh no|haha|ahah|lol|hm|hmm|ah|oh|wow|perfetto|interessante|davvero|trovato|ci provo",
    fillers:
      'a tutti|a te|a lei|a voi|signore|signora|molto|tanto|davvero|per favore|allora|ok|va bene|sì|si|no|e|ma|un|una|il|la|è|sei|che|di nuovo|ancora|beh|oggi|per tutto|amico|team|per ora|così',
  },
  pt: {
    hello: 'olá|ola|oi|bom dia|boa tarde|boa noite|e aí|e ai|alô|alo|saudações|hey|oie|opa|prazer em conhecê-lo|prazer',
    thanks:
      'obrigado|obrigada|muito obrigado|muito obrigada|obrigadão|valeu|agradeço|agradecido|agradecida|obrigado pela ajuda|obrigada pela ajuda|obg|vlw|grato|grata|mil obrigados|obrigado por tudo',
    bye: 'tchau|adeus|até logo|ate logo|até mais|até breve|até amanhã|tenha um bom dia|bom descanso|é tudo|é só isso|só isso|isso é tudo|nada mais|mais nada|bye|fui|até a próxima|até já',
    how_are_you:
      'como vai|como você está|como voce esta|como está|como estás|tudo bem|tudo bom|como vão as coisas|tudo certo|como vai você|beleza|como tens passado',
    are_you_a_robot:
      'você é um robô|voce é um robo|você é um robo|és um robô|é um robô|você é um bot|és um bot|é um bot|você é humano|és humano|é humano|você é uma pessoa|é uma pessoa|és uma pessoa|você é real|você é uma pessoa real|estou falando com um robô|estou a falar com um robô|estou falando com uma pessoa|estou a falar com uma pessoa|falo com um robô|você é uma máquina|isto é um bot|isso é um robô|você é uma ia|és uma máquina|robô ou humano|é um chatbot',
    who_are_you:
      'quem é você|quem e voce|quem és|quem és tu|quem é|quem é o senhor|qual é o seu nome|qual o seu nome|qual é o teu nome|qual seu nome|seu nome|como você se chama|como te chamas|como se chama|o que você é|o que és|com quem estou falando|com quem falo|com quem estou a falar|apresente-se',
    help: 'ajuda|me ajuda|ajude-me|me ajude|ajuda-me|pode me ajudar|pode ajudar-me|você pode me ajudar|podes ajudar-me|preciso de ajuda|o que você pode fazer|o que pode fazer|o que sabe fazer|o que podes fazer|o que você faz|como pode me ajudar|como pode ajudar-me|como você pode me ajudar|o que posso perguntar|como isso funciona|como funciona isto|para que serves|para que você serve|socorro',
    praise:
      'ótimo|otimo|perfeito|excelente|muito bom|muito bem|parabéns|maravilhoso|fantástico|incrível|bom trabalho|você é ótimo|és ótimo|você é demais|você é o melhor|muito útil|boa resposta|legal|show|top|adorei|amei|bravo|que bom|genial|fixe|espetacular|te amo',
    insult:
      'burro|você é burro|és burro|estúpido|você é estúpido|és estúpido|idiota|você é um idiota|inútil|você é inútil|és inútil|cale a boca|cala a boca|cala-te|merda|vai à merda|vai se foder|não serve para nada|não serves para nada|imbecil|te odeio|odeio-te|porcaria|lixo|bot burro|que lixo|caralho|péssimo|você é péssimo',
    acknowledgement:
      'ok|está bem|tudo bem|certo|entendi|entendido|percebi|bom saber|bem|um momento|um instante|não importa|deixa pra lá|sem problema|claro|legal|fixe|que pena|pena|ah não|haha|kkk|lol|hm|hmm|ah|oh|uau|perfeito|interessante|sério|encontrei|vou tentar',
    fillers:
      'a todos|pessoal|gente|amigo|senhor|senhora|muito|mesmo|por favor|então|ok|tá|está bem|sim|não|e|mas|um|uma|o|a|é|você é|és|que|de novo|bom|hoje|por tudo|pela resposta|pela atenção|tão|bem|ai|por enquanto',
  },
  nl: {
    hello:
      'hallo|hoi|hey|hé|goedemorgen|goedemiddag|goedenavond|goedendag|goeiemorgen|goeiedag|dag|hi|yo|hallootjes|aangenaam|goede morgen|goede middag',
    thanks:
      'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank|heel erg bedankt|hartelijk bedankt|bedankt voor je hulp|bedankt voor uw hulp|bedankt voor de hulp|thanks|merci|super bedankt|veel dank|thx',
    bye: 'doei|tot ziens|dag dag|tot later|tot straks|fijne dag|fijne dag nog|prettige dag|fijne avond|goedenacht|welterusten|dat was het|dat is alles|dat was alles|niets meer|verder niets|houdoe|tot de volgende keer|daag|doeg|bye',
    how_are_you:
      'hoe gaat het|hoe gaat het met je|hoe gaat het met u|hoe is het|hoe gaat ie|alles goed|hoe is het met je|hoe gaat het met jou|hoe maakt u het|alles goed met je',
    are_you_a_robot:
      'ben je een robot|bent u een robot|ben jij een robot|ben je een bot|bent u een bot|ben je een mens|bent u een mens|ben jij een mens|ben je menselijk|ben je echt|bent u echt|praat ik met een robot|praat ik met een mens|spreek ik met een robot|spreek ik met een mens|ben je een machine|is dit een bot|is dit een robot|ben je een ai|ben je een chatbot|mens of robot',
    who_are_you:
      'wie ben je|wie bent u|wie ben jij|hoe heet je|hoe heet u|hoe heet jij|wat is je naam|wat is uw naam|je naam|wat ben je|wat ben jij|met wie spreek ik|met wie praat ik|stel jezelf voor|heb je een naam',
    help: 'help|help me|hulp|kun je me helpen|kunt u me helpen|kun je mij helpen|kunt u mij helpen|kan je me helpen|ik heb hulp nodig|wat kun je|wat kan je|wat kun je doen|wat kunt u doen|wat kan je doen|waarmee kun je helpen|waarmee kunt u helpen|hoe kun je me helpen|hoe kunt u mij helpen|wat kan ik vragen|wat kan ik je vragen|hoe werkt dit|hoe werkt het|wat doe je',
    praise:
      'geweldig|super|top|goed gedaan|prima|perfect|uitstekend|fantastisch|mooi|goed zo|je bent geweldig|u bent geweldig|je bent de beste|heel behulpzaam|erg behulpzaam|goed antwoord|goed werk|fijn|lekker|wauw|cool|ik hou van je|knap|leuk|helemaal top|heel handig',
    insult:
      'dom|je bent dom|stom|stomme bot|idioot|je bent een idioot|nutteloos|je bent nutteloos|waardeloos|je bent waardeloos|hou je mond|hou je bek|rot op|klootzak|shit|kut|ik haat je|sukkel|je bent slecht|slechte bot|domme bot|wat een rotding|je bakt er niks van|eikel|flikker op',
    acknowledgement:
      'ok|oké|oke|prima|begrepen|ik snap het|ik begrijp het|goed om te weten|goed|een moment|momentje|laat maar|maakt niet uit|geen probleem|zeker|cool|jammer|oh nee|haha|lol|hm|hmm|aha|ah|oh|wow|klinkt goed|interessant|echt|gevonden|ik probeer het',
    fillers:
      'allemaal|iedereen|daar|heel|erg|zeer|echt|alsjeblieft|alstublieft|dan|ok|oké|ja|nee|en|maar|een|de|het|dat is|je bent|wat|nogmaals|nou|vandaag|voor alles|voor het antwoord|voor je antwoord|zo|hoor|even|eerst|mensen|team|voor nu|wel',
  },
  pl: {
    hello:
      'cześć|czesc|dzień dobry|dzien dobry|dobry wieczór|dobry wieczor|hej|witam|witaj|siema|siemka|hejka|halo|dobry|miło poznać|czołem|elo',
    thanks:
      'dziękuję|dziekuje|dzięki|dzieki|dziękuję bardzo|bardzo dziękuję|wielkie dzięki|dziękuję za pomoc|dzięki za pomoc|serdecznie dziękuję|dziękuje|dzięki wielkie|dziękuję ślicznie|stokrotne dzięki|dziękuję za informację|dzięki bardzo',
    bye: 'do widzenia|pa|pa pa|na razie|do zobaczenia|żegnaj|miłego dnia|milego dnia|dobranoc|do usłyszenia|to wszystko|to tyle|nic więcej|trzymaj się|miłego wieczoru|narka|do jutra',
    how_are_you:
      'jak się masz|jak sie masz|co słychać|co slychac|jak leci|jak się pan ma|jak się pani ma|co tam|jak tam|wszystko dobrze|wszystko w porządku|jak się czujesz|co u ciebie',
    are_you_a_robot:
      'czy jesteś robotem|jesteś robotem|jestes robotem|czy jesteś botem|jesteś botem|czy jesteś człowiekiem|jesteś człowiekiem|czy to robot|czy to bot|to jest bot|czy rozmawiam z robotem|rozmawiam z robotem|czy rozmawiam z człowiekiem|rozmawiam z człowiekiem|czy jesteś prawdziwy|czy jesteś maszyną|jesteś maszyną|czy jesteś sztuczną inteligencją|jesteś ai|czy jesteś prawdziwą osobą|czy pan jest robotem|robot czy człowiek|czy rozmawiam z botem',
    who_are_you:
      'kim jesteś|kim jestes|kim pan jest|kim pani jest|kto ty jesteś|jak się nazywasz|jak sie nazywasz|jak masz na imię|jak masz na imie|jakie jest twoje imię|twoje imię|czym jesteś|z kim rozmawiam|z kim mam przyjemność|przedstaw się',
    help: 'pomoc|pomocy|pomóż mi|pomoz mi|proszę o pomoc|czy możesz mi pomóc|możesz mi pomóc|czy może mi pan pomóc|potrzebuję pomocy|potrzebuje pomocy|co potrafisz|co umiesz|co możesz zrobić|co mozesz zrobic|w czym możesz pomóc|w czym możesz mi pomóc|jak możesz mi pomóc|o co mogę zapytać|o co mogę pytać|jak to działa|do czego służysz',
    praise:
      'super|świetnie|swietnie|doskonale|dobra robota|brawo|idealnie|znakomicie|wspaniale|jesteś super|jesteś świetny|jesteś najlepszy|bardzo pomocne|dobra odpowiedź|fajnie|ekstra|rewelacja|genialnie|bardzo dobrze|pięknie|kocham cię|niesamowite|świetna robota|bomba',
    insult:
      'głupi|glupi|jesteś głupi|jestes glupi|idiota|jesteś idiotą|bezużyteczny|jesteś bezużyteczny|zamknij się|spadaj|kurwa|spierdalaj|debil|jesteś debilem|głupi bot|nienawidzę cię|do niczego|jesteś do niczego|beznadziejny|jesteś beznadziejny|cholera|dupek|do dupy|gówno|kretyn|beznadzieja',
    acknowledgement:
      'ok|okej|dobra|dobrze|rozumiem|jasne|zrozumiałem|zrozumiałam|dobrze wiedzieć|chwila|chwileczkę|nieważne|nie szkodzi|nie ma problemu|spoko|szkoda|o nie|haha|lol|hm|hmm|aha|ach|oh|wow|brzmi dobrze|ciekawe|naprawdę|znalazłem|znalazłam|spróbuję',
    fillers:
      'wszystkim|wszyscy|państwu|pan|pani|bardzo|naprawdę|proszę|no|ok|okej|dobrze|tak|nie|i|a|ale|to|to jest|jesteś|ponownie|znowu|jeszcze raz|dzisiaj|za wszystko|za odpowiedź|taki|tak|więc|oj|och|na teraz',
  },
  sv: {
    hello:
      'hej|hejsan|hallå|tjena|tja|god morgon|god kväll|god dag|god middag|goddag|hej hej|tjenare|morsning|hejhej|tjo|trevligt att träffas|godmorgon',
    thanks:
      'tack|tack så mycket|tusen tack|stort tack|tackar|tack för hjälpen|tack för din hjälp|tack ska du ha|många tack|hjärtligt tack|tack tack|tackar så mycket|tack för svaret',
    bye: 'hejdå|hej då|adjö|vi ses|vi hörs|ha det bra|ha en bra dag|ha en fin dag|god natt|godnatt|det var allt|det är allt|inget mer|farväl|på återseende|ha det|ses|trevlig kväll',
    how_are_you:
      'hur mår du|hur är det|hur är läget|läget|hur går det|hur står det till|allt bra|allt väl|hur har du det|är allt bra',
    are_you_a_robot:
      'är du en robot|är du en bot|är du människa|är du en människa|är du mänsklig|är du riktig|är du en riktig person|är du en person|pratar jag med en robot|pratar jag med en människa|talar jag med en robot|talar jag med en människa|är du en maskin|är det här en bot|är detta en bot|är du en ai|är du ai|är du en chatbot|robot eller människa|är du äkta',
    who_are_you:
      'vem är du|vad är du|vad heter du|vad är ditt namn|ditt namn|vem pratar jag med|vem talar jag med|presentera dig|har du ett namn|vem har gjort dig',
    help: 'hjälp|hjälp mig|kan du hjälpa mig|kan ni hjälpa mig|kan du hjälpa till|jag behöver hjälp|behöver hjälp|vad kan du|vad kan du göra|vad kan du hjälpa till med|vad kan du hjälpa mig med|hur kan du hjälpa mig|vad kan jag fråga|vad kan jag fråga om|hur fungerar det här|hur fungerar detta|hur funkar det|vad gör du',
    praise:
      'bra|jättebra|toppen|bra jobbat|perfekt|utmärkt|fantastiskt|underbart|grymt|kanon|du är bäst|du är bra|du är grym|mycket hjälpsam|väldigt hjälpsamt|bra svar|suveränt|härligt|super|snyggt|strålande|jag älskar dig|bra gjort|najs|vad bra|snällt av dig',
    insult:
      'dum|du är dum|idiot|din idiot|du är en idiot|värdelös|du är värdelös|oduglig|dumma bot|dålig bot|du är dålig|håll käften|håll tyst|dra åt helvete|skit|fan|jävla bot|jag hatar dig|usel|du suger|korkad|du är korkad|skitbot|fy fan|det här suger',
    acknowledgement:
      'ok|okej|jag förstår|förstått|bra att veta|bra|ett ögonblick|vänta lite|strunt samma|inga problem|visst|coolt|synd|vad synd|åh nej|haha|lol|hm|hmm|aha|ah|oj|wow|låter bra|intressant|verkligen|hittade det|jag provar',
    fillers:
      'alla|allihopa|där|så|mycket|väldigt|verkligen|snälla|då|ok|okej|ja|nej|och|men|en|ett|det var|det är|du är|vad|igen|idag|för allt|för info|på dig|nu|för nu|först|så länge|teamet|ni|kära',
  },
  da: {
    hello:
      'hej|hejsa|hallo|halløj|goddag|godmorgen|god morgen|godaften|god aften|god dag|dav|davs|hey|hej hej|hi|rart at møde dig|mojn',
    thanks:
      'tak|mange tak|tusind tak|tak for hjælpen|tak for din hjælp|tak skal du have|tak for det|takker|jeg takker|super tak|stor tak|tak for svaret|1000 tak|hjertelig tak',
    bye: 'farvel|hej hej farvel|vi ses|ses|på gensyn|hav en god dag|ha en god dag|god dag videre|godnat|god nat|det var alt|det er alt|ikke mere|ha det|ha det godt|hav det godt|fortsat god dag|vi snakkes|tak for nu',
    how_are_you:
      'hvordan har du det|hvordan går det|hvordan går det med dig|hvad så|alt godt|alt vel|går det godt|hvordan står det til|har du det godt',
    are_you_a_robot:
      'er du en robot|er du en bot|er du et menneske|er du menneske|er du menneskelig|er du ægte|er du en rigtig person|er du en person|taler jeg med en robot|taler jeg med et menneske|snakker jeg med en robot|snakker jeg med et menneske|er du en maskine|er det en bot|er dette en bot|er det her en robot|er du en ai|er du en chatbot|robot eller menneske',
    who_are_you:
      'hvem er du|hvad er du|hvad hedder du|hvad er dit navn|dit navn|hvem taler jeg med|hvem snakker jeg med|præsenter dig selv|har du et navn|hvem har lavet dig',
    help: 'hjælp|hjælp mig|kan du hjælpe mig|kan du hjælpe|kan i hjælpe mig|jeg har brug for hjælp|brug for hjælp|hvad kan du|hvad kan du gøre|hvad kan du hjælpe med|hvad kan du hjælpe mig med|hvordan kan du hjælpe mig|hvad kan jeg spørge om|hvordan virker det|hvordan virker det her|hvordan fungerer det|hvad gør du',
    praise:
      'godt|flot|super|godt gået|godt klaret|perfekt|fremragende|fantastisk|fedt|dejligt|du er bedst|du er god|du er den bedste|meget hjælpsom|godt svar|skønt|genialt|sejt|vidunderligt|jeg elsker dig|smukt|hvor er du god|top|det var godt|rigtig godt|imponerende',
    insult:
      'dum|du er dum|idiot|din idiot|du er en idiot|ubrugelig|du er ubrugelig|dumme bot|dårlig bot|du er dårlig|hold kæft|hold mund|skrid|lort|pis|fuck dig|jeg hader dig|elendig|du er elendig|røvhul|møgbot|du stinker|det her er noget lort|sludder|du er håbløs',
    acknowledgement:
      'ok|okay|jeg forstår|forstået|godt at vide|godt|et øjeblik|lige et øjeblik|glem det|lige meget|intet problem|klart|fedt|ærgerligt|synd|åh nej|haha|lol|hm|hmm|aha|ah|nå|wow|lyder godt|interessant|virkelig|fundet|jeg prøver',
    fillers:
      'alle|alle sammen|der|så|meget|virkelig|venligst|da|ok|okay|ja|nej|og|men|en|et|det var|det er|du er|hvor|igen|i dag|for alt|for info|nu|lige|først|rigtig|team|med dig|jer|kære',
  },
  tr: {
    hello:
      'merhaba|selam|selamlar|günaydın|gunaydin|iyi günler|iyi akşamlar|iyi aksamlar|tünaydın|merhabalar|hey|alo|slm|mrb|selamün aleyküm|tanıştığımıza memnun oldum',
    thanks:
      'teşekkürler|tesekkurler|teşekkür ederim|tesekkur ederim|çok teşekkürler|çok teşekkür ederim|sağ ol|sağol|sağ olun|sağolun|eyvallah|yardımın için teşekkürler|yardımınız için teşekkürler|teşekkür|minnettarım|tşk|tşkler',
    bye: 'hoşça kal|hoşçakal|hoşça kalın|hoşçakalın|güle güle|görüşürüz|görüşmek üzere|iyi geceler|kendine iyi bak|bu kadar|hepsi bu|hepsi bu kadar|başka bir şey yok|bay bay|bye|iyi günler dilerim|allaha ısmarladık|sonra görüşürüz',
    how_are_you:
      'nasılsın|nasilsin|nasılsınız|nasilsiniz|naber|ne haber|nasıl gidiyor|iyi misin|iyi misiniz|ne var ne yok|keyfin nasıl|işler nasıl',
    are_you_a_robot:
      'robot musun|robot musunuz|sen robot musun|siz robot musunuz|sen bir robot musun|bot musun|sen bot musun|insan mısın|insan misin|sen insan mısın|siz insan mısınız|insan mısınız|gerçek misin|gerçek bir insan mısın|gerçek kişi misin|bir robotla mı konuşuyorum|robotla mı konuşuyorum|bir insanla mı konuşuyorum|insanla mı konuşuyorum|makine misin|yapay zeka mısın|bu bir bot mu|bu bir robot mu|robot mu insan mı',
    who_are_you:
      'kimsin|sen kimsin|siz kimsiniz|kimsiniz|adın ne|adin ne|adınız ne|ismin ne|isminiz ne|adınız nedir|ismin nedir|nesin|sen nesin|kiminle konuşuyorum|kiminle görüşüyorum|kendini tanıt',
    help: 'yardım|yardim|yardım et|bana yardım et|bana yardım eder misin|yardım eder misin|yardım eder misiniz|bana yardım edebilir misin|yardımcı olur musun|yardımcı olur musunuz|yardımcı olabilir misiniz|bana yardımcı olabilir misiniz|yardıma ihtiyacım var|ne yapabilirsin|neler yapabilirsin|neler yapabilirsiniz|ne yapabilirsiniz|ne işe yararsın|bana nasıl yardım edebilirsin|nasıl yardımcı olabilirsin|ne sorabilirim|neler sorabilirim|bu nasıl çalışıyor|imdat',
    praise:
      'harika|süper|mükemmel|çok iyi|aferin|bravo|muhteşem|güzel|çok güzel|harikasın|süpersin|en iyisisin|çok yardımcı oldun|çok yardımcı oldunuz|iyi cevap|tebrikler|şahane|müthiş|on numara|seni seviyorum|helal|efsane|çok iyisin|eline sağlık',
    insult:
      'aptal|aptalsın|salak|salaksın|geri zekalı|gerizekalı|işe yaramaz|işe yaramazsın|hiçbir işe yaramıyorsun|kapa çeneni|sus|siktir|siktir git|lanet olsun|aptal bot|kötü bot|senden nefret ediyorum|ahmak|berbat|berbatsın|çok kötüsün|rezalet|beceriksiz|bok gibi|mal',
    acknowledgement:
      'tamam|peki|anladım|anlaşıldı|bilmek güzel|iyi|bir dakika|bir saniye|boş ver|önemli değil|sorun değil|tabii|yazık|olamaz|haha|lol|hm|hmm|ah|oh|vay|kulağa hoş geliyor|ilginç|gerçekten mi|buldum|deneyeceğim',
    fillers:
      'herkese|arkadaşlar|hocam|çok|gerçekten|lütfen|o zaman|tamam|peki|evet|hayır|ve|ama|bir|bu|sen|siz|ne|tekrar|yine|bugün|her şey için|cevap için|şimdilik|yani|ya|abi|kardeş|size|sana|da|de',
  },
  ar: {
    hello:
      'مرحبا|مرحبًا|السلام عليكم|السلام عليكم ورحمة الله وبركاته|السلام عليكم ورحمة الله|أهلا|أهلا وسهلا|أهلًا|صباح الخير|مساء الخير|هلا|هاي|سلام|اهلا|تحية طيبة|هلو|نهارك سعيد|تشرفنا',
    thanks:
      'شكرا|شكرًا|شكرا لك|شكرا جزيلا|شكرا لكم|ألف شكر|مشكور|مشكورين|شكرا على المساعدة|شكرا لمساعدتك|أشكرك|جزاك الله خيرا|ممتن لك|يعطيك العافية|تسلم|شكرا كثيرا',
    bye: 'وداعا|مع السلامة|إلى اللقاء|الى اللقاء|باي|تصبح على خير|أراك لاحقا|هذا كل شيء|هذا كل شئ|لا شيء آخر|في أمان الله|يوم سعيد|طاب يومك|نراكم لاحقا|سلامات|استودعك الله',
    how_are_you:
      'كيف حالك|كيف حالكم|كيفك|كيف الحال|شلونك|ازيك|كيف أنت|عامل ايه|كيف تسير الأمور|ما أخبارك|أخبارك|هل أنت بخير',
    are_you_a_robot:
      'هل أنت روبوت|هل انت روبوت|أنت روبوت|انت روبوت|هل أنت آلي|هل أنت إنسان|هل انت انسان|أنت إنسان|هل أنت حقيقي|هل أنت شخص حقيقي|هل أتحدث مع روبوت|هل أتحدث إلى روبوت|هل أتحدث مع إنسان|هل أتكلم مع روبوت|هل أنت بوت|هل هذا روبوت|هل هذا بوت|هل أنت ذكاء اصطناعي|هل أنت آلة|روبوت أم إنسان|هل أنت بشر',
    who_are_you:
      'من أنت|من انت|من أنتم|ما اسمك|ما هو اسمك|اسمك|ما أنت|مع من أتحدث|مع من أتكلم|عرف عن نفسك|عرفني بنفسك|مين انت|شو اسمك',
    help: 'مساعدة|ساعدني|هل يمكنك مساعدتي|هل تستطيع مساعدتي|ممكن مساعدة|أحتاج مساعدة|احتاج مساعدة|أحتاج إلى مساعدة|أريد مساعدة|ماذا يمكنك أن تفعل|ماذا تستطيع أن تفعل|ماذا تفعل|كيف يمكنك مساعدتي|كيف تساعدني|بماذا يمكنك مساعدتي|ماذا يمكنني أن أسأل|عن ماذا أسأل|كيف يعمل هذا|النجدة|ما الذي يمكنك فعله',
    praise:
      'ممتاز|رائع|أحسنت|جيد جدا|عظيم|مذهل|جميل|أنت رائع|انت رائع|أنت الأفضل|مفيد جدا|إجابة جيدة|إجابة رائعة|عمل جيد|برافو|ما شاء الله|أحبك|حلو|ممتازة|عمل رائع|مثالي|يا سلام|كفو',
    insult:
      'غبي|أنت غبي|انت غبي|أحمق|أنت أحمق|عديم الفائدة|أنت عديم الفائدة|بلا فائدة|لا فائدة منك|اخرس|اسكت|تبا لك|تبا|أكرهك|سيء|أنت سيء|حمار|يا حمار|روبوت غبي|يا غبي|تافه|كلب|زبالة|فاشل|أنت فاشل',
    acknowledgement:
      'حسنا|حسنًا|تمام|طيب|فهمت|مفهوم|جيد|لحظة|لا يهم|لا مشكلة|لا بأس|أكيد|للأسف|يا خسارة|هههه|ههه|آه|واو|مثير للاهتمام|حقا|وجدته|سأجرب',
    fillers:
      'جميعا|للجميع|يا|أخي|صديقي|جدا|كثيرا|من فضلك|لو سمحت|إذن|حسنا|طيب|نعم|لا|و|لكن|هذا|أنت|مرة أخرى|اليوم|على كل شيء|على الرد|بكم|بك|لك|لكم|الآن|يعني|والله',
  },
  ru: {
    hello:
      'привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|приветствую|хай|салют|здрасте|доброго дня|доброго времени суток|приветик|алло|хелло|приятно познакомиться|здорово',
    thanks:
      'спасибо|большое спасибо|спасибо большое|благодарю|спс|спасибо за помощь|спасибо вам|спасибо тебе|благодарю вас|огромное спасибо|премного благодарен|спасибо за ответ|спасибо за информацию|пасиб|мерси|спасибочки',
    bye: 'пока|до свидания|до встречи|увидимся|прощай|прощайте|всего доброго|всего хорошего|хорошего дня|спокойной ночи|доброй ночи|это всё|это все|больше ничего|на этом всё|бывай|до завтра|счастливо|удачи|пока пока',
    how_are_you:
      'как дела|как ты|как вы|как поживаешь|как поживаете|как жизнь|что нового|как твои дела|как ваши дела|как настроение|всё хорошо|как сам|как оно',
    are_you_a_robot:
      'ты робот|вы робот|ты бот|вы бот|ты человек|вы человек|ты живой|вы живой человек|ты настоящий|вы настоящий человек|я разговариваю с роботом|я говорю с роботом|я общаюсь с ботом|я общаюсь с роботом|я общаюсь с человеком|я говорю с человеком|ты машина|это бот|это робот|ты искусственный интеллект|ты ии|ты живой человек|бот или человек|робот или человек|вы живой|я разговариваю с человеком|ты чат-бот',
    who_are_you:
      'кто ты|кто вы|ты кто|вы кто|как тебя зовут|как вас зовут|твоё имя|ваше имя|как твоё имя|что ты такое|кто ты такой|кто вы такой|с кем я говорю|с кем я разговариваю|с кем я общаюсь|представься|представьтесь',
    help: 'помощь|помоги|помоги мне|помогите|помогите мне|можешь помочь|можете помочь|ты можешь мне помочь|вы можете мне помочь|мне нужна помощь|нужна помощь|что ты умеешь|что вы умеете|что ты можешь|что вы можете|чем ты можешь помочь|чем вы можете помочь|чем можешь помочь|чем можете помочь|как ты можешь помочь|о чём можно спросить|что можно спросить|что я могу спросить|как это работает|что ты делаешь|для чего ты',
    praise:
      'отлично|супер|молодец|хорошо|прекрасно|замечательно|великолепно|класс|круто|здорово|идеально|ты лучший|вы лучшие|ты супер|ты молодец|очень полезно|хороший ответ|браво|умница|хорошая работа|потрясающе|я тебя люблю|очень хорошо|шикарно|вы очень помогли|ты очень помог|красота|огонь',
    insult:
      'дурак|ты дурак|тупой|ты тупой|идиот|ты идиот|глупый|ты глупый|бесполезный|ты бесполезный|бесполезно|тупой бот|заткнись|иди к чёрту|пошёл ты|пошел ты|иди нахуй|пошёл нахуй|дерьмо|говно|ненавижу тебя|ты плохой|плохой бот|дебил|ты дебил|козёл|кретин|ты отстой|отстой|сука|блядь|ты ужасен|толку от тебя ноль',
    acknowledgement:
      'ок|окей|хорошо|понятно|понял|поняла|ясно|ладно|буду знать|минутку|одну минуту|секунду|неважно|не важно|ничего страшного|без проблем|конечно|круто|жаль|как жаль|о нет|ха ха|хаха|лол|хм|ага|ах|ого|звучит хорошо|интересно|правда|нашел|нашла|попробую',
    fillers:
      'всем|ребята|друзья|очень|большое|огромное|пожалуйста|тогда|ок|окей|ладно|да|нет|и|а|но|это|ты|вы|снова|ещё раз|сегодня|за всё|за ответ|так|ну|ой|вам|тебе|просто|какой|уважаемые|друг|пока что|мне|хорошо',
  },
  zh: {
    hello:
      '你好|您好|嗨|哈喽|哈囉|早上好|下午好|晚上好|早安|午安|早|大家好|你们好|hello|hi|喂|在吗|在嗎|你好啊|有人吗|有人嗎|很高兴认识你|哈啰',
    thanks:
      '谢谢|謝謝|多谢|多謝|谢谢你|謝謝你|谢谢您|謝謝您|非常感谢|非常感謝|感谢|感謝|谢了|謝了|太感谢了|谢谢你的帮助|謝謝你的幫助|谢谢帮助|thanks|3q|万分感谢|辛苦了',
    bye: '再见|再見|拜拜|拜|回头见|回頭見|晚安|下次见|下次見|祝你愉快|祝您愉快|就这样|就這樣|没有了|沒有了|没事了|沒事了|没别的了|走了|88|再会|慢走',
    how_are_you:
      '你好吗|你好嗎|您好吗|最近怎么样|最近怎麼樣|你怎么样|你怎麼樣|过得怎么样|還好嗎|还好吗|你还好吗|吃了吗|最近好吗|最近好嗎|一切都好吗',
    are_you_a_robot:
      '你是机器人吗|你是機器人嗎|您是机器人吗|你是人吗|你是人嗎|你是真人吗|你是真人嗎|您是真人吗|是真人吗|是真人嗎|是机器人吗|是機器人嗎|我在跟机器人说话吗|我在和机器人聊天吗|你是ai吗|你是人工智能吗|你是人工智慧嗎|这是机器人吗|這是機器人嗎|机器人还是真人|你是不是机器人|你是不是机器|你是人工吗|你是人类吗|你是人類嗎|你是机器人|你是不是真人',
    who_are_you:
      '你是谁|你是誰|您是谁|您是哪位|你叫什么|你叫什麼|你叫什么名字|你叫什麼名字|您贵姓|您怎么称呼|怎么称呼你|怎么称呼您|你的名字|你的名字是什么|你是什么|你是什麼|自我介绍一下|介绍一下你自己|介紹一下你自己|我在跟谁说话',
    help: '帮助|幫助|帮帮我|幫幫我|帮我|幫我|你能帮我吗|你能幫我嗎|您能帮我吗|可以帮我吗|可以幫我嗎|能帮个忙吗|我需要帮助|我需要幫助|你能做什么|你能做什麼|您能做什么|你会什么|你會什麼|你可以做什么|你可以做什麼|你能帮我做什么|你有什么功能|你有什麼功能|我可以问什么|我可以問什麼|怎么用|怎麼用|这个怎么用|救命|请帮助我|能帮我一下吗',
    praise:
      '太好了|很好|真棒|太棒了|棒|不错|不錯|很棒|厉害|厲害|真厉害|你真棒|你很棒|你真好|完美|优秀|優秀|好极了|做得好|干得好|你真聪明|你真聰明|很有帮助|很有幫助|赞|讚|牛|我爱你|我愛你|好样的|答得好|给力|你真厉害',
    insult:
      '笨蛋|你真笨|你好笨|傻瓜|傻逼|白痴|白癡|蠢|你真蠢|没用|沒用|你真没用|你没用|垃圾|滚|滾|滚开|闭嘴|閉嘴|去死|他妈的|妈的|操|讨厌|我讨厌你|智障|废物|廢物|什么破机器人|笨|你太笨了|烂|真烂|蠢货|神经病',
    acknowledgement:
      '好|好的|好吧|行|可以|明白|明白了|知道了|了解|原来如此|稍等|等一下|没关系|没事|算了|当然|真可惜|可惜|哈哈|哈哈哈|嗯|嗯嗯|哦|噢|哇|不错|有意思|真的|找到了|我试试',
    fillers:
      '啊|呀|哦|喔|呢|吧|了|的|哈|好的|好|嗯|请|請|请问|請問|麻烦|麻煩|那|真的|你|您|大家|朋友|今天|一下|亲|嗯嗯|哇',
  },
  ja: {
    hello:
      'こんにちは|こんにちわ|こんばんは|こんばんわ|おはよう|おはようございます|やあ|どうも|ハロー|もしもし|はじめまして|初めまして|よろしくお願いします|よろしく|お世話になっております|お世話になります|ちわ|やっほー|お疲れ様です|お疲れさまです|ごめんください|失礼します',
    thanks:
      'ありがとう|ありがとうございます|ありがとうございました|有難うございます|有り難うございます|どうもありがとう|どうもありがとうございます|感謝します|感謝|サンキュー|助かりました|助かります|ありがと|あざす|あざっす|どうもありがとうございました|大変助かりました|感謝いたします|教えてくれてありがとう|教えていただきありがとうございます',
    bye: 'さようなら|さよなら|バイバイ|またね|じゃあね|じゃね|では|また今度|また明日|おやすみ|おやすみなさい|失礼しました|それでは失礼します|以上です|それだけです|もう大丈夫です|特にありません|もういいです|ではまた|それではまた|良い一日を|大丈夫です',
    how_are_you:
      '元気|元気ですか|お元気ですか|調子はどう|調子はどうですか|ご機嫌いかがですか|最近どう|最近どうですか|元気にしてる|いかがお過ごしですか|元気してる',
    are_you_a_robot:
      'ロボットですか|あなたはロボットですか|ボットですか|あなたはボットですか|人間ですか|あなたは人間ですか|本物の人間ですか|機械ですか|あなたは機械ですか|aiですか|あなたはaiですか|これはボットですか|これはロボットですか|ロボットなの|人間なの|中の人はいますか|ロボットと話していますか|人間と話していますか|チャットボットですか|自動応答ですか|人工知能ですか|本物ですか|あなたは人ですか',
    who_are_you:
      'あなたは誰ですか|あなたは誰|誰ですか|君は誰|お前は誰だ|お名前は|名前は|名前は何ですか|お名前は何ですか|あなたの名前は|あなたの名前は何ですか|名前を教えて|お名前を教えてください|何者ですか|どちら様ですか|自己紹介して|自己紹介してください|あなたは何ですか|誰と話していますか|名前教えて',
    help: 'ヘルプ|助けて|助けてください|手伝って|手伝ってください|手伝ってくれますか|手伝ってもらえますか|助けてくれますか|困っています|何ができますか|何ができるの|何ができる|何が出来ますか|あなたは何ができますか|どんなことができますか|何を聞けますか|何を質問できますか|何を聞けばいいですか|使い方|使い方を教えて|使い方を教えてください|どうやって使うの|どう使いますか|教えてください|質問があります|聞きたいことがあります|質問してもいいですか',
    praise:
      'すごい|すばらしい|素晴らしい|素晴らしいです|完璧|いいね|最高|最高です|さすが|さすがです|よくできました|上手|賢い|賢いですね|かしこい|えらい|いい答えです|役に立ちました|とても役に立ちました|良い回答です|グッジョブ|ナイス|大好き|好きです|すごいですね|優秀|優秀ですね|お見事|天才|頭いい',
    insult:
      'ばか|バカ|馬鹿|あほ|アホ|使えない|使えないな|役立たず|役に立たない|くそ|クソ|死ね|うるさい|黙れ|だまれ|ふざけるな|最悪|最低|間抜け|まぬけ|無能|ポンコツ|嫌い|大嫌い|消えろ|頭悪い|バカやろう|ゴミ|ダメだな|使えねえ|きもい',
    acknowledgement:
      'はい|わかりました|分かりました|了解|了解です|承知しました|なるほど|そうですか|そうなんですね|いいですね|少々お待ちください|ちょっと待って|大丈夫です|気にしないで|もちろん|残念|残念です|ははは|笑|うーん|へえ|あー|ああ|わあ|面白い|本当|見つけました|やってみます',
    fillers:
      'ね|よ|です|ます|ああ|あの|えっと|すみません|はい|いいえ|とても|本当に|ほんとに|どうも|では|じゃあ|皆さん|さん|今日は|ちょっと|それでは|まあ|うん|ええと|な|わ|わあ|おお|でした|お願いします|ください',
  },
}
