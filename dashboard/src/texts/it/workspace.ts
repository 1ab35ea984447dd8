import { INVITATION_DAYS } from '@docent/contract/limits'
import type { Partially, Texts } from '../texts-type.ts'

export const members: Partially<Texts['members']> = {
  title: 'Membri',
  about: 'Le persone di quest’area di lavoro e i loro ruoli.',
  invite: 'Invita membro',
  submit: 'Invia invito',
  emptyTitle: 'Ancora nessun membro',
  emptyAbout: 'Le persone invitate compaiono qui dopo aver accettato.',
  role: 'Ruolo',
  roles: { owner: 'Proprietario', editor: 'Editor', agent: 'Operatore', viewer: 'Visualizzatore' },
  roleHints: {
    owner: 'Accesso completo, inclusi membri ed eliminazione',
    editor: 'Gestisce bot, conoscenze, chiavi e webhook',
    agent: 'Risponde ai visitatori',
    viewer: 'Accesso in sola lettura',
  },
  invited: 'Invito creato',
  invitedAbout: `Inviare questo link alla persona. È valido per ${INVITATION_DAYS} giorni.`,
  invitedSent: 'È stato inviato anche per email.',
  pendingTitle: 'Inviti in sospeso',
  expires: (when) => `scade ${when}`,
  withdraw: 'Ritira',
  withdrawn: 'Invito ritirato',
  resetLink: 'Crea link per reimpostare la password',
  newResetLink: 'Link per reimpostare la password',
  resetLinkAbout: 'Inviarlo alla persona. Funziona una sola volta, entro un’ora.',
  changeEmail: 'Modifica email',
  changeEmailAbout:
    'La persona accede con questo indirizzo. Viene disconnessa ovunque, i suoi token vengono revocati e il Single Sign-On viene scollegato.',
  twoFactor: 'autenticazione a due fattori',
  turnOffTwoFactor: 'Disattiva autenticazione a due fattori',
  turnOffTwoFactorTitle: (name) => `Disattivare l’autenticazione a due fattori per ${name}?`,
  turnOffTwoFactorAbout:
    'Per i membri che hanno perso sia il telefono sia i codici di recupero. Verificare che la richiesta provenga davvero da loro. Vengono disconnessi ovunque e accedono con la sola password finché non la configurano di nuovo.',
  twoFactorOff: 'L’autenticazione a due fattori è disattivata e il membro è disconnesso.',
  remove: 'Rimuovi',
  removeTitle: (name) => `Rimuovere ${name}?`,
  removeAbout:
    'La persona perde subito l’accesso a quest’area di lavoro. I suoi token, e i link e i token che ha creato per altri, smettono di funzionare.',
  you: 'io',
}

export const usage: Partially<Texts['usage']> = {
  title: 'Utilizzo',
  limits: 'Limiti',
  plan: 'Piano',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'API di chat',
  included: 'Inclusa',
  notIncluded: 'Richiede il piano Business o Enterprise',
  dailyLimit: 'Chiamate per chiave e giorno',
  today: 'Oggi (UTC)',
  calls: (count) => (count === '1' ? '1 chiamata' : `${count} chiamate`),
  keyCount: (count) => (count === 1 ? '1 chiave' : `${count} chiavi`),
  noKeys: 'Nessuna chiave',
  changeAbout: 'Impostato dal proprietario dell’istanza.',
}

export const audit: Partially<Texts['audit']> = {
  title: 'Registro di audit',
  about: 'Chi ha fatto che cosa, dal più recente.',
  emptyTitle: 'Ancora nessuna voce',
  emptyAbout: 'Qui vengono registrati gli accessi e le modifiche a membri, chiavi, webhook e impostazioni.',
  action: 'Azione',
  target: 'Oggetto',
  actor: 'Chi',
  ip: 'Indirizzo IP',
}

export const instance: Partially<Texts['instance']> = {
  title: 'Istanza',
  about: 'Tutte le aree di lavoro di questa istanza.',
  create: 'Nuova area di lavoro',
  submit: 'Crea area di lavoro',
  created: 'Area di lavoro creata',
  edit: 'Modifica area di lavoro',
  limit: 'Chiamate per chiave e giorno',
  limitHint: (limit) => `Lasciare vuoto per il valore predefinito di ${limit}.`,
  total: 'Chiamate al giorno, tutte le chiavi',
  totalHint: 'Per l’intera area di lavoro. Lasciare vuoto per nessun limite.',
  limitShown: (limit) => `${limit === '1' ? '1 chiamata' : `${limit} chiamate`} per chiave e giorno`,
  switchTo: 'Passa a quest’area',
  emptyTitle: 'Nessuna area di lavoro',
  emptyAbout: 'Ogni area di lavoro ha i propri bot e membri.',
}
