import type { ModelTexts, Partially } from '../texts-type.ts'

export const model: Partially<ModelTexts['model']> = {
  title: 'Modello linguistico',
  about:
    'Facoltativo. Un modello linguistico scrive le risposte in base ai brani trovati e li cita. Senza modello, le risposte sono estratte dai contenuti.',
  enabled: 'Usa un modello linguistico',
  provider: 'Fornitore',
  providers: { openai_compatible: 'Compatibile con OpenAI', anthropic: 'Anthropic' },
  custom: 'Altro fornitore',
  protocol: 'Protocollo',
  test: 'Prova',
  testWorks: (ms) => `Funziona. Risposta in ${ms} ms:`,
  testFailed: (reason) => `Non ha funzionato: ${reason}`,
  instructions: 'Istruzioni e personalità',
  instructionsHint:
    'Per esempio: «Ti chiami Kim. Rispondi in due frasi al massimo.» Il bot dice comunque solo ciò che dicono i contenuti.',
  baseUrl: 'URL di base',
  baseUrlHint: 'Per esempio https://api.openai.com/v1 o http://localhost:11434/v1',
  model: 'Modello',
  key: 'Chiave API',
  keySet: (end) => `È impostata una chiave che termina con ${end}. Lasciare vuoto per mantenerla.`,
  keyHint: 'Salvata in forma cifrata e mai più mostrata.',
  answers: 'Scrivi le risposte',
  answersHint: 'Se disattivato, le risposte sono estratte dai contenuti e il modello genera solo domande (qui sotto).',
  citations: 'Richiedi citazioni',
  temperature: 'Temperatura',
  temperatureHint:
    'Più bassa: più fattuale; più alta: più creativo. Lasciare vuoto per il valore predefinito del fornitore.',
  timeout: 'Tempo massimo (secondi)',
  timeoutHint: 'Se il modello impiega più tempo, la risposta viene estratta dai contenuti.',
  maxTokens: 'Lunghezza massima della risposta (token)',
  dailyLimit: 'Limite giornaliero di chiamate',
  dailyLimitHint:
    'Raggiunto il limite, le risposte sono estratte dai contenuti fino a mezzanotte UTC. Lasciare vuoto per usare le chiamate rimanenti dell’area di lavoro.',
  inputPrice: 'Prezzo per milione di token in ingresso',
  outputPrice: 'Prezzo per milione di token in uscita',
  usage: 'Ultimi 30 giorni',
  calls: 'Chiamate',
  callsToday: 'Oggi / limite giornaliero',
  limitReached:
    'Il limite giornaliero di chiamate è raggiunto. Le risposte sono estratte dai contenuti fino a mezzanotte UTC.',
  failed: 'Non riuscite',
  tokens: 'Token in ingresso / uscita',
  cost: 'Costo',
  turnOff: 'Disattiva',
  turnOffTitle: 'Disattivare il modello linguistico?',
  turnOffAbout:
    'Le impostazioni e la chiave API vengono eliminate. Le risposte saranno di nuovo estratte dai contenuti.',
  getKey: 'Crea chiave API',
  context: 'Contenuti per domanda (token)',
  contextHint: 'Quanto, all’incirca, delle pagine e dei prodotti il modello legge per una domanda.',
  chooseProvider: 'Quale fornitore si usa? Ollama, vLLM e LM Studio funzionano sul proprio hardware.',
  more: 'Altre impostazioni',
}

export const questions: Partially<ModelTexts['questions']> = {
  title: 'Domande generate',
  about:
    'Il modello genera le domande a cui risponde ogni sezione dei contenuti, così la trova anche chi usa altre parole. Non serve una chiamata al modello per ogni domanda. Le domande generate non vengono mai mostrate.',
  enabled: 'Genera domande per le sezioni nuove e modificate',
  enabledHint: 'In background. Se disattivato, le domande esistenti restano in uso.',
  dailyLimit: 'Limite giornaliero di chiamate',
  status: { off: 'Disattivato', writing: 'Generazione', waiting: 'In attesa', done: 'Aggiornato' },
  progress: (done, all) => `${done} di ${all} ${all === '1' ? 'sezione' : 'sezioni'}`,
  remaining: 'Rimanente (stima)',
  spent: 'Usato finora',
  tokens: (calls, input, output) =>
    `${calls === '1' ? '1 chiamata' : `${calls} chiamate`}, ${input} token in ingresso, ${output} token in uscita`,
  cost: (cost) => `costo: ${cost}`,
  failed: (reason) => `L’ultima chiamata non è riuscita: ${reason}.`,
  limitReached: 'Il limite giornaliero di chiamate è raggiunto.',
  resumes: (time) => `Ripresa: ${time}.`,
  clear: 'Elimina domande',
  clearTitle: 'Eliminare tutte le domande generate?',
  clearAbout:
    'Le sezioni vengono di nuovo trovate in base alle loro parole e la generazione viene disattivata. I costi non vengono rimborsati.',
}

