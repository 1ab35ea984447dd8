import type { ModelTexts, Partially } from '../texts-type.ts'

export const model: Partially<ModelTexts['model']> = {
  title: 'Modelo de lenguaje',
  about:
    'Opcional. Un modelo de lenguaje redacta respuestas a partir de los fragmentos encontrados y los cita. Sin él, las respuestas son citas literales.',
  enabled: 'Usar un modelo de lenguaje',
  provider: 'Proveedor',
  providers: { openai_compatible: 'Compatible con OpenAI', anthropic: 'Anthropic' },
  custom: 'Otro proveedor',
  protocol: 'Protocolo',
  test: 'Probar',
  testWorks: (ms) => `Funciona. Respondió en ${ms} ms:`,
  testFailed: (reason) => `No funcionó: ${reason}`,
  instructions: 'Instrucciones y personalidad',
  instructionsHint:
    'Por ejemplo: “Te llamas Kim. Responde en dos frases como máximo”. El bot sigue diciendo solo lo que dice su contenido.',
  baseUrl: 'URL base',
  baseUrlHint: 'Por ejemplo, https://api.openai.com/v1 o http://localhost:11434/v1',
  model: 'Modelo',
  key: 'Clave de API',
  keySet: (end) => `Hay una clave que termina en ${end}. Déjelo vacío para conservarla.`,
  keyHint: 'Se guarda cifrada y no vuelve a mostrarse.',
  answers: 'Redactar respuestas',
  answersHint: 'Si está desactivado, las respuestas son citas y el modelo solo genera preguntas (abajo).',
  citations: 'Exigir citas',
  temperature: 'Temperatura',
  temperatureHint:
    'Más baja, más fiel a los hechos; más alta, más creativa. Déjelo vacío para usar el valor del proveedor.',
  timeout: 'Tiempo de espera (segundos)',
  timeoutHint: 'Si el modelo tarda más, la respuesta se cita del contenido.',
  maxTokens: 'Longitud máxima de la respuesta (tokens)',
  dailyLimit: 'Límite diario de llamadas',
  dailyLimitHint:
    'Al alcanzarlo, las respuestas se citan del contenido hasta la medianoche UTC. Déjelo vacío para usar las llamadas restantes del espacio de trabajo.',
  inputPrice: 'Precio por millón de tokens de entrada',
  outputPrice: 'Precio por millón de tokens de salida',
  usage: 'Últimos 30 días',
  calls: 'Llamadas',
  callsToday: 'Hoy / límite diario',
  limitReached:
    'Se ha alcanzado el límite diario de llamadas. Las respuestas se citan de su contenido hasta la medianoche UTC.',
  failed: 'Fallidas',
  tokens: 'Tokens de entrada / salida',
  cost: 'Costo',
  turnOff: 'Desactivar',
  turnOffTitle: '¿Desactivar el modelo de lenguaje?',
  turnOffAbout: 'Se eliminan su configuración y su clave de API. Las respuestas vuelven a citarse de su contenido.',
  getKey: 'Crear clave de API',
  context: 'Contenido por pregunta (tokens)',
  contextHint: 'Cuánto lee aproximadamente el modelo de sus páginas y productos para cada pregunta.',
  chooseProvider: '¿Qué proveedor usa? Ollama, vLLM y LM Studio funcionan en su propio hardware.',
  more: 'Más ajustes',
}

export const questions: Partially<ModelTexts['questions']> = {
  title: 'Preguntas generadas',
  about:
    'El modelo genera las preguntas que responde cada sección de su contenido, para que la encuentren los visitantes que usan otras palabras. No requiere llamar al modelo en cada pregunta. Las preguntas generadas nunca se muestran.',
  enabled: 'Generar preguntas para secciones nuevas y modificadas',
  enabledHint: 'Se ejecuta en segundo plano. Si está desactivado, las preguntas existentes se siguen usando.',
  dailyLimit: 'Límite diario de llamadas',
  status: { off: 'Desactivado', writing: 'Generando', waiting: 'En espera', done: 'Al día' },
  progress: (done, all) => `${done} de ${all} secciones`,
  remaining: 'Restante (estimación)',
  spent: 'Usado hasta ahora',
  tokens: (calls, input, output) =>
    `${calls === '1' ? '1 llamada' : `${calls} llamadas`}, ${input} tokens de entrada, ${output} tokens de salida`,
  cost: (cost) => `costo: ${cost}`,
  failed: (reason) => `La última llamada falló: ${reason}.`,
  limitReached: 'Se ha alcanzado el límite diario de llamadas.',
  resumes: (time) => `Se reanuda el ${time}.`,
  clear: 'Eliminar preguntas',
  clearTitle: '¿Eliminar todas las preguntas generadas?',
  clearAbout:
    'Las secciones vuelven a encontrarse por sus propias palabras y la generación se desactiva. Los costos no se reembolsan.',
}

