import type { Partially, ThreadTexts } from '../texts-type.ts'

// The name comes last, since it can be “Io”, which would need another verb form.
export const thread: Partially<ThreadTexts> = {
  requested: {
    visitor_request: 'Il visitatore ha chiesto di parlare con una persona',
    low_confidence: 'Il bot non ha potuto aiutare e ha richiesto un operatore',
    rule: 'Il visitatore ha usato una parola chiave per il passaggio',
  },
  asked: 'Passaggio richiesto',
  visitorEnded: 'Il visitatore è tornato al bot',
  taken_over: (who) => `Presa in carico: ${who}`,
  handed_back: (who) => `Restituita al bot: ${who}`,
  assigned: (who, name) => `Assegnata a ${name}: ${who}`,
  assignedSelf: (who) => `Autoassegnata: ${who}`,
  assignedBySetting: (name) => `Assegnazione automatica: ${name}`,
  unassigned: (who) => `Assegnazione rimossa: ${who}`,
  resolved: (who) => `Risolta: ${who}`,
  reopened: (who) => `Riaperta: ${who}`,
  snoozed: (who, until) => `Posticipata fino a ${until}: ${who}`,
  woken: (who) => `Ripresa: ${who}`,
  tagged: (who, tag) => `Etichetta ${tag} aggiunta: ${who}`,
  untagged: (who, tag) => `Etichetta ${tag} rimossa: ${who}`,
  noteOf: (name) => `Nota: ${name}`,
  fixAbout: 'Questa risposta proviene dai contenuti. Correggerla lì, oppure scrivere una risposta propria qui sotto.',
  correctPassage: (title) => `Correggi il brano di «${title}»`,
  country: 'Paese (dal fuso orario o dalla lingua)',
  timezone: 'Fuso orario',
  referrer: 'Provenienza',
  device: 'Dispositivo',
  devices: { desktop: 'Computer', phone: 'Telefono', tablet: 'Tablet' },
  pages: 'Pagine di questa chat',
  unprovenDetails: 'Dichiarato dalla pagina (non verificato)',
}
