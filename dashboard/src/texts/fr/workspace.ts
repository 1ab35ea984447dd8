import { INVITATION_DAYS } from '@docent/contract/limits'
import type { Partially, Texts } from '../texts-type.ts'

export const members: Partially<Texts['members']> = {
  title: 'Membres',
  about: 'Les personnes de cet espace de travail et leurs rôles.',
  invite: 'Inviter un membre',
  submit: 'Envoyer l’invitation',
  emptyTitle: 'Aucun membre',
  emptyAbout: 'Les personnes que vous invitez apparaissent ici une fois l’invitation acceptée.',
  role: 'Rôle',
  roles: { owner: 'Propriétaire', editor: 'Éditeur', agent: 'Agent', viewer: 'Lecteur' },
  roleHints: {
    owner: 'Accès complet, y compris aux membres et à la suppression',
    editor: 'Gère les bots, connaissances, clés et webhooks',
    agent: 'Répond aux visiteurs',
    viewer: 'Accès en lecture seule',
  },
  invited: 'Invitation créée',
  invitedAbout: `Transmettez ce lien à la personne. Il est valable ${INVITATION_DAYS} jours.`,
  invitedSent: 'Il a aussi été envoyé par e-mail.',
  pendingTitle: 'Invitations en attente',
  expires: (when) => `expire ${when}`,
  withdraw: 'Annuler l’invitation',
  withdrawn: 'Invitation annulée',
  resetLink: 'Créer un lien de réinitialisation',
  newResetLink: 'Lien de réinitialisation du mot de passe',
  resetLinkAbout: 'Transmettez-le à la personne. Il fonctionne une seule fois, pendant une heure.',
  changeEmail: 'Modifier l’e-mail',
  changeEmailAbout:
    'Cette personne se connecte avec cette adresse. Elle est déconnectée partout, ses jetons sont révoqués et l’authentification unique est dissociée.',
  twoFactor: 'authentification à deux facteurs',
  turnOffTwoFactor: 'Désactiver l’authentification à deux facteurs',
  turnOffTwoFactorTitle: (name) => `Désactiver l’authentification à deux facteurs pour ${name} ?`,
  turnOffTwoFactorAbout:
    'Pour les membres qui ont perdu à la fois leur téléphone et leurs codes de récupération. Assurez-vous que la demande vient bien d’eux. Ils sont déconnectés partout et se connectent avec leur seul mot de passe jusqu’à une nouvelle configuration.',
  twoFactorOff: 'L’authentification à deux facteurs est désactivée, et le membre est déconnecté.',
  remove: 'Retirer',
  removeTitle: (name) => `Retirer ${name} ?`,
  removeAbout:
    'Cette personne perd immédiatement l’accès à cet espace de travail. Ses jetons, ainsi que les liens et jetons qu’elle a créés pour d’autres, cessent de fonctionner.',
  you: 'vous',
}

export const usage: Partially<Texts['usage']> = {
  title: 'Utilisation',
  limits: 'Limites',
  plan: 'Formule',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'API de chat',
  included: 'Incluse',
  notIncluded: 'Nécessite la formule Business ou Enterprise',
  dailyLimit: 'Appels par clé et par jour',
  today: 'Aujourd’hui (UTC)',
  calls: (count) => (count === '0' || count === '1' ? `${count} appel` : `${count} appels`),
  keyCount: (count) => (count < 2 ? `${count} clé` : `${count} clés`),
  noKeys: 'Aucune clé',
  changeAbout: 'Défini par le propriétaire de l’instance.',
}

export const audit: Partially<Texts['audit']> = {
  title: 'Journal d’audit',
  about: 'Qui a fait quoi, du plus récent au plus ancien.',
  emptyTitle: 'Aucune entrée',
  emptyAbout: 'Les connexions et les modifications des membres, clés, webhooks et paramètres sont consignées ici.',
  action: 'Action',
  target: 'Cible',
  actor: 'Qui',
  ip: 'Adresse IP',
}

export const instance: Partially<Texts['instance']> = {
  title: 'Instance',
  about: 'Tous les espaces de travail de cette instance.',
  create: 'Nouvel espace de travail',
  submit: 'Créer l’espace de travail',
  created: 'Espace de travail créé',
  edit: 'Modifier l’espace de travail',
  limit: 'Appels par clé et par jour',
  limitHint: (limit) => `Laissez vide pour la valeur par défaut de ${limit}.`,
  total: 'Appels par jour, toutes clés confondues',
  totalHint: 'Pour tout l’espace de travail. Laissez vide pour aucune limite.',
  limitShown: (limit) => `${limit === '0' || limit === '1' ? `${limit} appel` : `${limit} appels`} par clé et par jour`,
  switchTo: 'Passer à cet espace',
  emptyTitle: 'Aucun espace de travail',
  emptyAbout: 'Chaque espace de travail a ses propres bots et membres.',
}
