import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import type { IdentityTexts } from '../texts-type.ts'

export const identity: IdentityTexts = {
  title: 'Angemeldete Besucher',
  about: 'Ihre Website sagt dem Bot, wer ihre angemeldeten Nutzer sind: mit einer Signatur, die niemand fälschen kann.',
  keys: 'Identitätsschlüssel',
  keysAbout:
    'Ihr Server signiert mit einem Schlüssel, wer der Besucher ist. Um einen Schlüssel zu ersetzen, erstellen Sie den zweiten, signieren damit und löschen den ersten, wenn er nicht mehr verwendet wird.',
  create: 'Neuer Schlüssel',
  full: `Ein Bot kann ${IDENTITY_KEYS_PER_BOT} Schlüssel haben. Löschen Sie einen, um einen anderen zu erstellen.`,
  emptyTitle: 'Noch kein Schlüssel',
  emptyAbout: 'Erstellen Sie einen und bewahren Sie ihn auf Ihrem Server auf, nie in einer Seite.',
  madeTitle: 'Ihr neuer Identitätsschlüssel',
  key: 'Schlüssel',
  keyId: 'Schlüssel-ID (kid)',
  created: 'Erstellt',
  used: 'Zuletzt verwendet',
  unused: 'Noch nicht verwendet',
  deleteKey: 'Löschen',
  deleteTitle: 'Diesen Schlüssel löschen?',
  deleteAbout: (id) =>
    `Besucher mit Token, die mit ${id} signiert sind, gelten sofort als anonym, bis Ihr Server mit einem anderen Schlüssel signiert.`,
  deleted: 'Schlüssel gelöscht.',
  rules: 'Anforderungen',
  rulesAbout: 'Wofür Besucher angemeldet sein müssen.',
  requireForActions: 'Aktionen',
  requireForActionsHint:
    'Für Besucher, die nicht angemeldet sind, läuft keine Aktion, auch keine, die alle verwenden dürfen.',
  requireForChat: 'Der ganze Chat',
  requireForChatHint:
    'Andere werden gebeten, sich auf Ihrer Website anzumelden. Testbereich und Chat-API sind nicht betroffen.',
  noKey: 'Erstellen Sie zuerst einen Schlüssel: Ohne ihn kann niemand den Chat benutzen.',
  sign: 'Auf Ihrem Server signieren',
  signAbout:
    'Ein Token nennt einen Nutzer und gilt höchstens 24 Stunden. Erstellen Sie bei jedem Seitenaufruf ein neues.',
  embed: 'Token an das Widget übergeben',
  embedAbout: 'In der Seite, die Ihr Server für den Nutzer ausliefert, oder später aus einem Skript.',
  guide: 'Anleitung lesen',
  levels: { anonymous: 'Anonym', claimed: 'Nicht verifiziert', verified: 'Verifiziert' },
  levelHints: {
    anonymous: '',
    claimed: 'Diese Angaben stammen vom Besucher. Niemand hat sie geprüft.',
    verified: 'Ihre Website hat nachgewiesen, wer dieser Besucher ist.',
  },
  level: 'Identität',
  phone: 'Telefon',
  verifiedDetails: 'Von Ihrer Website bestätigt',
  verifiedAt: 'Verifiziert',
}
