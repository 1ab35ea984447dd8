import { IDENTITY_KEYS_PER_BOT } from '@docent/contract/limits'
import type { IdentityTexts, Partially } from '../texts-type.ts'

export const identity: Partially<IdentityTexts> = {
  title: 'Visitantes com sessão iniciada',
  about: 'O seu site pode informar ao bot quem tem sessão iniciada, com uma assinatura que ninguém pode falsificar.',
  keys: 'Chaves de identidade',
  keysAbout:
    'O seu servidor usa uma chave para assinar quem é o visitante. Para substituir uma chave, crie a segunda, assine com ela e apague a primeira quando deixar de ser usada.',
  create: 'Nova chave',
  full: `Um bot pode ter ${IDENTITY_KEYS_PER_BOT} chaves. Apague uma para criar outra.`,
  emptyTitle: 'Ainda sem chave',
  emptyAbout: 'Crie uma e guarde-a no seu servidor, nunca numa página.',
  madeTitle: 'A sua nova chave de identidade',
  key: 'Chave',
  keyId: 'ID da chave (kid)',
  created: 'Criada',
  used: 'Último uso',
  unused: 'Ainda não usada',
  deleteKey: 'Apagar',
  deleteTitle: 'Apagar esta chave?',
  deleteAbout: (id) =>
    `Visitantes com tokens assinados com ${id} passam de imediato a anônimos, até que o seu servidor assine com outra chave.`,
  deleted: 'Chave apagada.',
  rules: 'Requisitos',
  rulesAbout: 'O que exige que os visitantes tenham sessão iniciada.',
  requireForActions: 'Ações',
  requireForActionsHint:
    'Nenhuma ação é executada para visitantes sem sessão iniciada, nem mesmo as ações abertas a todos.',
  requireForChat: 'Todo o chat',
  requireForChatHint:
    'Os outros são convidados a entrar no seu site. A área de testes e a API de chat não são afetadas.',
  noKey: 'Crie primeiro uma chave: sem ela, ninguém pode usar o chat.',
  sign: 'Assinar no seu servidor',
  signAbout:
    'Um token identifica uma só pessoa e é válido por no máximo 24 horas. Crie um novo a cada visita à página.',
  embed: 'Passar o token ao widget',
  embedAbout: 'Na página que o seu servidor gera para essa pessoa, ou depois, a partir de um script.',
  guide: 'Ler o guia',
  levels: { anonymous: 'Anônimo', claimed: 'Não verificado', verified: 'Verificado' },
  levelHints: {
    anonymous: '',
    claimed: 'O visitante forneceu estes dados. Ninguém os verificou.',
    verified: 'O seu site comprovou quem é este visitante.',
  },
  level: 'Identidade',
  phone: 'Telefone',
  verifiedDetails: 'Verificado pelo seu site',
  verifiedAt: 'Verificado',
}
