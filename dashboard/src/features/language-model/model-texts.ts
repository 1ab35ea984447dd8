// Why a model gave no answer, and what to do about it. Not among the interface's other texts: only the screens that need
// these load them.
import type { LanguageModelTest } from '@docent/contract'
import { currentLanguage, type InterfaceLanguage } from '../../texts/texts.tsx'

interface ModelTexts {
  /** By outcome of a call, to follow a colon. */
  reasons: Record<string, string>
  /** What to put right, by the problem that a test found. */
  steps: Record<NonNullable<LanguageModelTest['problem']>, string>
  retryAfter: (seconds: string) => string
  getKey: string
  context: string
  contextHint: string
}

const texts: Record<InterfaceLanguage, ModelTexts> = {
  en: {
    reasons: {
      unauthorized: 'the provider rejected the API key',
      not_found: 'the base URL is wrong',
      unknown_model: 'the provider has no model of that name',
      no_credit: 'the provider’s account has no credit left',
      connection: 'the provider could not be reached',
      timeout: 'the model timed out',
      rate_limited: 'the provider’s rate limit is reached',
      provider_error: 'the provider returned an error',
      misconfigured: 'the settings are incomplete',
      daily_limit: 'the daily call limit is reached',
      first_token_timeout: 'the model timed out',
      bad_request: 'the provider rejected the request',
      no_answer: 'the model said that it found no answer',
      not_grounded: 'the model cited no passage; turn off “Require citations” for small models',
      empty: 'the model returned nothing',
      refused: 'the model refused to answer',
      interrupted: 'the reply broke off',
      broken_response: 'the provider’s reply was incomplete',
      too_long: 'the reply was too long',
      unavailable: 'the provider could not be used',
      malformed: 'the model’s reply had an unexpected format',
    },
    steps: {
      wrong_key: 'Check the API key: it may be mistyped, revoked, or not allowed to use this model.',
      no_credit: 'Add credit or a payment method to your account with the provider.',
      unknown_model: 'Check the model’s name with the provider. Local servers must have loaded the model first.',
      wrong_address: 'A server answered, but not at this path. Most base URLs end in /v1.',
      unreachable: 'Check the base URL, and that the server is running and reachable from Docent’s machine.',
      rate_limited: 'Wait a little, or raise the limit with the provider.',
      too_slow: 'Raise the timeout, or choose a smaller model.',
      request_rejected: 'The provider did not accept the request. Try without a temperature.',
      provider_error: 'The provider has a problem. Try again later.',
      unusable_reply: 'The reply was not that of a language model. Check the base URL and the protocol.',
      no_citation: 'The model answered without a citation. Turn off “Require citations”, or choose a larger model.',
      no_answer: 'The model did not find the answer to a simple question. Choose a larger model.',
      daily_limit: 'The daily call limit is reached. Raise it, or try again tomorrow.',
      misconfigured: 'Enter the API key again.',
    },
    retryAfter: (seconds) => `The provider may be asked again in ${seconds} seconds.`,
    getKey: 'Create an API key',
    context: 'Content per question (tokens)',
    contextHint: 'About how much of your pages and products the model reads for a question.',
  },
  de: {
    reasons: {
      unauthorized: 'der Anbieter hat den API-Schlüssel abgelehnt',
      not_found: 'die Basis-URL ist falsch',
      unknown_model: 'der Anbieter hat kein Modell mit diesem Namen',
      no_credit: 'das Konto beim Anbieter hat kein Guthaben mehr',
      connection: 'der Anbieter ist nicht erreichbar',
      timeout: 'Zeitüberschreitung beim Modell',
      rate_limited: 'das Aufruflimit des Anbieters ist erreicht',
      provider_error: 'der Anbieter meldete einen Fehler',
      misconfigured: 'die Einstellungen sind unvollständig',
      daily_limit: 'das Tageslimit für Aufrufe ist erreicht',
      first_token_timeout: 'Zeitüberschreitung beim Modell',
      bad_request: 'der Anbieter hat die Anfrage abgelehnt',
      no_answer: 'das Modell hat keine Antwort gefunden',
      not_grounded: 'das Modell hat nichts belegt; deaktivieren Sie bei kleinen Modellen „Belege verlangen“',
      empty: 'das Modell hat nichts geantwortet',
      refused: 'das Modell hat die Antwort verweigert',
      interrupted: 'die Antwort brach ab',
      broken_response: 'die Antwort des Anbieters war unvollständig',
      too_long: 'die Antwort war zu lang',
      unavailable: 'der Anbieter konnte nicht verwendet werden',
      malformed: 'die Antwort des Modells hatte ein unerwartetes Format',
    },
    steps: {
      wrong_key: 'Prüfen Sie den API-Schlüssel: Er ist vertippt, widerrufen oder nicht für dieses Modell zugelassen.',
      no_credit: 'Laden Sie Ihr Konto beim Anbieter auf.',
      unknown_model: 'Prüfen Sie den Namen des Modells beim Anbieter. Lokale Server müssen das Modell erst laden.',
      wrong_address: 'Ein Server antwortet, aber nicht unter diesem Pfad. Die meisten Basis-URLs enden auf /v1.',
      unreachable: 'Prüfen Sie die Basis-URL und ob der Server läuft und von Docents Rechner aus erreichbar ist.',
      rate_limited: 'Warten Sie etwas, oder erhöhen Sie das Limit beim Anbieter.',
      too_slow: 'Erhöhen Sie das Zeitlimit, oder wählen Sie ein kleineres Modell.',
      request_rejected: 'Der Anbieter hat die Anfrage nicht angenommen. Versuchen Sie es ohne Temperatur.',
      provider_error: 'Der Anbieter hat eine Störung. Versuchen Sie es später noch einmal.',
      unusable_reply: 'Die Antwort stammt nicht von einem Sprachmodell. Prüfen Sie Basis-URL und Protokoll.',
      no_citation:
        'Das Modell hat nichts belegt. Deaktivieren Sie „Belege verlangen“, oder wählen Sie ein größeres Modell.',
      no_answer: 'Das Modell fand die Antwort auf eine einfache Frage nicht. Wählen Sie ein größeres Modell.',
      daily_limit: 'Das Tageslimit ist erreicht. Erhöhen Sie es, oder versuchen Sie es morgen.',
      misconfigured: 'Geben Sie den API-Schlüssel noch einmal ein.',
    },
    retryAfter: (seconds) => `In ${seconds} Sekunden nimmt der Anbieter wieder Anfragen an.`,
    getKey: 'API-Schlüssel erstellen',
    context: 'Inhalte pro Frage (Token)',
    contextHint: 'Wie viel Ihrer Seiten und Produkte das Modell für eine Frage etwa liest.',
  },
}

export function modelTexts(): ModelTexts {
  return texts[currentLanguage()]
}

/** Why a model gave no answer, translated if possible. */
export function modelReason(outcome: string): string {
  return modelTexts().reasons[outcome] ?? outcome
}
