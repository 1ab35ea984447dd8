// The numbers of reading, composing and choosing, in one place, so that an evaluation can vary them: `npm run eval -- --set
// answerWords=60`. Search and the catalogue keep theirs beside their code. Relevances are the reader's log-odds that a
// passage answers.
import { DEFAULT_ANSWER_THRESHOLD, DEFAULT_SUGGEST_THRESHOLD } from '@docent/contract'

export const policy = {
  /** With this confidence in a product answer, pages are not searched. */
  certainProduct: 0.6,
  /** Share of a question's words that a page or a phrasing must have to be about the same. */
  sharedContent: 0.5,
  /** Share of the lower threshold at which a page counts as related, even without an answer. */
  relatedConfidence: 0.25,

  /** Passages read, and how many of them first: the rest only if none of these surely answers. */
  readPassages: 12,
  readFirst: 6,
  /** Passages read where words leave no doubt. */
  readIfCertain: 4,
  /** Weight of retrieval (0 to 1) beside the relevance when passages are ranked. */
  retrievalWeight: 9,
  /** Added for a heading that matches a question whose words the passage all has. */
  headingBonus: 1.2,
  /** Added for a page under discussion, times how much the question depends on the history. */
  discussedBonus: 4,
  /** Taken from passages in another language than the question's, if there are passages in its own. */
  foreignPenalty: 2,
  /** A passage that surely answers: its relevance, and its lead over the next. */
  sureRelevance: 2,
  sureLead: 2.5,
  /** The most that earlier questions may add to a passage's relevance. */
  contextRelevance: 5,
  /** Without a reader, the factor for a passage that an earlier answer quoted. */
  quotedWeight: 0.3,

  /** An answer in prose goes on until it has so many words. */
  answerWords: 45,
  /** Before a sentence that begins with "However", the ones it refers to are quoted up to this length. */
  beforeWords: 25,
  /** Without a reader, a sentence beside the best one belongs to the answer from this share of its likelihood on. */
  neighbourShare: 0.2,
  /** Lists and steps up to this length are given whole. */
  listWords: 120,
  /** A list that is not asked for is given whole up to this length. */
  shortListWords: 50,
  /** For a topic in the title of a page, the first passage of that page that is so close is taken. */
  topicTitle: 0.8,
  topicWithin: 6,
  /** The least confidence in the beginning of a page whose title is the topic. */
  topicConfidence: 0.6,
  /** If the bot is unsure, a second passage is shown whose relevance is so close to the first, and at least so high. */
  secondWithin: 1,
  secondRelevance: -2,
  /** Likewise if the first lacks the kind of thing that was asked for: an amount, a date, a name. */
  typeWithin: 1.5,
  /** A second quote must have this share of new words, or a new figure. */
  newWords: 0.25,
  /** Words of each, if two passages are shown. */
  sharedWords: 22,
  /** Words of each side of a comparison. */
  comparedWords: 35,
  /** If the first lacks what was asked for, steps or an amount, one that has it may be so much less likely. */
  wantedWithin: 1.5,
  /** Likewise for a row of a table whose range has a figure of the question. */
  rowWithin: 4,
  /** "Yes" or "No" is said from this polarity on, if the sentence has this share of the question's words. */
  surePolarity: 2,
  yesNoCoverage: 0.2,
  /** Without a reader, a second passage must cover so much of its part of the question, so much more than the first, and
   * be one of so many after it. */
  partCover: 0.6,
  partLead: 0.25,
  partHits: 3,
  /** If the first only describes its page, another of the page is taken from this share of its score on. */
  samePageScore: 0.6,
  /** With so many unknown words and no reader's word for it, a question is about something else: one may be a typo. */
  foreignWords: 2,

  /** Suggested next questions: the least share of the first passage's score after an answer and after a hedge. */
  nextScore: 0.5,
  didYouMeanScore: 0.6,
  /** A heading that shares so much with a question has been answered. */
  askedTopic: 0.75,

  /** A language model restates a question that depends this much on earlier ones before it is searched for. */
  restateDependence: 0.55,
  /** Passages given to a language model: at most so many found ones, of which the first few with their neighbours. */
  modelPassages: 8,
  modelNeighbours: 3,
  /** After the first three, passages less likely than this share of the best are left out. */
  modelPassageShare: 0.15,
  /** Curated answers that are close enough to be given to a language model. */
  modelCurated: 0.15,
  /** Confidence in a language model's answer by what it reports, and what the composer's confidence adds to it. */
  modelAnswered: 0.82,
  modelPartly: 0.45,
  modelUnreported: 0.6,
  modelNotFound: 0.1,
  modelAdds: 0.12,
}

export type Policy = typeof policy

// What to do with an answer of a given confidence. Bots may set their own thresholds; these are the defaults.

export interface Thresholds {
  /** From here on, the answer is given as is. */
  answer: number
  /** From here on, it is given with "did you mean" and buttons; below, the bot falls back. */
  suggest: number
}

export type Decision = 'answer' | 'suggest' | 'fall_back'

export const defaultThresholds: Thresholds = { answer: DEFAULT_ANSWER_THRESHOLD, suggest: DEFAULT_SUGGEST_THRESHOLD }

export function decide(confidence: number, thresholds: Thresholds): Decision {
  if (confidence >= thresholds.answer) return 'answer'
  return confidence >= thresholds.suggest ? 'suggest' : 'fall_back'
}
