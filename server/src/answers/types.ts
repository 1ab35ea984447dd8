// What the answer engine is handed and what it gives back. It knows no database, no HTTP and no clock.
export interface Passage {
  documentId: string
  title: string
  url: string | null
  headings: string[]
  anchor: string | null
  text: string
  language: string
}

export interface Hit {
  passage: Passage
  score: number
  /** The share of the question's information that the passage holds, 0 to 1. */
  coverage: number
}

export type Retrieve = (question: string) => Promise<Hit[]>

export interface Turn {
  role: 'user' | 'assistant'
  text: string
}

export interface BotVoice {
  language: string
  siteUrl: string
  fallbackMessage: string | null
}

export interface Source {
  title: string
  url: string
}

export interface Answer {
  text: string
  sources: Source[]
  confidence: number
  answered: boolean
}
