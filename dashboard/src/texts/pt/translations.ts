import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import type { Partially, TranslationTexts } from '../texts-type.ts'

export const translations: Partially<TranslationTexts> = {
  title: 'Outros idiomas',
  about:
    'Mensagem de boas-vindas, perguntas sugeridas, mensagem alternativa e os botões e perguntas dos fluxos, para visitantes que usam outro idioma.',
  add: 'Adicionar um idioma',
  addPlaceholder: 'Escolher um idioma',
  remove: (language) => `Remover ${language}`,
  complete: 'Todos os textos escritos',
  missing: (texts) => `Falta: ${texts.join(', ')}`,
  parts: {
    greeting: 'mensagem de boas-vindas',
    questions: 'perguntas',
    fallback: 'mensagem alternativa',
    buttons: 'botões',
    handover: 'perguntas antes de uma transferência',
  },
  button: (label) => `Botão “${label}”`,
  buttonAsks: (label) => `O que “${label}” pergunta`,
  handover: (label) => `Pergunta antes de uma transferência: ${label}`,
  choices: (label) => `Opções: ${label}`,
  choicesHint: (options) => `Uma por linha, nesta ordem: ${options.join(', ')}`,
  choicesCount: (count) =>
    count === 1 ? 'Escreva 1 linha, uma por opção.' : `Escreva ${count} linhas, uma por opção.`,
  greetingInstead: (language) =>
    `Se vazio, os visitantes veem a mensagem de boas-vindas acima se estiver em ${language}; caso contrário, a mensagem padrão nesse idioma.`,
  questionsInstead: (language) =>
    `Uma por linha, até ${BUTTONS_PER_PLACE}. Se vazio, os visitantes veem as perguntas acima se estiverem em ${language}; caso contrário, nenhuma.`,
  fallbackInstead: (language) =>
    `Se vazio, os visitantes recebem a mensagem das configurações gerais se estiver em ${language}; caso contrário, a mensagem padrão nesse idioma.`,
}
