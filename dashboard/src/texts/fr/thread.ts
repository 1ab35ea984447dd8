import type { Partially, ThreadTexts } from '../texts-type.ts'

// The name comes last, since it can be “Vous”, which would need another verb form.
export const thread: Partially<ThreadTexts> = {
  requested: {
    visitor_request: 'Le visiteur a demandé à parler à une personne',
    low_confidence: 'Le bot n’a pas pu aider et a demandé un agent',
    rule: 'Le visiteur a utilisé un mot-clé de transfert',
  },
  asked: 'Transfert demandé',
  visitorEnded: 'Le visiteur est revenu au bot',
  taken_over: (who) => `Relais pris : ${who}`,
  handed_back: (who) => `Conversation rendue au bot : ${who}`,
  assigned: (who, name) => `Attribuée à ${name} : ${who}`,
  assignedSelf: (who) => `Prise en charge : ${who}`,
  assignedBySetting: (name) => `Attribution automatique : ${name}`,
  unassigned: (who) => `Attribution retirée : ${who}`,
  resolved: (who) => `Résolue : ${who}`,
  reopened: (who) => `Rouverte : ${who}`,
  snoozed: (who, until) => `Mise en veille jusqu’au ${until} : ${who}`,
  woken: (who) => `Sortie de veille : ${who}`,
  tagged: (who, tag) => `Étiquette ${tag} ajoutée : ${who}`,
  untagged: (who, tag) => `Étiquette ${tag} retirée : ${who}`,
  noteOf: (name) => `Note : ${name}`,
  fixAbout:
    'Cette réponse vient de votre contenu. Corrigez-la à la source, ou rédigez votre propre réponse ci-dessous.',
  correctPassage: (title) => `Corriger le passage de « ${title} »`,
  country: 'Pays (d’après le fuseau horaire ou la langue)',
  timezone: 'Fuseau horaire',
  referrer: 'Provenance',
  device: 'Appareil',
  devices: { desktop: 'Ordinateur', phone: 'Téléphone', tablet: 'Tablette' },
  pages: 'Pages de cette discussion',
  unprovenDetails: 'Indiqué par la page (non vérifié)',
}
