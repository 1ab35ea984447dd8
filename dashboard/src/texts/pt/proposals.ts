import type { Partially, ProposalTexts } from '../texts-type.ts'

export const proposals: Partially<ProposalTexts> = {
  add: 'Adicionar ao conhecimento',
  added: 'Proposta',
  addedDone: 'Proposta. Um editor decide em Conhecimento, Respostas redigidas.',
  title: (count) => (count === '1' ? '1 resposta proposta' : `${count} respostas propostas`),
  about: 'A partir de respostas da sua equipe. Depois de aprovadas, o bot passa a usá-las.',
  by: (name) => `por ${name}`,
  conversation: 'Conversa',
  noQuestion: 'Falta a pergunta',
  review: 'Analisar',
  reject: 'Recusar',
  rejected: 'Recusada.',
  approve: 'Aprovar resposta',
  approved: 'Aprovada. O bot passa a usá-la.',
  approvedShort: 'Aprovada',
  approveTitle: 'Aprovar esta resposta',
}