export const modelProblems: Partially<ModelTexts['modelProblems']> = {
  reasons: {
    unauthorized: 'il fornitore ha rifiutato la chiave API',
    not_found: 'l’URL di base è errato',
    unknown_model: 'il fornitore non ha un modello con questo nome',
    no_credit: 'l’account presso il fornitore non ha più credito',
    connection: 'impossibile raggiungere il fornitore',
    timeout: 'il modello ha superato il tempo massimo',
    rate_limited: 'il limite di richieste del fornitore è raggiunto',
    provider_error: 'il fornitore ha restituito un errore',
    misconfigured: 'le impostazioni sono incomplete',
    daily_limit: 'il limite giornaliero di chiamate è raggiunto',
    first_token_timeout: 'il modello ha superato il tempo massimo',
    bad_request: 'il fornitore ha rifiutato la richiesta',
    no_answer: 'il modello ha indicato di non aver trovato una risposta',
    not_grounded: 'il modello non ha citato alcun brano; disattivare «Richiedi citazioni» per i modelli piccoli',
    empty:
      'il modello non ha restituito testo; aumentare la lunghezza massima della risposta per i modelli che prima ragionano',
    refused: 'il modello si è rifiutato di rispondere',
    interrupted: 'la risposta si è interrotta',
    broken_response: 'la risposta del fornitore era incompleta',
    too_long: 'la risposta era troppo lunga',
    unavailable: 'il fornitore non è utilizzabile',
    malformed: 'la risposta del modello aveva un formato imprevisto',
  },
  steps: {
    wrong_key: 'Controllare la chiave API: potrebbe essere errata, revocata o non abilitata per questo modello.',
    no_credit: 'Aggiungere credito o un metodo di pagamento all’account presso il fornitore.',
    unknown_model:
      'Controllare il nome del modello presso il fornitore. I server locali devono prima aver caricato il modello.',
    wrong_address:
      'Un server ha risposto, ma non a questo percorso. La maggior parte degli URL di base termina con /v1.',
    unreachable: 'Controllare l’URL di base e che il server sia in funzione e raggiungibile dalla macchina di Docent.',
    rate_limited: 'Attendere un po’ o aumentare il limite presso il fornitore.',
    too_slow: 'Aumentare il tempo massimo o scegliere un modello più piccolo.',
    request_rejected: 'Il fornitore non ha accettato la richiesta. Provare senza temperatura.',
    provider_error: 'Il fornitore ha un problema. Riprovare più tardi.',
    unusable_reply: 'La risposta non era di un modello linguistico. Controllare l’URL di base e il protocollo.',
    empty_reply:
      'Il modello è stato raggiunto, ma non ha scritto testo. I modelli che prima ragionano possono esaurire la lunghezza massima prima di rispondere: aumentarla o scegliere un altro modello.',
    no_citation:
      'Il modello ha risposto senza citazioni. Disattivare «Richiedi citazioni» o scegliere un modello più grande.',
    no_answer: 'Il modello non ha trovato la risposta a una domanda semplice. Scegliere un modello più grande.',
    daily_limit: 'Il limite giornaliero di chiamate è raggiunto. Aumentarlo o riprovare domani.',
    misconfigured: 'Inserire di nuovo la chiave API.',
  },
  retryAfter: (seconds) =>
    `Il fornitore accetterà nuove richieste tra ${seconds} ${seconds === '1' ? 'secondo' : 'secondi'}.`,
}
