// Anger, insults and requests for a person as people type them, in every language of the widget.
import { describe, expect, test } from 'vitest'
import { asksForPerson } from '../../src/answers/understand/asks-for-person.ts'
import { smallTalk } from '../../src/answers/understand/small-talk.ts'
import { chatLanguage } from '../../src/language/chat-language.ts'
import { languageOrEnglish } from '../../src/language/languages.ts'

interface Messages {
  upset: string[]
  person: string[]
  /** Upset or about people, but with a question that the content may answer. */
  questions: string[]
}

const messages: Record<string, Messages> = {
  en: {
    upset: [
      'you are a useless stupid bot',
      'this is the worst chatbot ever',
      'omg you are so dumb',
      'what a useless piece of crap',
      'im so fed up with this',
      'this is absolutely ridiculous',
      'you never help',
      'are you stupid or what',
      'worst service ever!!!',
      'im really pissed off',
    ],
    person: [
      'a person please',
      'can i talk to someone',
      'i want a human',
      'let me speak to a real person',
      'get me a human now',
      'human pls',
      'is there a real person i can talk to',
      'i need to talk to an actual human',
      'real person please',
      'can i chat with somebody from your team',
    ],
    questions: [
      'my order arrived broken, this is annoying, how do I return it',
      'the zip is useless, can I get a refund?',
      'is the stupid cable included?',
      'how many persons fit in the tent?',
    ],
  },
  de: {
    upset: [
      'du bist ein nutzloser dummer bot',
      'so ein scheiß bot',
      'was bist du denn für ein idiot',
      'das ist der schlechteste service ever',
      'ich bin echt sauer',
      'du bist echt zu nichts zu gebrauchen',
      'wollt ihr mich eigentlich verarschen',
      'das ist ja wohl ein witz',
      'du blöder roboter',
      'jetzt reicht es mir aber',
    ],
    person: [
      'eine Person bitte',
      'ich will mit einem menschen sprechen',
      'kann ich mit jemandem reden',
      'mensch bitte',
      'echter mensch bitte',
      'gibt es hier auch echte menschen',
      'ich möchte einen mitarbeiter',
      'bitte einen menschen',
      'verbinde mich mit jemandem',
      'kann ich bitte mit einem echten menschen chatten',
    ],
    questions: [
      'meine bestellung kam kaputt an, das nervt, wie schicke ich sie zurück',
      'Wie viele Personen passen in das Zelt?',
      'Ist das blöde Kabel dabei?',
      'Was kostet eine Person mehr im Zimmer?',
    ],
  },
  fr: {
    upset: [
      'tu es un robot complètement inutile',
      "t'es vraiment nul",
      'ce chatbot est nul',
      'vous êtes des incapables',
      "j'en ai vraiment marre",
      "c'est vraiment n'importe quoi",
      'quel service de merde',
      'espèce de robot stupide',
      'tu comprends vraiment rien',
      'je suis très en colère',
    ],
    person: [
      "quelqu'un de réel svp",
      'une vraie personne svp',
      'je veux parler à quelqu’un',
      'un humain svp',
      'je veux parler a un humain',
      'est-ce que je peux parler à un conseiller',
      'passez moi un conseiller',
      'il y a un humain ?',
      'un conseiller stp',
      'je voudrais avoir quelqu’un au téléphone',
    ],
    questions: [
      'ma commande est arrivée cassée, c’est énervant, comment la retourner',
      'Pour combien de personnes est cette tente ?',
      'Le câble est nul, puis-je être remboursé ?',
    ],
  },
  es: {
    upset: [
      'eres un bot inutil',
      'eres un robot muy tonto',
      'este chatbot es una mierda',
      'no sirves para nada bot',
      'estoy muy enfadado',
      'esto es una verguenza',
      'que servicio tan malo',
      'estoy harto de este bot',
      'no entiendes nada de nada',
      'vaya bot más inútil',
    ],
    person: [
      'un humano',
      'una persona por favor',
      'quiero hablar con alguien',
      'quiero hablar con una persona real',
      'hablar con un agente',
      'me pasas con una persona',
      'puedo hablar con un humano',
      'alguien real por favor',
      'persona real porfa',
      'necesito un agente',
    ],
    questions: [
      'mi pedido llegó roto, qué rabia, ¿cómo lo devuelvo?',
      '¿Para cuántas personas es la tienda?',
      '¿Por qué es tan mala la batería?',
    ],
  },
  it: {
    upset: [
      'sei un bot inutile',
      'sei proprio stupido',
      'questo bot fa schifo',
      'che servizio di merda',
      'sono davvero arrabbiato',
      'non capisci niente',
      'ma mi prendi in giro',
      'è una vergogna',
      'sei un robot stupido e inutile',
      'basta, non ne posso più',
    ],
    person: [
      'una persona per favore',
      'voglio parlare con qualcuno',
      'un umano',
      'un operatore per favore',
      'posso parlare con una persona vera',
      'vorrei parlare con un operatore',
      'passami un operatore',
      "c'è qualcuno di reale",
      'persona reale grazie',
      'fammi parlare con un umano',
    ],
    questions: [
      'il mio ordine è arrivato rotto, che fastidio, come lo restituisco?',
      'Per quante persone è la tenda?',
      'Il cavo inutile è incluso?',
    ],
  },
  pt: {
    upset: [
      'você é um robô inútil',
      'és um bot burro',
      'esse chatbot é uma merda',
      'que serviço horrível',
      'estou muito irritado',
      'você não entende nada',
      'isso é uma vergonha',
      'que porcaria de bot',
      'estou farto disto',
      'você só pode estar brincando',
    ],
    person: [
      'uma pessoa por favor',
      'quero falar com alguém',
      'um humano',
      'quero um atendente',
      'falar com atendente',
      'posso falar com uma pessoa real',
      'me passa para um humano',
      'quero falar com um humano pf',
      'atendente por favor',
      'tem alguém aí',
    ],
    questions: [
      'meu pedido chegou quebrado, que chato, como devolvo?',
      'Para quantas pessoas é a barraca?',
      'O cabo inútil está incluído?',
    ],
  },
  nl: {
    upset: [
      'jij bent een nutteloze domme bot',
      'wat een waardeloze chatbot',
      'je bent echt dom',
      'wat een kutservice',
      'ik ben echt boos',
      'je snapt er niks van',
      'dit is belachelijk',
      'ik ben er helemaal klaar mee',
      'stomme robot',
      'jullie zijn echt waardeloos',
    ],
    person: [
      'een persoon graag',
      'ik wil met iemand praten',
      'een mens aub',
      'mag ik een echt persoon',
      'kan ik met een medewerker praten',
      'medewerker graag',
      'echt mens alsjeblieft',
      'ik wil een mens spreken',
      'verbind me door met iemand',
      'is er een echt mens',
    ],
    questions: [
      'mijn bestelling kwam kapot aan, heel vervelend, hoe stuur ik die terug',
      'Voor hoeveel personen is de tent?',
      'Zit die stomme kabel erbij?',
    ],
  },
  pl: {
    upset: [
      'jesteś bezużytecznym botem',
      'ale głupi bot',
      'ten bot jest beznadziejny',
      'co za beznadziejna obsługa',
      'jestem wkurzony',
      'nic nie rozumiesz',
      'to jakaś kpina',
      'mam tego dość',
      'jesteś głupi',
      'to jest żenada',
    ],
    person: [
      'poproszę człowieka',
      'chcę rozmawiać z człowiekiem',
      'człowiek proszę',
      'czy mogę porozmawiać z kimś',
      'połącz mnie z konsultantem',
      'konsultant',
      'chce pogadac z czlowiekiem',
      'prawdziwa osoba proszę',
      'potrzebuję konsultanta',
      'czy jest tu żywy człowiek',
    ],
    questions: [
      'zamówienie przyszło zepsute, to irytujące, jak je zwrócić',
      'Dla ilu osób jest namiot?',
      'Czy ten głupi kabel jest w zestawie?',
    ],
  },
  sv: {
    upset: [
      'du är en värdelös dum bot',
      'vilken värdelös chatbot',
      'du är helt värdelös',
      'vilken jävla skitservice',
      'jag är riktigt arg',
      'du fattar ju ingenting',
      'det här är löjligt',
      'jag är så trött på det här',
      'din dumma robot',
      'vad fan är detta',
    ],
    person: [
      'en person tack',
      'jag vill prata med någon',
      'en riktig människa tack',
      'kan jag få prata med en människa',
      'koppla mig till en människa',
      'människa tack',
      'jag vill ha en riktig person',
      'finns det någon riktig person',
      'kan jag chatta med en medarbetare',
      'få prata med kundtjänst',
    ],
    questions: [
      'min beställning kom trasig, jobbigt, hur returnerar jag den',
      'Hur många personer får plats i tältet?',
      'Ingår den dumma kabeln?',
    ],
  },
  tr: {
    upset: [
      'sen işe yaramaz aptal bir botsun',
      'ne kadar kötü bir bot',
      'bu bot çok aptal',
      'hiçbir işe yaramıyorsunuz',
      'çok sinirlendim',
      'hiçbir şey anlamıyorsun',
      'dalga mı geçiyorsunuz benimle',
      'rezalet bir hizmet',
      'yeter artık ya',
      'salak mısın sen',
    ],
    person: [
      'bir insan lütfen',
      'biriyle konuşmak istiyorum',
      'gerçek bir insanla konuşmak istiyorum',
      'müşteri temsilcisi lütfen',
      'canlı destek istiyorum',
      'beni bir temsilciye bağla',
      'insanla gorusmek istiyorum',
      'bir yetkiliyle görüşebilir miyim',
      'gerçek biri var mı',
      'temsilciye bağlanmak istiyorum',
    ],
    questions: [
      'siparişim kırık geldi, çok sinir bozucu, nasıl iade ederim',
      'Çadır kaç kişilik?',
      'Bu kötü kablo dahil mi?',
    ],
  },
  ar: {
    upset: [
      'انت بوت غبي',
      'أنت روبوت عديم الفائدة',
      'خدمتكم سيئة جدا',
      'انا غاضب جدا',
      'انت لا تفهم شيء',
      'هذا غير مقبول ابدا',
      'بوت فاشل وغبي',
      'ما هذا الغباء',
      'تعبت منك',
      'اسوأ خدمة',
    ],
    person: [
      'اريد التحدث مع شخص',
      'شخص من فضلك',
      'موظف لو سمحت',
      'ابغى اكلم موظف',
      'عايز اكلم حد',
      'اريد شخص حقيقي',
      'حولني الى موظف',
      'هل يمكنني التحدث مع انسان',
      'بدي احكي مع حدا',
      'خدمة العملاء من فضلك',
    ],
    questions: ['وصل طلبي مكسورا وهذا مزعج، كيف أعيده؟', 'لكم شخص تتسع الخيمة؟'],
  },
  zh: {
    upset: [
      '你就是个没用的机器人',
      '你这个笨蛋机器人',
      '什么垃圾客服',
      '你太蠢了',
      '气死我了',
      '真是太差了',
      '你根本听不懂',
      '浪费我时间',
      '这机器人太烂了',
      '我真的很生气',
    ],
    person: [
      '我要找真人',
      '转人工',
      '请转人工客服',
      '我想跟真人说话',
      '有没有真人',
      '人工',
      '找个人跟我聊',
      '我要和人说话',
      '请帮我转接客服',
      '真人客服谢谢',
    ],
    questions: ['我的订单到货时坏了，真烦，怎么退货？', '这个帐篷能住几个人？'],
  },
  ja: {
    upset: [
      '役に立たないバカなボットだな',
      'ほんと使えないな',
      'このボット最悪',
      '何もわかってないじゃん',
      'もういい加減にして',
      'マジでムカつく',
      '全然話が通じない',
      '本当に腹が立ちます',
      'ふざけんなよ',
      'ひどいサービスですね',
    ],
    person: [
      '人と話したいです',
      '人間に代わってください',
      'オペレーターお願いします',
      '担当者につないでください',
      '本物の人間と話したい',
      '誰かと話せますか',
      '有人チャットお願いします',
      'スタッフの方とお話ししたい',
      '人間お願いします',
      'オペレーターと話せますか',
    ],
    questions: ['注文した商品が壊れて届いて腹が立ちます。返品はどうすればいいですか？', 'このテントは何人用ですか？'],
  },
}

/** What the bot would take a first message for, by a visitor whose widget is in the language. */
async function understand(text: string, locale: string) {
  const language = languageOrEnglish(await chatLanguage(text, [], { language: 'en', locale }))
  const talk = smallTalk(text, language)
  if (asksForPerson(text, language)) return 'person'
  return talk && !talk.rest ? talk.kind : 'question'
}

describe.each(Object.entries(messages))('in %s', (language, { upset, person, questions }) => {
  test.each(upset)('"%s" is anger', async (text) => {
    expect(await understand(text, language)).toBe('insult')
  })

  test.each(person)('"%s" asks for a person', async (text) => {
    expect(await understand(text, language)).toBe('person')
  })

  test.each(questions)('"%s" is a question', async (text) => {
    expect(await understand(text, language)).toBe('question')
  })
})
