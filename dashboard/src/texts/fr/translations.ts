import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import type { Partially, TranslationTexts } from '../texts-type.ts'

export const translations: Partially<TranslationTexts> = {
  title: 'Autres langues',
  about:
    'Message d’accueil, questions suggérées, message de repli, ainsi que les boutons et questions de vos parcours, pour les visiteurs qui utilisent une autre langue.',
  add: 'Ajouter une langue',
  addPlaceholder: 'Choisir une langue',
  remove: (language) => `Retirer : ${language}`,
  complete: 'Tous les textes sont rédigés',
  missing: (texts) => `Il manque : ${texts.join(', ')}`,
  parts: {
    greeting: 'message d’accueil',
    questions: 'questions',
    fallback: 'message de repli',
    buttons: 'boutons',
    handover: 'questions avant un transfert',
  },
  button: (label) => `Bouton « ${label} »`,
  buttonAsks: (label) => `Ce que demande « ${label} »`,
  handover: (label) => `Question avant un transfert : ${label}`,
  choices: (label) => `Choix : ${label}`,
  choicesHint: (options) => `Un par ligne, dans cet ordre : ${options.join(', ')}`,
  choicesCount: (count) =>
    count < 2 ? `Écrivez ${count} ligne, une par choix.` : `Écrivez ${count} lignes, une par choix.`,
  greetingInstead: (language) =>
    `Si ce champ est vide, les visiteurs voient le message d’accueil ci-dessus s’il est en ${language}, sinon le message intégré dans cette langue.`,
  questionsInstead: (language) =>
    `Une par ligne, ${BUTTONS_PER_PLACE} au maximum. Si ce champ est vide, les visiteurs voient les questions ci-dessus si elles sont en ${language}, sinon aucune.`,
  fallbackInstead: (language) =>
    `Si ce champ est vide, les visiteurs reçoivent le message des paramètres généraux s’il est en ${language}, sinon le message intégré dans cette langue.`,
}
