// Texts of notifications, in the bot's language or else in English.
import type { NotificationType, TeamLanguage } from '@docent/contract'

interface NotificationWords {
  heading: Record<NotificationType, (what: { who: string | null; minutes: number }) => string>
  /** Subject of a message about several events. */
  several: (counts: Record<NotificationType, number>) => string
  more: (count: number) => string
  reason: Record<'visitor_request' | 'low_confidence' | 'rule', string>
  label: Record<'name' | 'email' | 'phone' | 'message' | 'page' | 'reason', string>
  open: string
  settings: string
  test: string
  testAbout: string
}

const en: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `New lead: ${who}` : 'New lead'),
    'handover.requested': () => 'A visitor asked for a person',
    'handover.waiting': ({ minutes }) =>
      `A visitor has been waiting for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'new lead', 'new leads'),
      countOf(counts['handover.requested'], 'request for a person', 'requests for a person'),
      countOf(counts['handover.waiting'], 'waiting visitor', 'waiting visitors'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `And ${count} more.`,
  reason: {
    visitor_request: 'The visitor asked for a person.',
    low_confidence: 'The bot couldn’t answer two questions in a row.',
    rule: 'The message contains one of your keywords.',
  },
  label: { name: 'Name', email: 'Email', phone: 'Phone', message: 'Message', page: 'Page', reason: 'Reason' },
  open: 'Open the conversation',
  settings: 'Notification settings',
  test: 'Test notification',
  testAbout: 'This channel works. No action is needed.',
}

const de: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Neuer Lead: ${who}` : 'Neuer Lead'),
    'handover.requested': () => 'Ein Besucher möchte mit einer Person sprechen',
    'handover.waiting': ({ minutes }) =>
      `Ein Besucher wartet seit ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'neuer Lead', 'neue Leads'),
      countOf(counts['handover.requested'], 'Übergabewunsch', 'Übergabewünsche'),
      countOf(counts['handover.waiting'], 'wartender Besucher', 'wartende Besucher'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `Und ${count} weitere.`,
  reason: {
    visitor_request: 'Der Besucher hat nach einer Person gefragt.',
    low_confidence: 'Der Bot konnte zweimal hintereinander nicht antworten.',
    rule: 'Die Nachricht enthält eines Ihrer Stichwörter.',
  },
  label: { name: 'Name', email: 'E-Mail', phone: 'Telefon', message: 'Nachricht', page: 'Seite', reason: 'Grund' },
  open: 'Gespräch öffnen',
  settings: 'Benachrichtigungen einstellen',
  test: 'Testbenachrichtigung',
  testAbout: 'Dieser Kanal funktioniert. Sie müssen nichts tun.',
}

const fr: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Nouveau lead : ${who}` : 'Nouveau lead'),
    'handover.requested': () => 'Un visiteur demande à parler à une personne',
    'handover.waiting': ({ minutes }) =>
      `Un visiteur attend depuis ${minutes === 1 ? 'une minute' : `${minutes} minutes`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'nouveau lead', 'nouveaux leads'),
      countOf(counts['handover.requested'], 'demande de transfert', 'demandes de transfert'),
      countOf(counts['handover.waiting'], 'visiteur en attente', 'visiteurs en attente'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `Et ${count} de plus.`,
  reason: {
    visitor_request: 'Le visiteur a demandé à parler à une personne.',
    low_confidence: 'Le bot n’a pas pu répondre deux fois de suite.',
    rule: 'Le message contient l’un de vos mots-clés.',
  },
  label: { name: 'Nom', email: 'E-mail', phone: 'Téléphone', message: 'Message', page: 'Page', reason: 'Motif' },
  open: 'Ouvrir la conversation',
  settings: 'Paramètres des notifications',
  test: 'Notification de test',
  testAbout: 'Ce canal fonctionne. Aucune action n’est nécessaire.',
}

const es: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Nuevo lead: ${who}` : 'Nuevo lead'),
    'handover.requested': () => 'Un visitante pide hablar con una persona',
    'handover.waiting': ({ minutes }) =>
      `Un visitante espera desde hace ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'lead nuevo', 'leads nuevos'),
      countOf(counts['handover.requested'], 'solicitud de traspaso', 'solicitudes de traspaso'),
      countOf(counts['handover.waiting'], 'visitante en espera', 'visitantes en espera'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `Y ${count} más.`,
  reason: {
    visitor_request: 'El visitante ha pedido hablar con una persona.',
    low_confidence: 'El bot no ha podido responder dos veces seguidas.',
    rule: 'El mensaje contiene una de sus palabras clave.',
  },
  label: {
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    message: 'Mensaje',
    page: 'Página',
    reason: 'Motivo',
  },
  open: 'Abrir la conversación',
  settings: 'Configuración de notificaciones',
  test: 'Notificación de prueba',
  testAbout: 'Este canal funciona. No es necesario hacer nada.',
}

const it: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Nuovo lead: ${who}` : 'Nuovo lead'),
    'handover.requested': () => 'Un visitatore chiede di parlare con una persona',
    'handover.waiting': ({ minutes }) =>
      `Un visitatore è in attesa da ${minutes === 1 ? 'un minuto' : `${minutes} minuti`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'nuovo lead', 'nuovi lead'),
      countOf(counts['handover.requested'], 'richiesta di un operatore', 'richieste di un operatore'),
      countOf(counts['handover.waiting'], 'visitatore in attesa', 'visitatori in attesa'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `E altri ${count}.`,
  reason: {
    visitor_request: 'Il visitatore ha chiesto di parlare con una persona.',
    low_confidence: 'Il bot non è riuscito a rispondere due volte di seguito.',
    rule: 'Il messaggio contiene una delle parole chiave configurate.',
  },
  label: { name: 'Nome', email: 'Email', phone: 'Telefono', message: 'Messaggio', page: 'Pagina', reason: 'Motivo' },
  open: 'Apri la conversazione',
  settings: 'Impostazioni delle notifiche',
  test: 'Notifica di prova',
  testAbout: 'Questo canale funziona. Non è richiesta alcuna azione.',
}

const pt: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Novo lead: ${who}` : 'Novo lead'),
    'handover.requested': () => 'Um visitante pede para falar com uma pessoa',
    'handover.waiting': ({ minutes }) =>
      `Um visitante está à espera há ${minutes === 1 ? 'um minuto' : `${minutes} minutos`}`,
  },
  several: (counts) =>
    [
      countOf(counts['lead.created'], 'novo lead', 'novos leads'),
      countOf(counts['handover.requested'], 'pedido de transferência', 'pedidos de transferência'),
      countOf(counts['handover.waiting'], 'visitante à espera', 'visitantes à espera'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `E mais ${count}.`,
  reason: {
    visitor_request: 'O visitante pediu para falar com uma pessoa.',
    low_confidence: 'O bot não conseguiu responder duas vezes seguidas.',
    rule: 'A mensagem contém uma das suas palavras-chave.',
  },
  label: { name: 'Nome', email: 'E-mail', phone: 'Telefone', message: 'Mensagem', page: 'Página', reason: 'Motivo' },
  open: 'Abrir a conversa',
  settings: 'Configurações de notificações',
  test: 'Notificação de teste',
  testAbout: 'Este canal funciona. Nenhuma ação é necessária.',
}

const byLanguage: Record<TeamLanguage, NotificationWords> = { en, de, fr, es, it, pt }

export function notificationWords(language: string): NotificationWords {
  return Object.hasOwn(byLanguage, language) ? byLanguage[language as TeamLanguage] : byLanguage.en
}

function countOf(count: number, one: string, several: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : several}`
}
