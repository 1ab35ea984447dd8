import type { Partially, ThreadTexts } from '../texts-type.ts'

// The name can be “Você”, which takes the same verb form.
export const thread: Partially<ThreadTexts> = {
  requested: {
    visitor_request: 'O visitante pediu para falar com uma pessoa',
    low_confidence: 'O bot não conseguiu ajudar e chamou um agente',
    rule: 'O visitante usou uma palavra-chave de transferência',
  },
  asked: 'Transferência pedida',
  visitorEnded: 'O visitante voltou ao bot',
  taken_over: (who) => `${who} assumiu a conversa`,
  handed_back: (who) => `${who} devolveu a conversa ao bot`,
  assigned: (who, name) => `${who} atribuiu a conversa a ${name}`,
  assignedSelf: (who) => `${who} ficou responsável pela conversa`,
  assignedBySetting: (name) => `Atribuição automática: ${name}`,
  unassigned: (who) => `${who} removeu o responsável`,
  resolved: (who) => `${who} resolveu a conversa`,
  reopened: (who) => `${who} reabriu a conversa`,
  snoozed: (who, until) => `${who} adiou a conversa até ${until}`,
  woken: (who) => `${who} terminou o adiamento`,
  tagged: (who, tag) => `${who} adicionou a etiqueta ${tag}`,
  untagged: (who, tag) => `${who} removeu a etiqueta ${tag}`,
  noteOf: (name) => `Nota de ${name}`,
  fixAbout: 'Esta resposta vem do seu conteúdo. Corrija-a lá ou escreva a sua própria resposta abaixo.',
  correctPassage: (title) => `Corrigir o trecho de “${title}”`,
  country: 'País (pelo fuso horário ou idioma)',
  timezone: 'Fuso horário',
  referrer: 'Veio de',
  device: 'Dispositivo',
  devices: { desktop: 'Computador', phone: 'Telefone', tablet: 'Tablet' },
  pages: 'Páginas deste chat',
  unprovenDetails: 'Indicado pela página (não verificado)',
}
