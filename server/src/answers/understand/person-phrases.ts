// How people ask for a human, per language, folded (lower case, no accents, no punctuation); a bar separates entries.
import type { Language } from './languages.ts'

export interface PersonPhrases {
  /** "talk to", "connect me with": counts when a person follows within a few words. */
  speak: string
  /** Where the verb stands apart from "with" (German, Dutch), one of these must be in the message as well. */
  needs?: string
  /** "I want", "give me": counts when the message ends with a person soon after. */
  want: string
  /** Who is asked for. */
  person: string
  /** Enough by themselves anywhere in the message; with "=" in front only as the whole message. */
  direct: string
  /** Words right after a person that make it something else: "human hair", "agent fees". */
  otherwise: string
}

export const personPhrases: Record<Language, PersonPhrases> = {
  en: {
    speak:
      'talk to|talk with|speak to|speak with|chat with|chat to|connect me to|connect me with|connect to|transfer me to|put me through to|forward me to|hand me over to|pass me to|pass me on to|put me in touch with|switch me to|get hold of|get me|escalate to|i would rather have',
    want: 'i want|i need|i would like|id like|i prefer|give me|get me|can i get|can i have|let me have|may i have|could i get',
    person:
      'human|human being|person|real person|someone|somebody|agent|live agent|representative|rep|operator|advisor|adviser|real human|employee|staff member|member of staff|colleague|supervisor|manager|support agent|customer support|customer service|consultant|actual person|human agent|anyone|real one|your team|support team|sales team|technician|mechanic|engineer|developer|expert|specialist|sales rep|salesperson|your staff|your people|your colleagues|your developers|your engineers|your experts|your mechanics|support staff|billing staff|staff',
    direct:
      'is there a real person|is there a human|contact a human|contact an agent|contact a person|reach a human|reach a person|reach an agent|get in touch with someone|get in touch with a person|get in touch with a human|call me back|call me please|call me now|call me today|call me tomorrow|call me later|call me asap|call me when|call me under|=please call me|=can you call me|=could you call me|=can you please call me|=can you call me please|give me a call|can someone call me|have someone call me|someone call me|call me at|call me on|phone me|ring me|=call me|=human|=agent|=live agent|=representative|=operator|=real person|=human please|=person please|=agent please|=live chat|=support|=a human|=a person|speak to a human|human support|live support please|can a human help|can a person help|let a human|want a callback|request a callback|need a callback|can someone contact me|please contact me|someone please contact me|stop talking to a bot|not a bot please|no bot please|i dont want to talk to a bot|someone real|somebody real|is anyone there|is there anybody there|is anybody there|can someone help me in person|one of your people|one of your staff|one of your team|one of your colleagues|somebody to talk to|someone to talk to|a human to help|a person to help|a real human',
    otherwise:
      'hair|resources|rights|body|error|fees|fee|page|name|account|responsible|in charge of|software|portal|form|program|programme|api|commission|who|whose|that',
  },
  de: {
    speak:
      'sprechen mit|reden mit|mit|verbinde mich mit|verbinden sie mich mit|weiterleiten an|kontakt zu|kontakt mit|chatten mit|leiten sie mich weiter an',
    needs:
      'sprechen|spreche|reden|rede|chatten|chatte|telefonieren|verbinde|verbinden|verbunden|weiterleiten|weitergeleitet|leiten|kontakt',
    want: 'ich will|ich mochte|ich brauche|ich hatte gerne|ich hatte gern|gib mir|geben sie mir|kann ich|ich wunsche|holen sie|hol mir',
    person:
      'mensch|menschen|echten menschen|person|echten person|jemandem|jemanden|mitarbeiter|mitarbeiterin|mitarbeitern|berater|beraterin|kundenberater|agent|agenten|ansprechpartner|kundendienst|kundenservice|support mitarbeiter|kollegen|kollegin|sachbearbeiter|vorgesetzten|chef|techniker|verkaufer|echter mensch',
    direct:
      'rufen sie mich an|ruf mich an|ruft mich an|bitte um ruckruf|ruckruf bitte|konnen sie mich anrufen|kannst du mich anrufen|rufen sie mich bitte|rufen sie mich zuruck|ruf mich zuruck|ich mochte einen ruckruf|ich wunsche einen ruckruf|=mensch|=mitarbeiter|=agent|=ruckruf|=berater|=echter mensch|=mensch bitte|=mitarbeiter bitte|kein roboter|keinen roboter|nicht mit einem bot|nicht mit einer maschine|ist da jemand|jemand echtes|kann mich jemand anrufen|kann sich jemand bei mir melden|melden sie sich bei mir|kontaktieren sie mich|mit jemandem sprechen|mit jemandem reden|mit einem menschen',
    otherwise: 'haar|haare|rabatt|daten|zahl|login|konto|werden|die|der|bin',
  },
  fr: {
    speak:
      'parler a|parler avec|discuter avec|parler au|contacter|joindre|mettre en relation avec|transferer a|transferez moi a|mettez moi en relation avec|echanger avec|passez moi|passe moi|avoir',
    want: 'je veux|je voudrais|jaimerais|jai besoin d|jai besoin de|donnez moi|puis je avoir|je souhaite|je prefere',
    person:
      'humain|un humain|etre humain|personne|vraie personne|quelquun|conseiller|conseillere|agent|operateur|representant|employe|responsable|service client|collegue|technicien|vendeur|vrai conseiller|interlocuteur|manager|superviseur|personne reelle|votre equipe',
    direct:
      'appelez moi|rappelez moi|appelle moi|rappelle moi|pouvez vous mappeler|pouvez vous me rappeler|merci de me rappeler|merci de mappeler|je souhaite etre rappele|je voudrais etre rappele|etre rappelee|=humain|=conseiller|=agent|=operateur|=un humain|=un conseiller|=un humain svp|=conseiller svp|pas un robot|pas a un robot|quelquun de reel|il y a quelquun|contactez moi|quelquun peut mappeler|quelquun peut il mappeler|parler a quelquun|un vrai humain|une vraie personne',
    otherwise: 'responsable|en charge|qui|chargee|morale|physique',
  },
  es: {
    speak:
      'hablar con|hablar a|chatear con|comunicarme con|comuniqueme con|contactar con|contactar a|pasame con|paseme con|pasarme con|conectame con|conecteme con|ponme con|pongame con|transferirme a|transfierame a|comunicame con|contacto con',
    want: 'quiero|quisiera|necesito|deseo|me gustaria|dame|deme|prefiero|puedo tener',
    person:
      'humano|un humano|ser humano|persona|persona real|alguien|agente|asesor|asesora|operador|operadora|representante|empleado|encargado|atencion al cliente|servicio al cliente|supervisor|gerente|tecnico|vendedor|companero|humano real|persona de verdad|vuestro equipo|su equipo',
    direct:
      'llamame|llameme|llamenme|me pueden llamar|me puede llamar|puedes llamarme|pueden llamarme|puede llamarme|devuelvame la llamada|que me llamen|quiero que me llamen|=humano|=agente|=operador|=asesor|=persona real|=humano por favor|=agente por favor|no un robot|no con un robot|alguien real|hay alguien ahi|contactenme|pongase en contacto conmigo|atencion humana|alguien de verdad',
    otherwise: 'responsable|encargada|que|fisica|juridica|a cargo',
  },
  it: {
    speak:
      'parlare con|parlare ad|parlare a|chattare con|contattare|mettermi in contatto con|mi metta in contatto con|passami|mi passi|collegami con|trasferiscimi a|in contatto con|comunicare con',
    want: 'voglio|vorrei|ho bisogno di|mi serve|desidero|preferisco|dammi|mi dia|posso avere',
    person:
      'umano|essere umano|persona|persona vera|persona reale|qualcuno|operatore|operatrice|agente|consulente|addetto|rappresentante|impiegato|assistenza clienti|servizio clienti|responsabile|collega|tecnico|venditore|vero operatore|operatore umano|vostro team',
    direct:
      'chiamatemi|chiamami|mi chiami|mi richiami|richiamatemi|richiamami|mi potete chiamare|potete chiamarmi|puoi chiamarmi|puo chiamarmi|potete richiamarmi|vorrei essere richiamato|vorrei essere richiamata|=operatore|=umano|=agente|=persona vera|=operatore per favore|=un operatore|non un robot|non con un robot|qualcuno di reale|ce qualcuno|contattatemi|mi contatti|qualcuno in carne e ossa',
    otherwise: 'responsabile|che|fisica|giuridica|incaricata',
  },
  pt: {
    speak:
      'falar com|conversar com|contactar|contatar|entrar em contato com|entrar em contacto com|me passa para|me passe para|passe me para|transferir para|me transfira para|me conecte com|me conecta com|ligar me a|teclar com',
    want: 'quero|queria|gostaria de|preciso de|desejo|prefiro|me de|da me|posso ter',
    person:
      'humano|ser humano|pessoa|pessoa real|pessoa de verdade|alguem|atendente|agente|operador|operadora|representante|funcionario|atendimento ao cliente|apoio ao cliente|assistente humano|consultor|vendedor|tecnico|gerente|supervisor|colega|atendimento humano|atendente humano|vossa equipa|sua equipe',
    direct:
      'me ligue|me liga|ligue me|liguem me|liga me|podem me ligar|pode me ligar|podem ligar me|pode ligar me|me liguem|me retorne a ligacao|quero que me liguem|=humano|=atendente|=agente|=operador|=atendente por favor|=humano por favor|=pessoa real|nao um robo|nao com um robo|alguem real|tem alguem ai|entrem em contato comigo|entre em contato comigo|contactem me|atendimento humano|alguem de verdade',
    otherwise: 'responsavel|que|fisica|juridica|encarregada',
  },
  nl: {
    speak:
      'praten met|spreken met|met|chatten met|verbind me met|verbind mij met|verbinden met|doorverbinden met|doorverbonden worden met|contact met|contact opnemen met|kan ik|mag ik|ik wil|ik wil graag',
    needs: 'praten|spreken|spreek|chatten|verbind|verbinden|doorverbinden|doorverbonden|contact|bellen',
    want: 'ik wil|ik wil graag|ik zou graag|ik heb liever|geef me|geef mij|ik heb nodig|kan ik|mag ik|ik wens',
    person:
      'mens|echt mens|echte persoon|persoon|iemand|medewerker|medewerkster|agent|adviseur|klantenservice|klantenservicemedewerker|vertegenwoordiger|collega|leidinggevende|manager|verkoper|monteur|echt persoon|echte medewerker|jullie team',
    direct:
      'bel me|bel mij|bel me terug|kunt u mij bellen|kun je me bellen|kunnen jullie me bellen|kunt u me bellen|kan iemand me bellen|kan iemand mij bellen|ik wil teruggebeld worden|graag teruggebeld worden|=mens|=medewerker|=agent|=een mens|=medewerker graag|=mens alsjeblieft|geen robot|niet met een robot|niet met een bot|iemand echt|is daar iemand|is er iemand|neem contact met mij op|neem contact met me op|iemand van vlees en bloed',
    otherwise: 'haar|die|verantwoordelijk|gegevens',
  },
  pl: {
    speak:
      'rozmawiac z|porozmawiac z|pogadac z|polacz mnie z|prosze polaczyc mnie z|polaczyc z|polaczyc sie z|skontaktowac sie z|skontaktowac z|kontakt z|przelacz mnie do|mowic z|polaczenie z|czatowac z|przekieruj mnie do',
    want: 'chce|chcialbym|chcialabym|potrzebuje|poprosze|prosze o|daj mi|wole',
    person:
      'czlowiekiem|czlowieka|czlowiek|prawdziwym czlowiekiem|osoba|prawdziwa osoba|kims|konsultantem|konsultanta|konsultantka|pracownikiem|pracownika|agentem|agenta|doradca|doradcy|obsluga klienta|biurem obslugi|przedstawicielem|operatorem|kierownikiem|specjalista|zywym czlowiekiem|sprzedawca',
    direct:
      'zadzwon do mnie|zadzwoncie do mnie|prosze do mnie zadzwonic|prosze o telefon|prosze zadzwonic do mnie|czy mozecie do mnie zadzwonic|czy moze ktos do mnie zadzwonic|mozecie do mnie oddzwonic|prosze o kontakt telefoniczny|oddzwoncie|prosze oddzwonic|=konsultant|=czlowiek|=agent|=pracownik|=konsultant prosze|=konsultanta|nie z robotem|nie z botem|czy jest tam ktos|ktos prawdziwy|skontaktujcie sie ze mna|prosze sie ze mna skontaktowac|prosze o kontakt z konsultantem',
    otherwise: 'odpowiedzialna|odpowiedzialny|ktory|ktora|kontaktowa',
  },
  sv: {
    speak:
      'prata med|tala med|snacka med|chatta med|koppla mig till|koppla mig vidare till|kopplas till|fa kontakt med|kontakta|komma i kontakt med|kontakt med',
    want: 'jag vill ha|jag behover|jag onskar|jag vill|ge mig|kan jag fa|far jag|jag foredrar|jag skulle vilja ha',
    person:
      'manniska|en manniska|person|riktig person|riktig manniska|nagon|agent|handlaggare|medarbetare|kundtjanst|kundservice|representant|radgivare|operator|chef|saljare|tekniker|kollega|er personal|levande person',
    direct:
      'ring mig|ring upp mig|kan ni ringa mig|kan du ringa mig|kan nagon ringa mig|kan ni ringa upp mig|jag vill bli uppringd|bli uppringd|=manniska|=agent|=handlaggare|=kundtjanst tack|=en manniska tack|inte en robot|inte med en robot|inte en bot|nagon riktig|ar det nagon dar|finns det nagon dar|kontakta mig|hor av er till mig',
    otherwise: 'ansvarig|som|har|uppgifter',
  },
  da: {
    speak:
      'tale med|snakke med|chatte med|stil mig om til|stille mig om til|forbind mig med|forbind mig til|viderestil mig til|fa fat i|kontakte|komme i kontakt med|kontakt med|kontakt til',
    want: 'jeg vil have|jeg vil gerne have|jeg har brug for|jeg onsker|giv mig|kan jeg fa|ma jeg fa|jeg foretraekker|jeg skal bruge',
    person:
      'menneske|et menneske|person|rigtig person|rigtigt menneske|nogen|agent|medarbejder|kundeservice|konsulent|radgiver|repraesentant|operator|chef|saelger|tekniker|kollega|jeres team|levende menneske|en fra jer',
    direct:
      'ring til mig|ring mig op|kan i ringe til mig|kan du ringe til mig|kan nogen ringe til mig|kan i ringe mig op|vil i ringe til mig|jeg vil gerne ringes op|ringes op|=menneske|=agent|=medarbejder|=et menneske tak|=medarbejder tak|ikke en robot|ikke med en robot|ikke en bot|en rigtig person|er der nogen|kontakt mig|skriv til mig',
    otherwise: 'ansvarlig|som|har|oplysninger',
  },
  tr: {
    speak: '',
    want: '',
    person: '',
    direct:
      'insanla gorus|bir insanla|insanla konus|gercek bir insan|gercek biriyle|gercek kisiyle|gercek bir kisiyle|biriyle konus|biriyle gorus|temsilciyle|temsilci ile|temsilciye bagla|musteri temsilcisi|yetkiliyle|yetkili ile|yetkili biriyle|bir yetkili|operatore bagla|operatorle|canli destek|canli temsilci|insana bagla|beni birine bagla|danismanla|beni arayin|beni ara|beni arar misiniz|beni arayabilir misiniz|beni arar misin|geri arayin|geri arama istiyorum|=temsilci|=insan|=operator|=canli destek|robotla degil|botla degil|robot istemiyorum|kimse var mi|benimle iletisime gecin|calisaninizla',
    otherwise: '',
  },
  ar: {
    speak: '',
    want: '',
    person: '',
    direct:
      'التحدث مع شخص|التحدث الي شخص|التحدث مع انسان|التحدث الي انسان|التحدث مع موظف|التحدث الي موظف|التحدث مع احد|اتحدث مع شخص|اتحدث الي شخص|اتحدث مع موظف|اتحدث مع انسان|اتكلم مع شخص|اتكلم مع موظف|اتكلم مع احد|اكلم موظف|اكلم شخص|اكلم احد|التكلم مع موظف|التكلم مع شخص|شخص حقيقي|انسان حقيقي|موظف خدمه العملاء|ممثل خدمه العملاء|التواصل مع موظف|التواصل مع شخص|حولني الي موظف|حولني الي شخص|وصلني بموظف|وصلني بشخص|موظف بشري|وكيل بشري|الدعم البشري|اتصل بي|اتصلوا بي|هل يمكنكم الاتصال بي|الاتصال بي|كلموني|=موظف|=انسان|=شخص حقيقي|لا اريد روبوت|ليس روبوت|هل من احد هنا|هل يوجد احد|تواصلوا معي|تواصل معي|معاوده الاتصال بي',
    otherwise: '',
  },
  ru: {
    speak:
      'поговорить с|говорить с|общаться с|пообщаться с|связаться с|соедините с|соедините меня с|соедини с|соедини меня с|переключите на|переключи на|переключите меня на|переключи меня на|переведите на|переведи на|связать с|свяжите с|свяжите меня с|разговор с|чат с|позовите|позови',
    want: 'хочу|мне нужен|мне нужна|нужен|нужна|дайте|дай|хотел бы|хотела бы|требую|можно',
    person:
      'человеком|живым человеком|человека|живого человека|человек|живой человек|оператором|оператора|оператор|менеджером|менеджера|менеджер|специалистом|специалиста|специалист|сотрудником|сотрудника|сотрудник|консультантом|консультанта|консультант|кем то|представителем|поддержкои|службои поддержки|агентом|администратором|продавцом|реальным человеком|кем нибудь',
    direct:
      'позвоните мне|позвони мне|перезвоните мне|перезвони мне|перезвоните пожалуиста|можете мне позвонить|можете позвонить мне|можете перезвонить|закажу обратныи звонок|хочу обратныи звонок|закажите обратныи звонок|=оператор|=человек|=менеджер|=оператора|=живои человек|=оператор пожалуиста|=позовите оператора|не с роботом|не с ботом|не хочу говорить с ботом|есть кто живои|есть кто нибудь|свяжитесь со мнои|кто нибудь реальныи',
    otherwise: 'ответственныи|которыи|отвечает|отвечающии',
  },
  zh: {
    speak: '',
    want: '',
    person: '',
    direct:
      '转人工|轉人工|人工客服|人工服务|人工服務|真人客服|找人工|要人工|找真人|接人工|转接人工|轉接人工|转客服|轉客服|找客服|联系客服|聯繫客服|联系人工|和真人|跟真人|与真人|跟人说话|和人说话|跟人聊|和人聊|跟人談|和客服|跟客服|与客服|给我打电话|給我打電話|打电话给我|打電話給我|请打给我|回电话给我|回電給我|给我回电|請回電|请回电|=人工|=客服|=真人|不要机器人|不想跟机器人|不想和机器人|不想跟機器人|有真人吗|有真人嗎|有人工吗|叫人来|找个人|找你们经理|找你们的经理|联系我|聯絡我|聯繫我',
    otherwise: '',
  },
  ja: {
    speak: '',
    want: '',
    person: '',
    direct:
      '人と話|人間と話|人間に繋|人間につな|オペレーターと話|オペレーターに繋|オペレーターにつな|オペレーターをお願い|オペレータ|担当者と話|担当者に繋|担当者につな|担当者をお願い|担当の方と|担当者と連絡|スタッフと話|スタッフに繋|スタッフにつな|係の人|誰かと話|有人対応|有人チャット|有人のサポート|人に代わ|人間に代わ|担当者に代わ|電話してください|電話をください|電話ください|電話して欲しい|電話してほしい|お電話ください|お電話いただけ|お電話をいただけ|折り返し電話|折り返しお電話|折り返しご連絡|折り返しの電話|=人間|=オペレーター|=担当者|=人間と話したい|ロボットじゃなく|ボットじゃなく|ロボットではなく|ボットではなく|誰かいますか|連絡してください|連絡をください|ご連絡ください|ご連絡をお願い|人間の方と|カスタマーサポートと話|サポートの人と話|本物の人',
    otherwise: '',
  },
}