export const modelProblems: Partially<ModelTexts['modelProblems']> = {
  reasons: {
    unauthorized: 'el proveedor rechazó la clave de API',
    not_found: 'la URL base es incorrecta',
    unknown_model: 'el proveedor no tiene ningún modelo con ese nombre',
    no_credit: 'la cuenta del proveedor no tiene saldo',
    connection: 'no se pudo conectar con el proveedor',
    timeout: 'el modelo agotó el tiempo de espera',
    rate_limited: 'se alcanzó el límite de solicitudes del proveedor',
    provider_error: 'el proveedor devolvió un error',
    misconfigured: 'la configuración está incompleta',
    daily_limit: 'se alcanzó el límite diario de llamadas',
    first_token_timeout: 'el modelo agotó el tiempo de espera',
    bad_request: 'el proveedor rechazó la solicitud',
    no_answer: 'el modelo indicó que no encontró respuesta',
    not_grounded: 'el modelo no citó ningún fragmento; desactive “Exigir citas” con modelos pequeños',
    empty:
      'el modelo no devolvió texto; aumente la longitud máxima de la respuesta con modelos que razonan antes de responder',
    refused: 'el modelo se negó a responder',
    interrupted: 'la respuesta se interrumpió',
    broken_response: 'la respuesta del proveedor estaba incompleta',
    too_long: 'la respuesta era demasiado larga',
    unavailable: 'no se pudo usar el proveedor',
    malformed: 'la respuesta del modelo tenía un formato inesperado',
  },
  steps: {
    wrong_key: 'Compruebe la clave de API: puede estar mal escrita, revocada o sin permiso para usar este modelo.',
    no_credit: 'Añada saldo o un método de pago a su cuenta del proveedor.',
    unknown_model:
      'Compruebe el nombre del modelo en el proveedor. Los servidores locales deben haber cargado antes el modelo.',
    wrong_address: 'Respondió un servidor, pero no en esta ruta. La mayoría de las URL base terminan en /v1.',
    unreachable:
      'Compruebe la URL base y que el servidor esté en marcha y sea accesible desde el equipo donde se ejecuta Docent.',
    rate_limited: 'Espere un poco o aumente el límite en el proveedor.',
    too_slow: 'Aumente el tiempo de espera o elija un modelo más pequeño.',
    request_rejected: 'El proveedor no aceptó la solicitud. Pruebe sin temperatura.',
    provider_error: 'El proveedor tiene un problema. Inténtelo más tarde.',
    unusable_reply: 'La respuesta no era la de un modelo de lenguaje. Compruebe la URL base y el protocolo.',
    empty_reply:
      'El modelo está accesible, pero no escribió texto. Los modelos que razonan antes pueden agotar la longitud máxima de la respuesta antes de responder: auméntela o elija otro modelo.',
    no_citation: 'El modelo respondió sin citas. Desactive “Exigir citas” o elija un modelo más grande.',
    no_answer: 'El modelo no encontró la respuesta a una pregunta sencilla. Elija un modelo más grande.',
    daily_limit: 'Se alcanzó el límite diario de llamadas. Auméntelo o inténtelo de nuevo mañana.',
    misconfigured: 'Introduzca de nuevo la clave de API.',
  },
  retryAfter: (seconds) =>
    seconds === '1'
      ? 'Se podrá volver a consultar al proveedor en 1 segundo.'
      : `Se podrá volver a consultar al proveedor en ${seconds} segundos.`,
}
