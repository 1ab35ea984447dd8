import type { Partially, ProposalTexts } from '../texts-type.ts'

export const proposals: Partially<ProposalTexts> = {
  add: 'Ajouter aux connaissances',
  added: 'Proposée',
  addedDone: 'Réponse proposée. Un éditeur en décide sous Connaissances, Réponses rédigées.',
  title: (count) => (count === '0' || count === '1' ? `${count} réponse proposée` : `${count} réponses proposées`),
  about: 'Tirées des réponses de votre équipe. Le bot les utilise dès que vous les approuvez.',
  by: (name) => `par ${name}`,
  conversation: 'Conversation',
  noQuestion: 'Question encore manquante',
  review: 'Examiner',
  reject: 'Refuser',
  rejected: 'Réponse refusée.',
  approve: 'Approuver la réponse',
  approved: 'Réponse approuvée. Le bot l’utilise désormais.',
  approvedShort: 'Approuvée',
  approveTitle: 'Approuver cette réponse',
}
