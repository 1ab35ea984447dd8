import type { Partially, ReviewTexts } from '../texts-type.ts'

export const review: Partially<ReviewTexts> = {
  noneTitle: 'Nada a rever',
  noneAbout: 'Não há duas páginas que digam o mesmo e nada parece desatualizado.',
  duplicates: (count) => `Duplicados (${count})`,
  duplicatesAbout:
    'O mesmo texto em vários lugares. Se um muda, as respostas ainda podem vir do outro: exclua o que não precisa.',
  shared: (count) => (count === 1 ? '1 trecho' : `${count} trechos`),
  of: (shared, all) => (shared >= all ? 'o documento inteiro' : `${shared} de ${all} trechos`),
  more: (count) => `e mais ${count}`,
  exclude: 'Excluir aqui',
  excludeFrom: (title) => `Excluir aqui: ${title}`,
  excludeAll: (count) => `Excluir de ${count} documentos`,
  excluded: 'Excluído. As respostas já não o usam.',
  keepAll: 'Manter todos',
  kept: 'Mantido. Voltará a aparecer aqui quando mudar.',
  outdated: (count) => `Talvez desatualizado (${count})`,
  outdatedAbout: 'Páginas de que os visitantes podem receber respostas antigas.',
  reasons: {
    failing: 'Já não carrega. Última leitura:',
    past_date: 'Menciona uma data passada:',
    not_read: 'Sem rastreamento desde',
    unchanged: 'Sem alterações desde',
  },
  website: 'Site',
  confirm: 'Continua certo',
  confirmOf: (title) => `Continua certo: ${title}`,
  confirmed: 'Confirmado. Voltará a aparecer aqui quando mudar.',
  incomplete: 'Só os primeiros 200 000 trechos foram comparados.',
}
