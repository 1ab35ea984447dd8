import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import type { Partially, TranslationTexts } from '../texts-type.ts'

export const translations: Partially<TranslationTexts> = {
  title: 'Otros idiomas',
  about:
    'Saludo, preguntas sugeridas, mensaje alternativo y los botones y preguntas de sus flujos, para visitantes que usan otro idioma.',
  add: 'Añadir idioma',
  addPlaceholder: 'Elija un idioma',
  remove: (language) => `Quitar ${language}`,
  complete: 'Todos los textos están escritos',
  missing: (texts) => `Falta: ${texts.join(', ')}`,
  parts: {
    greeting: 'saludo',
    questions: 'preguntas',
    fallback: 'mensaje alternativo',
    buttons: 'botones',
    handover: 'preguntas antes de un traspaso',
  },
  button: (label) => `Botón “${label}”`,
  buttonAsks: (label) => `Qué pregunta “${label}”`,
  handover: (label) => `Pregunta antes de un traspaso: ${label}`,
  choices: (label) => `Opciones: ${label}`,
  choicesHint: (options) => `Una por línea, en este orden: ${options.join(', ')}`,
  choicesCount: (count) => `Escriba ${count} líneas, una por cada opción.`,
  greetingInstead: (language) =>
    `Si está vacío, los visitantes ven el saludo de arriba si está en ${language}; si no, el predeterminado en ${language}.`,
  questionsInstead: (language) =>
    `Una por línea, hasta ${BUTTONS_PER_PLACE}. Si está vacío, los visitantes ven las preguntas de arriba si están en ${language}; si no, ninguna.`,
  fallbackInstead: (language) =>
    `Si está vacío, los visitantes reciben el mensaje de la configuración general si está en ${language}; si no, el predeterminado en ${language}.`,
}
