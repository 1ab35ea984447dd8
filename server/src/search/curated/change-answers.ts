// Creates, changes and deletes single curated answers; import-answers.ts handles many.
import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { CuratedAnswerRecord, CuratedAnswersTable } from '../../storage/curated-answers.ts'
import { MAX_ANSWERS } from './import-answers.ts'

export interface AnswerDeps {
  curatedAnswers: CuratedAnswersTable
  /** Called when the phrasings of a bot's answers changed. */
  onChanged: (botId: string) => void
  clock: () => number
}

export async function createAnswer(
  { curatedAnswers, onChanged, clock }: AnswerDeps,
  botId: string,
  input: BodyOf<Routes['POST /api/manage/v1/bots/{botId}/answers']>,
): Promise<CuratedAnswerRecord> {
  if ((await curatedAnswers.count(botId)) >= MAX_ANSWERS) throw new Fault('too_many_answers')
  const record: CuratedAnswerRecord = {
    id: randomId('ans'),
    question: input.question.trim(),
    alternatives: input.alternatives ?? [],
    answer: input.answer.trim(),
    url: input.url ?? null,
    createdAt: clock(),
    updatedAt: clock(),
    vectors: null,
  }
  await curatedAnswers.put(botId, record)
  onChanged(botId)
  return record
}

export async function updateAnswer(
  { curatedAnswers, onChanged, clock }: AnswerDeps,
  botId: string,
  answerId: string,
  input: BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/answers/{answerId}']>,
): Promise<CuratedAnswerRecord> {
  const record = await curatedAnswers.update(botId, answerId, {
    question: input.question?.trim(),
    alternatives: input.alternatives,
    answer: input.answer?.trim(),
    url: input.url,
    updatedAt: clock(),
  })
  if (!record) throw new Fault('not_found')
  onChanged(botId)
  return record
}
