import { INVITATION_DAYS } from '@docent/contract/limits'
import type { Partially, Texts } from '../texts-type.ts'

export const members: Partially<Texts['members']> = {
  title: 'Membros',
  about: 'As pessoas deste espaço de trabalho e as suas funções.',
  invite: 'Convidar membro',
  submit: 'Enviar convite',
  emptyTitle: 'Ainda sem membros',
  emptyAbout: 'As pessoas convidadas aparecem aqui quando aceitarem.',
  role: 'Função',
  roles: { owner: 'Proprietário', editor: 'Editor', agent: 'Agente', viewer: 'Leitor' },
  roleHints: {
    owner: 'Acesso total, incluindo membros e eliminação',
    editor: 'Gestão de bots, conhecimento, chaves e webhooks',
    agent: 'Responde aos visitantes',
    viewer: 'Acesso só de leitura',
  },
  invited: 'Convite criado',
  invitedAbout: `Envie este link à pessoa. É válido por ${INVITATION_DAYS} dias.`,
  invitedSent: 'Também foi enviado por e-mail.',
  pendingTitle: 'Convites pendentes',
  expires: (when) => `expira ${when}`,
  withdraw: 'Retirar',
  withdrawn: 'Convite retirado',
  resetLink: 'Criar link para redefinir a senha',
  newResetLink: 'Link para redefinir a senha',
  resetLinkAbout: 'Envie-o à pessoa. Funciona uma vez, dentro de uma hora.',
  changeEmail: 'Alterar e-mail',
  changeEmailAbout:
    'É o endereço do login da pessoa. As sessões são encerradas em todos os dispositivos, os tokens são revogados e a autenticação única é desvinculada.',
  twoFactor: 'autenticação de dois fatores',
  turnOffTwoFactor: 'Desativar autenticação de dois fatores',
  turnOffTwoFactorTitle: (name) => `Desativar a autenticação de dois fatores de ${name}?`,
  turnOffTwoFactorAbout:
    'Para membros que perderam o telefone e os códigos de recuperação. Confirme que o pedido vem mesmo da pessoa. As sessões são encerradas em todos os dispositivos e o login passa a ser feito só com a senha, até nova configuração.',
  twoFactorOff: 'A autenticação de dois fatores está desativada e as sessões do membro foram encerradas.',
  remove: 'Remover',
  removeTitle: (name) => `Remover ${name}?`,
  removeAbout:
    'A pessoa perde de imediato o acesso a este espaço de trabalho. Os seus tokens, e os links e tokens que criou para outros, deixam de funcionar.',
  you: 'você',
}

export const usage: Partially<Texts['usage']> = {
  title: 'Utilização',
  limits: 'Limites',
  plan: 'Plano',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'API de chat',
  included: 'Incluída',
  notIncluded: 'Requer o plano Business ou Enterprise',
  dailyLimit: 'Chamadas por chave e dia',
  today: 'Hoje (UTC)',
  calls: (count) => (count === '1' ? '1 chamada' : `${count} chamadas`),
  keyCount: (count) => (count === 1 ? '1 chave' : `${count} chaves`),
  noKeys: 'Sem chaves',
  changeAbout: 'Definido pelo proprietário da instância.',
}

export const audit: Partially<Texts['audit']> = {
  title: 'Histórico de auditoria',
  about: 'Quem fez o quê, do mais recente ao mais antigo.',
  emptyTitle: 'Ainda sem entradas',
  emptyAbout: 'Logins e alterações em membros, chaves, webhooks e configurações aparecem aqui.',
  action: 'Ação',
  target: 'Alvo',
  actor: 'Quem',
  ip: 'Endereço IP',
}

export const instance: Partially<Texts['instance']> = {
  title: 'Instância',
  about: 'Todos os espaços de trabalho desta instância.',
  create: 'Novo espaço de trabalho',
  submit: 'Criar espaço de trabalho',
  created: 'Espaço de trabalho criado',
  edit: 'Editar espaço de trabalho',
  limit: 'Chamadas por chave e dia',
  limitHint: (limit) => `Deixe vazio para o padrão de ${limit}.`,
  total: 'Chamadas por dia, todas as chaves',
  totalHint: 'Para todo o espaço de trabalho. Deixe vazio para não limitar.',
  limitShown: (limit) => `${limit === '1' ? '1 chamada' : `${limit} chamadas`} por chave e dia`,
  switchTo: 'Mudar para o espaço de trabalho',
  emptyTitle: 'Nenhum espaço de trabalho',
  emptyAbout: 'Cada espaço de trabalho tem os seus próprios bots e membros.',
}
