import type { ThreadTexts } from '../texts-type.ts'

export const thread: ThreadTexts = {
  requested: {
    visitor_request: 'Der Besucher wollte mit einem Menschen sprechen',
    low_confidence: 'Der Bot konnte nicht helfen und hat die Übergabe angefragt',
    rule: 'Der Besucher hat ein Stichwort für die Übergabe verwendet',
  },
  asked: 'Übergabe angefragt',
  visitorEnded: 'Der Besucher kehrte zum Bot zurück',
  taken_over: (who) => `Übernommen: ${who}`,
  handed_back: (who) => `An den Bot zurückgegeben: ${who}`,
  assigned: (who, name) => `Zugewiesen an ${name}: ${who}`,
  assignedSelf: (who) => `Sich selbst zugewiesen: ${who}`,
  assignedBySetting: (name) => `Automatisch zugewiesen: ${name}`,
  unassigned: (who) => `Zuweisung aufgehoben: ${who}`,
  resolved: (who) => `Erledigt: ${who}`,
  reopened: (who) => `Wieder geöffnet: ${who}`,
  snoozed: (who, until) => `Zurückgestellt bis ${until}: ${who}`,
  woken: (who) => `Zurückstellung beendet: ${who}`,
  tagged: (who, tag) => `Schlagwort ${tag} hinzugefügt: ${who}`,
  untagged: (who, tag) => `Schlagwort ${tag} entfernt: ${who}`,
  noteOf: (name) => `Notiz: ${name}`,
  fixAbout:
    'Diese Antwort stammt aus Ihren Inhalten. Korrigieren Sie sie dort, oder schreiben Sie unten eine eigene Antwort.',
  correctPassage: (title) => `Textabschnitt in „${title}“ korrigieren`,
  country: 'Land (nach Zeitzone oder Sprache)',
  timezone: 'Zeitzone',
  referrer: 'Kam von',
  device: 'Gerät',
  devices: { desktop: 'Computer', phone: 'Telefon', tablet: 'Tablet' },
  pages: 'Seiten in diesem Chat',
  unprovenDetails: 'Von der Seite angegeben (nicht geprüft)',
}
