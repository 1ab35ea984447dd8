// What the bot says when its sources hold no answer, formal and casual.
import type { Language } from './languages.ts'
import type { Tone } from './small-talk-replies.ts'

export interface FallbackSentences {
  /** Nothing fitting found. */
  noAnswer: string
  /** Names the page that comes nearest. */
  closestPage: string
  /** Tells how to reach the company, by an address or a number from its own pages. */
  reachUs: string
  /** Offers a person. */
  offerPerson: string
  /** A person has been asked to take over. */
  handedOver: string
  /** No person is there now; asks for an address or a number. */
  leaveContact: string
  /** An address or a number was left. */
  contactNoted: string
}

export const fallbackSentences: Record<Language, Record<Tone, FallbackSentences>> = {
  en: {
    formal: {
      noAnswer: 'I have found no answer to that in my sources.',
      closestPage: 'The closest page I have is {page}.',
      reachUs: 'You can reach us here: {contact}.',
      offerPerson: 'Would you like to speak to a person?',
      handedOver: 'I have passed your conversation on. A member of our team will reply here.',
      leaveContact:
        'Nobody is available right now. Please leave your e-mail address or phone number, and we will get back to you.',
      contactNoted: 'Thank you, I have noted that. We will get back to you.',
    },
    casual: {
      noAnswer: 'I couldn’t find anything on that in my sources.',
      closestPage: 'The closest page I have is {page}.',
      reachUs: 'You can reach us here: {contact}.',
      offerPerson: 'Want to talk to a human?',
      handedOver: 'I’ve passed this on. Someone from the team will answer here.',
      leaveContact: 'Nobody’s around right now. Leave your e-mail or phone number and we’ll get back to you.',
      contactNoted: 'Got it, thanks! We’ll be in touch.',
    },
  },
  de: {
    formal: {
      noAnswer: 'Dazu habe ich in meinen Quellen keine Antwort gefunden.',
      closestPage: 'Am ehesten passt diese Seite: {page}.',
      reachUs: 'So erreichen Sie uns: {contact}.',
      offerPerson: 'Möchten Sie mit einem Menschen sprechen?',
      handedOver: 'Ich habe Ihr Gespräch weitergegeben. Jemand aus unserem Team antwortet Ihnen hier.',
      leaveContact:
        'Im Moment ist niemand erreichbar. Hinterlassen Sie bitte Ihre E-Mail-Adresse oder Telefonnummer, wir melden uns bei Ihnen.',
      contactNoted: 'Vielen Dank, das ist notiert. Wir melden uns bei Ihnen.',
    },
    casual: {
      noAnswer: 'Dazu habe ich in meinen Quellen nichts gefunden.',
      closestPage: 'Am ehesten passt diese Seite: {page}.',
      reachUs: 'So erreichst du uns: {contact}.',
      offerPerson: 'Möchtest du mit einem Menschen reden?',
      handedOver: 'Ich habe das weitergegeben. Jemand aus dem Team antwortet dir hier.',
      leaveContact: 'Gerade ist niemand da. Lass deine E-Mail-Adresse oder Telefonnummer hier, wir melden uns.',
      contactNoted: 'Danke, ist notiert! Wir melden uns.',
    },
  },
  fr: {
    formal: {
      noAnswer: 'Je n’ai pas trouvé de réponse à cela dans mes sources.',
      closestPage: 'La page la plus proche est {page}.',
      reachUs: 'Vous pouvez nous joindre ici : {contact}.',
      offerPerson: 'Souhaitez-vous parler à une personne ?',
      handedOver: 'J’ai transmis votre conversation. Un membre de notre équipe vous répondra ici.',
      leaveContact:
        'Personne n’est disponible pour le moment. Laissez votre adresse e-mail ou votre numéro de téléphone, nous vous recontacterons.',
      contactNoted: 'Merci, c’est noté. Nous vous recontacterons.',
    },
    casual: {
      noAnswer: 'Je n’ai rien trouvé là-dessus dans mes sources.',
      closestPage: 'La page la plus proche est {page}.',
      reachUs: 'Tu peux nous joindre ici : {contact}.',
      offerPerson: 'Tu veux parler à quelqu’un ?',
      handedOver: 'C’est transmis. Quelqu’un de l’équipe te répond ici.',
      leaveContact: 'Il n’y a personne pour l’instant. Laisse ton e-mail ou ton numéro et on te recontacte.',
      contactNoted: 'C’est noté, merci ! On te recontacte.',
    },
  },
  es: {
    formal: {
      noAnswer: 'No he encontrado respuesta a eso en mis fuentes.',
      closestPage: 'La página más cercana que tengo es {page}.',
      reachUs: 'Puede contactarnos aquí: {contact}.',
      offerPerson: '¿Desea hablar con una persona?',
      handedOver: 'He trasladado su conversación. Alguien de nuestro equipo le responderá aquí.',
      leaveContact:
        'Ahora mismo no hay nadie disponible. Deje su correo electrónico o su teléfono y nos pondremos en contacto con usted.',
      contactNoted: 'Gracias, queda anotado. Nos pondremos en contacto con usted.',
    },
    casual: {
      noAnswer: 'No encuentro nada sobre eso en mis fuentes.',
      closestPage: 'La página más cercana que tengo es {page}.',
      reachUs: 'Puedes contactarnos aquí: {contact}.',
      offerPerson: '¿Quieres hablar con una persona?',
      handedOver: 'Ya lo he pasado. Alguien del equipo te contestará aquí.',
      leaveContact: 'Ahora no hay nadie. Déjame tu correo o tu teléfono y te escribimos.',
      contactNoted: '¡Anotado, gracias! Te diremos algo.',
    },
  },
  it: {
    formal: {
      noAnswer: 'Non ho trovato una risposta nelle mie fonti.',
      closestPage: 'La pagina più vicina che ho è {page}.',
      reachUs: 'Può contattarci qui: {contact}.',
      offerPerson: 'Desidera parlare con una persona?',
      handedOver: 'Ho inoltrato la conversazione. Qualcuno del nostro team le risponderà qui.',
      leaveContact:
        'Al momento non c’è nessuno disponibile. Lasci il suo indirizzo e-mail o numero di telefono e la ricontatteremo.',
      contactNoted: 'Grazie, ho preso nota. La ricontatteremo.',
    },
    casual: {
      noAnswer: 'Non ho trovato niente su questo nelle mie fonti.',
      closestPage: 'La pagina più vicina che ho è {page}.',
      reachUs: 'Puoi contattarci qui: {contact}.',
      offerPerson: 'Vuoi parlare con una persona?',
      handedOver: 'Ho passato tutto al team. Qualcuno ti risponde qui.',
      leaveContact: 'Adesso non c’è nessuno. Lascia la tua e-mail o il tuo numero e ti ricontattiamo.',
      contactNoted: 'Segnato, grazie! Ci sentiamo.',
    },
  },
  pt: {
    formal: {
      noAnswer: 'Não encontrei resposta para isso nas minhas fontes.',
      closestPage: 'A página mais próxima que tenho é {page}.',
      reachUs: 'Pode contactar-nos aqui: {contact}.',
      offerPerson: 'Gostaria de falar com uma pessoa?',
      handedOver: 'Encaminhei a sua conversa. Alguém da nossa equipa responderá aqui.',
      leaveContact: 'Neste momento não há ninguém disponível. Deixe o seu e-mail ou telefone e entraremos em contato.',
      contactNoted: 'Obrigado, está anotado. Entraremos em contato.',
    },
    casual: {
      noAnswer: 'Não achei nada sobre isso nas minhas fontes.',
      closestPage: 'A página mais próxima que tenho é {page}.',
      reachUs: 'Pode contactar-nos aqui: {contact}.',
      offerPerson: 'Quer falar com uma pessoa?',
      handedOver: 'Já passei para a equipe. Alguém responde por aqui.',
      leaveContact: 'Não tem ninguém agora. Deixe seu e-mail ou telefone que a gente retorna.',
      contactNoted: 'Anotado, obrigado! A gente retorna.',
    },
  },
  nl: {
    formal: {
      noAnswer: 'Daarop heb ik in mijn bronnen geen antwoord gevonden.',
      closestPage: 'De pagina die er het dichtst bij komt is {page}.',
      reachUs: 'U bereikt ons hier: {contact}.',
      offerPerson: 'Wilt u met een medewerker spreken?',
      handedOver: 'Ik heb uw gesprek doorgegeven. Iemand van ons team antwoordt u hier.',
      leaveContact:
        'Er is nu niemand beschikbaar. Laat uw e-mailadres of telefoonnummer achter, dan nemen wij contact met u op.',
      contactNoted: 'Dank u, het is genoteerd. Wij nemen contact met u op.',
    },
    casual: {
      noAnswer: 'Daar kan ik in mijn bronnen niets over vinden.',
      closestPage: 'De pagina die er het dichtst bij komt is {page}.',
      reachUs: 'Je bereikt ons hier: {contact}.',
      offerPerson: 'Wil je met een mens praten?',
      handedOver: 'Ik heb het doorgegeven. Iemand van het team antwoordt je hier.',
      leaveContact: 'Er is nu even niemand. Laat je e-mail of telefoonnummer achter, dan hoor je van ons.',
      contactNoted: 'Genoteerd, dank je! Je hoort van ons.',
    },
  },
  pl: {
    formal: {
      noAnswer: 'Nie udało mi się znaleźć na to odpowiedzi w moich źródłach.',
      closestPage: 'Najbliższa temu strona to {page}.',
      reachUs: 'Można się z nami skontaktować: {contact}.',
      offerPerson: 'Czy chcą Państwo porozmawiać z pracownikiem?',
      handedOver: 'Rozmowa została przekazana. Odpowie tutaj osoba z naszego zespołu.',
      leaveContact:
        'W tej chwili nikt nie jest dostępny. Prosimy zostawić adres e-mail lub numer telefonu, odezwiemy się.',
      contactNoted: 'Dziękuję, zapisane. Odezwiemy się.',
    },
    casual: {
      noAnswer: 'Nic o tym nie ma w moich źródłach.',
      closestPage: 'Najbliższa temu strona to {page}.',
      reachUs: 'Można się z nami skontaktować: {contact}.',
      offerPerson: 'Chcesz pogadać z człowiekiem?',
      handedOver: 'Przekazane. Ktoś z zespołu odpisze ci tutaj.',
      leaveContact: 'Teraz nikogo nie ma. Zostaw e-mail lub numer telefonu, odezwiemy się.',
      contactNoted: 'Zapisane, dzięki! Odezwiemy się.',
    },
  },
  sv: {
    formal: {
      noAnswer: 'Jag har inte hittat något svar på det i mina källor.',
      closestPage: 'Den närmaste sidan jag har är {page}.',
      reachUs: 'Du når oss här: {contact}.',
      offerPerson: 'Vill ni tala med en medarbetare?',
      handedOver: 'Jag har lämnat över samtalet. Någon från vårt team svarar här.',
      leaveContact: 'Just nu är ingen tillgänglig. Lämna gärna e-postadress eller telefonnummer, så återkommer vi.',
      contactNoted: 'Tack, det är noterat. Vi återkommer.',
    },
    casual: {
      noAnswer: 'Jag hittar inget om det i mina källor.',
      closestPage: 'Den närmaste sidan jag har är {page}.',
      reachUs: 'Du når oss här: {contact}.',
      offerPerson: 'Vill du prata med en människa?',
      handedOver: 'Jag har skickat vidare det. Någon i teamet svarar dig här.',
      leaveContact: 'Ingen är här just nu. Lämna din e-post eller ditt nummer så hör vi av oss.',
      contactNoted: 'Noterat, tack! Vi hör av oss.',
    },
  },
  da: {
    formal: {
      noAnswer: 'Det har jeg ikke fundet noget svar på i mine kilder.',
      closestPage: 'Den nærmeste side, jeg har, er {page}.',
      reachUs: 'De kan kontakte os her: {contact}.',
      offerPerson: 'Ønsker De at tale med en medarbejder?',
      handedOver: 'Jeg har givet samtalen videre. En fra vores team svarer her.',
      leaveContact: 'Der er ingen til stede lige nu. Skriv Deres e-mail eller telefonnummer, så vender vi tilbage.',
      contactNoted: 'Tak, det er noteret. Vi vender tilbage.',
    },
    casual: {
      noAnswer: 'Det kan jeg ikke finde noget om i mine kilder.',
      closestPage: 'Den nærmeste side, jeg har, er {page}.',
      reachUs: 'Du kan kontakte os her: {contact}.',
      offerPerson: 'Vil du snakke med et menneske?',
      handedOver: 'Jeg har givet det videre. En fra teamet svarer dig her.',
      leaveContact: 'Der er ingen lige nu. Skriv din e-mail eller dit nummer, så vender vi tilbage.',
      contactNoted: 'Noteret, tak! Du hører fra os.',
    },
  },
  tr: {
    formal: {
      noAnswer: 'Kaynaklarımda bunun bir yanıtını bulamadım.',
      closestPage: 'Bulduğum en yakın sayfa: {page}.',
      reachUs: 'Bize şuradan ulaşabilirsiniz: {contact}.',
      offerPerson: 'Bir yetkiliyle görüşmek ister misiniz?',
      handedOver: 'Görüşmenizi ilettim. Ekibimizden biri size buradan yanıt verecek.',
      leaveContact:
        'Şu anda kimse müsait değil. E-posta adresinizi veya telefon numaranızı bırakırsanız size dönüş yaparız.',
      contactNoted: 'Teşekkürler, not aldım. Size dönüş yapacağız.',
    },
    casual: {
      noAnswer: 'Kaynaklarımda bununla ilgili bir şey bulamadım.',
      closestPage: 'Bulduğum en yakın sayfa: {page}.',
      reachUs: 'Bize şuradan ulaşabilirsin: {contact}.',
      offerPerson: 'Bir insanla konuşmak ister misin?',
      handedOver: 'İlettim. Ekipten biri sana buradan yazacak.',
      leaveContact: 'Şu an kimse yok. E-postanı ya da numaranı bırak, sana dönelim.',
      contactNoted: 'Not aldım, sağ ol! Sana döneceğiz.',
    },
  },
  ar: {
    formal: {
      noAnswer: 'لم أجد إجابة عن ذلك في مصادري.',
      closestPage: 'أقرب صفحة لديّ هي {page}.',
      reachUs: 'يمكنك التواصل معنا هنا: {contact}.',
      offerPerson: 'هل ترغبون في التحدث مع أحد الموظفين؟',
      handedOver: 'لقد حوّلت محادثتكم. سيرد عليكم هنا أحد أفراد فريقنا.',
      leaveContact: 'لا يوجد أحد متاح الآن. يرجى ترك بريدكم الإلكتروني أو رقم هاتفكم وسنتواصل معكم.',
      contactNoted: 'شكرًا لكم، تم تسجيل ذلك. سنتواصل معكم.',
    },
    casual: {
      noAnswer: 'لم أجد شيئًا عن هذا في مصادري.',
      closestPage: 'أقرب صفحة لديّ هي {page}.',
      reachUs: 'يمكنك التواصل معنا هنا: {contact}.',
      offerPerson: 'هل تريد التحدث مع شخص؟',
      handedOver: 'حوّلت الأمر. سيرد عليك أحد من الفريق هنا.',
      leaveContact: 'لا أحد هنا الآن. اترك بريدك أو رقمك وسنعود إليك.',
      contactNoted: 'سجلت ذلك، شكرًا! سنعود إليك.',
    },
  },
  ru: {
    formal: {
      noAnswer: 'В моих источниках ответа на это не нашлось.',
      closestPage: 'Ближайшая по теме страница: {page}.',
      reachUs: 'С нами можно связаться: {contact}.',
      offerPerson: 'Хотите поговорить с сотрудником?',
      handedOver: 'Я передал Ваш разговор. Наш сотрудник ответит Вам здесь.',
      leaveContact: 'Сейчас никого нет на месте. Оставьте адрес почты или номер телефона, и мы свяжемся с Вами.',
      contactNoted: 'Спасибо, записано. Мы свяжемся с Вами.',
    },
    casual: {
      noAnswer: 'В моих источниках про это ничего нет.',
      closestPage: 'Ближайшая по теме страница: {page}.',
      reachUs: 'С нами можно связаться: {contact}.',
      offerPerson: 'Хочешь поговорить с человеком?',
      handedOver: 'Передал дальше. Кто-то из команды ответит тебе здесь.',
      leaveContact: 'Сейчас никого нет. Оставь почту или телефон, и мы напишем.',
      contactNoted: 'Записал, спасибо! Мы свяжемся.',
    },
  },
  zh: {
    formal: {
      noAnswer: '很抱歉，我的资料中没有找到相关答案。',
      closestPage: '最接近的页面是 {page}。',
      reachUs: '您可以在这里联系我们：{contact}。',
      offerPerson: '您需要与工作人员沟通吗？',
      handedOver: '已为您转接，我们的工作人员会在这里回复您。',
      leaveContact: '目前没有工作人员在线。请留下您的邮箱或电话，我们会与您联系。',
      contactNoted: '谢谢，已记录。我们会与您联系。',
    },
    casual: {
      noAnswer: '这个我在资料里没找到。',
      closestPage: '最接近的页面是 {page}。',
      reachUs: '你可以在这里联系我们：{contact}。',
      offerPerson: '要和真人聊聊吗？',
      handedOver: '已经转过去了，会有同事在这里回复你。',
      leaveContact: '现在没人在。留个邮箱或电话吧，我们会联系你。',
      contactNoted: '记下了，谢谢！我们会联系你。',
    },
  },
  ja: {
    formal: {
      noAnswer: '申し訳ございません。手元の情報には該当する答えが見つかりませんでした。',
      closestPage: '最も近いページはこちらです：{page}',
      reachUs: 'お問い合わせはこちらまでお願いいたします：{contact}',
      offerPerson: '担当者とお話しになりますか。',
      handedOver: '担当者に引き継ぎました。こちらでお返事いたします。',
      leaveContact:
        'ただいま担当者が不在です。メールアドレスまたは電話番号をお知らせいただければ、こちらからご連絡いたします。',
      contactNoted: 'ありがとうございます。承りました。こちらからご連絡いたします。',
    },
    casual: {
      noAnswer: 'ごめんね、手元の情報には見つからなかったよ。',
      closestPage: '最も近いページはこちらです：{page}',
      reachUs: '問い合わせはこちら：{contact}',
      offerPerson: '人と話してみる？',
      handedOver: '引き継いだよ。チームの誰かがここで返事するね。',
      leaveContact: '今は誰もいないんだ。メールか電話番号を残してくれたら、こちらから連絡するね。',
      contactNoted: 'メモしたよ、ありがとう！連絡するね。',
    },
  },
}

/** What a page calls the place where it tells how to reach the company. */
export const contactWords: Record<Language, string> = {
  en: 'contact us support e-mail phone',
  de: 'Kontakt E-Mail Telefon erreichen',
  fr: 'contact e-mail téléphone joindre',
  es: 'contacto correo teléfono',
  it: 'contatti e-mail telefono',
  pt: 'contacto contato e-mail telefone',
  nl: 'contact e-mail telefoon bereiken',
  pl: 'kontakt e-mail telefon',
  sv: 'kontakt e-post telefon',
  da: 'kontakt e-mail telefon',
  tr: 'iletişim e-posta telefon',
  ar: 'اتصل بنا البريد الهاتف',
  ru: 'контакты почта телефон связаться',
  zh: '联系 邮箱 电话',
  ja: 'お問い合わせ メール 電話',
}
