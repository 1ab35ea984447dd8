import { INVITATION_DAYS } from '@docent/contract/limits'
import type { Texts } from '../texts-type.ts'

export const members: Texts['members'] = {
  title: 'Mitglieder',
  about: 'Personen in diesem Arbeitsbereich und ihre Rollen.',
  invite: 'Mitglied einladen',
  submit: 'Einladung senden',
  emptyTitle: 'Noch keine Mitglieder',
  emptyAbout: 'Eingeladene Personen erscheinen hier, sobald sie die Einladung annehmen.',
  role: 'Rolle',
  roles: { owner: 'Inhaber', editor: 'Bearbeiter', agent: 'Agent', viewer: 'Betrachter' },
  roleHints: {
    owner: 'Voller Zugriff, auch auf Mitglieder und das Löschen',
    editor: 'Verwaltet Bots, Wissen, Schlüssel und Webhooks',
    agent: 'Antwortet Besuchern',
    viewer: 'Nur Lesezugriff',
  },
  invited: 'Einladung erstellt',
  invitedAbout: `Geben Sie diesen Link an die Person weiter. Er gilt ${INVITATION_DAYS} Tage.`,
  invitedSent: 'Er wurde auch per E-Mail gesendet.',
  pendingTitle: 'Ausstehende Einladungen',
  expires: (when) => `läuft ab ${when}`,
  withdraw: 'Zurückziehen',
  withdrawn: 'Einladung zurückgezogen',
  resetLink: 'Link zum Zurücksetzen des Passworts erstellen',
  newResetLink: 'Link zum Zurücksetzen des Passworts',
  resetLinkAbout: 'Geben Sie ihn an die Person weiter. Er funktioniert einmal und gilt eine Stunde.',
  changeEmail: 'E-Mail-Adresse ändern',
  changeEmailAbout:
    'Die Person meldet sich damit an. Sie wird überall abgemeldet, ihre Token und Single Sign-on enden.',
  twoFactor: 'Zwei-Faktor-Authentifizierung',
  turnOffTwoFactor: 'Zwei-Faktor-Authentifizierung deaktivieren',
  turnOffTwoFactorTitle: (name) => `Zwei-Faktor-Authentifizierung für ${name} deaktivieren?`,
  turnOffTwoFactorAbout:
    'Für Mitglieder ohne Smartphone und Codes. Prüfen Sie, ob die Anfrage von dieser Person kommt. Sie wird überall abgemeldet und braucht dann nur ihr Passwort.',
  twoFactorOff: 'Die Zwei-Faktor-Authentifizierung ist deaktiviert, und das Mitglied wurde abgemeldet.',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeAbout: 'Die Person verliert sofort den Zugriff, auch mit Token und Links.',
  you: 'Sie',
}

export const usage: Texts['usage'] = {
  title: 'Nutzung',
  limits: 'Limits',
  plan: 'Tarif',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'Chat-API',
  included: 'Enthalten',
  notIncluded: 'In den Tarifen Business und Enterprise enthalten',
  dailyLimit: 'Aufrufe pro Schlüssel und Tag',
  today: 'Heute (UTC)',
  calls: (count) => (count === '1' ? '1 Aufruf' : `${count} Aufrufe`),
  keyCount: (count) => (count === 1 ? '1 Schlüssel' : `${count} Schlüssel`),
  noKeys: 'Keine Schlüssel',
  changeAbout: 'Legt der Inhaber der Instanz fest.',
}

export const audit: Texts['audit'] = {
  title: 'Audit-Log',
  about: 'Wer was getan hat, neueste Einträge zuerst.',
  emptyTitle: 'Noch keine Einträge',
  emptyAbout:
    'Hier werden Anmeldungen und Änderungen an Mitgliedern, Schlüsseln, Webhooks und Einstellungen protokolliert.',
  action: 'Aktion',
  target: 'Betrifft',
  actor: 'Wer',
  ip: 'IP-Adresse',
}

export const instance: Texts['instance'] = {
  title: 'Instanz',
  about: 'Alle Arbeitsbereiche dieser Instanz.',
  create: 'Neuer Arbeitsbereich',
  submit: 'Arbeitsbereich erstellen',
  created: 'Arbeitsbereich erstellt',
  edit: 'Arbeitsbereich bearbeiten',
  limit: 'Aufrufe pro Schlüssel und Tag',
  limitHint: (limit) => `Leer lassen für den Standardwert ${limit}.`,
  total: 'Aufrufe pro Tag, alle Schlüssel',
  totalHint: 'Für den ganzen Arbeitsbereich. Leer: kein Limit.',
  limitShown: (limit) => `${limit} Aufrufe pro Schlüssel und Tag`,
  switchTo: 'Zum Arbeitsbereich wechseln',
  emptyTitle: 'Keine Arbeitsbereiche',
  emptyAbout: 'Jeder Arbeitsbereich hat eigene Bots und Mitglieder.',
}
