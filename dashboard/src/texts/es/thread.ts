import type { Partially, ThreadTexts } from '../texts-type.ts'

export const thread: Partially<ThreadTexts> = {
  requested: {
    visitor_request: 'El visitante pidió hablar con una persona',
    low_confidence: 'El bot no pudo ayudar y solicitó un agente',
    rule: 'El visitante usó una palabra clave de traspaso',
  },
  asked: 'Traspaso solicitado',
  visitorEnded: 'El visitante volvió al bot',
  taken_over: (who) => `${who} tomó la conversación`,
  handed_back: (who) => `${who} devolvió la conversación al bot`,
  assigned: (who, name) => `${who} asignó la conversación a ${name}`,
  assignedSelf: (who) => `${who} se asignó la conversación`,
  assignedBySetting: (name) => `Asignación automática: ${name}`,
  unassigned: (who) => `${who} quitó la asignación`,
  resolved: (who) => `${who} resolvió la conversación`,
  reopened: (who) => `${who} reabrió la conversación`,
  snoozed: (who, until) => `${who} pospuso la conversación hasta el ${until}`,
  woken: (who) => `${who} dejó de posponer la conversación`,
  tagged: (who, tag) => `${who} añadió la etiqueta ${tag}`,
  untagged: (who, tag) => `${who} quitó la etiqueta ${tag}`,
  noteOf: (name) => `Nota de ${name}`,
  country: 'País (según el idioma del navegador)',
  device: 'Dispositivo',
  devices: { desktop: 'Ordenador', phone: 'Teléfono', tablet: 'Tableta' },
  pages: 'Páginas de este chat',
}
