import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import type { IdentityTexts, Partially } from '../texts-type.ts'

export const identity: Partially<IdentityTexts> = {
  title: 'Visiteurs connectés',
  about:
    'Laissez votre site web indiquer au bot qui sont ses utilisateurs connectés, avec une signature infalsifiable.',
  keys: 'Clés d’identité',
  keysAbout:
    'Votre serveur utilise une clé pour signer l’identité du visiteur. Pour remplacer une clé, créez la seconde, signez avec celle-ci et supprimez la première quand elle n’est plus utilisée.',
  create: 'Nouvelle clé',
  full: `Un bot peut avoir ${IDENTITY_KEYS_PER_BOT} clés. Supprimez-en une pour en créer une autre.`,
  emptyTitle: 'Aucune clé',
  emptyAbout: 'Créez-en une et gardez-la sur votre serveur, jamais dans une page.',
  madeTitle: 'Votre nouvelle clé d’identité',
  key: 'Clé',
  keyId: 'ID de la clé (kid)',
  created: 'Créée',
  used: 'Dernière utilisation',
  unused: 'Pas encore utilisée',
  deleteKey: 'Supprimer',
  deleteTitle: 'Supprimer cette clé ?',
  deleteAbout: (id) =>
    `Les visiteurs dont le jeton est signé avec ${id} deviennent aussitôt anonymes, jusqu’à ce que votre serveur signe avec une autre clé.`,
  deleted: 'Clé supprimée.',
  rules: 'Exigences',
  rulesAbout: 'Ce qui requiert que les visiteurs soient connectés.',
  requireForActions: 'Les actions',
  requireForActionsHint:
    'Aucune action ne s’exécute pour les visiteurs non connectés, même celles ouvertes à tout le monde.',
  requireForChat: 'Tout le chat',
  requireForChatHint:
    'Les autres sont invités à se connecter sur votre site web. Le bac à sable et l’API de chat ne sont pas concernés.',
  noKey: 'Créez d’abord une clé : sans elle, personne ne peut utiliser le chat.',
  sign: 'Signer sur votre serveur',
  signAbout:
    'Un jeton désigne un seul utilisateur et reste valable 24 heures au maximum. Créez-en un nouveau à chaque affichage de page.',
  embed: 'Transmettre le jeton au widget',
  embedAbout: 'Dans la page que votre serveur génère pour l’utilisateur, ou plus tard depuis un script.',
  guide: 'Lire le guide',
  levels: { anonymous: 'Anonyme', claimed: 'Non vérifié', verified: 'Vérifié' },
  levelHints: {
    anonymous: '',
    claimed: 'Le visiteur a fourni ces informations. Personne ne les a vérifiées.',
    verified: 'Votre site web a prouvé l’identité de ce visiteur.',
  },
  level: 'Identité',
  phone: 'Téléphone',
  verifiedDetails: 'Vérifié par votre site web',
  verifiedAt: 'Vérifié',
}
