import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import type { IdentityTexts, Partially } from '../texts-type.ts'

export const identity: Partially<IdentityTexts> = {
  title: 'Visitatori connessi',
  about: 'Il sito web comunica al bot chi sono gli utenti connessi, con una firma che nessuno può falsificare.',
  keys: 'Chiavi di identità',
  keysAbout:
    'Il server usa una chiave per firmare l’identità del visitatore. Per sostituire una chiave, creare la seconda, firmare con quella ed eliminare la prima quando non è più in uso.',
  create: 'Nuova chiave',
  full: `Un bot può avere ${IDENTITY_KEYS_PER_BOT} chiavi. Eliminarne una per crearne un’altra.`,
  emptyTitle: 'Ancora nessuna chiave',
  emptyAbout: 'Crearne una e conservarla sul server, mai in una pagina.',
  madeTitle: 'La nuova chiave di identità',
  key: 'Chiave',
  keyId: 'ID della chiave (kid)',
  created: 'Creata',
  used: 'Ultimo utilizzo',
  unused: 'Mai utilizzata',
  deleteKey: 'Elimina',
  deleteTitle: 'Eliminare questa chiave?',
  deleteAbout: (id) =>
    `I visitatori con token firmati con ${id} diventano subito anonimi, finché il server non firma con un’altra chiave.`,
  deleted: 'Chiave eliminata.',
  rules: 'Requisiti',
  rulesAbout: 'Per che cosa i visitatori devono essere connessi.',
  requireForActions: 'Azioni',
  requireForActionsHint: 'Nessuna azione viene eseguita per i visitatori non connessi, nemmeno quelle aperte a tutti.',
  requireForChat: 'L’intera chat',
  requireForChatHint:
    'Agli altri viene chiesto di accedere sul sito web. L’area di prova e l’API di chat non sono interessate.',
  noKey: 'Creare prima una chiave: senza, nessuno può usare la chat.',
  sign: 'Firma sul server',
  signAbout:
    'Un token indica un solo utente e vale al massimo 24 ore. Crearne uno nuovo a ogni visualizzazione di pagina.',
  embed: 'Consegna del token al widget',
  embedAbout: 'Nella pagina che il server genera per l’utente, o più tardi da uno script.',
  guide: 'Leggi la guida',
  levels: { anonymous: 'Anonimo', claimed: 'Non verificato', verified: 'Verificato' },
  levelHints: {
    anonymous: '',
    claimed: 'Questi dati li ha forniti il visitatore. Nessuno li ha verificati.',
    verified: 'Il sito web ha dimostrato chi è questo visitatore.',
  },
  level: 'Identità',
  phone: 'Telefono',
  verifiedDetails: 'Verificato dal sito web',
  verifiedAt: 'Verificato',
}
