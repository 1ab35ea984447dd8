// Creates and changes curated answers, one at a time or many in an import.
import { type BodyOf, Fault, type ImportedAnswer, type ImportReport, type Routes } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { AnswerProposalsTable } from '../../storage/answer-proposals.ts'
import type { CuratedAnswerRecord, CuratedAnswersTable } from '../../storage/curated-answers.ts'

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
  const record = await newAnswer({ curatedAnswers, clock }, botId, input)
  await curatedAnswers.put(botId, record)
  onChanged(botId)
  return record
}

interface ApprovalDeps extends AnswerDeps {
  answerProposals: Pick<AnswerProposalsTable, 'approve'>
}

/** Makes a curated answer of a proposed one, as an editor has changed it. */
export async function approveAnswer(
  deps: ApprovalDeps,
  botId: string,
  proposalId: string,
  input: BodyOf<Routes['POST /api/manage/v1/bots/{botId}/answers']>,
): Promise<CuratedAnswerRecord> {
  const record = await newAnswer(deps, botId, input)
  if (!(await deps.answerProposals.approve(botId, proposalId, record))) throw new Fault('not_found')
  deps.onChanged(botId)
  return record
}

async function newAnswer(
  { curatedAnswers, clock }: Pick<AnswerDeps, 'curatedAnswers' | 'clock'>,
  botId: string,
  input: BodyOf<Routes['POST /api/manage/v1/bots/{botId}/answers']>,
): Promise<CuratedAnswerRecord> {
  if ((await curatedAnswers.count(botId)) >= MAX_ANSWERS) throw new Fault('too_many_answers')
  return {
    id: randomId('ans'),
    question: input.question.trim(),
    alternatives: input.alternatives ?? [],
    answer: input.answer.trim(),
    url: input.url ?? null,
    createdAt: clock(),
    updatedAt: clock(),
    vectors: null,
  }
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

// Imports curated answers in bulk: the same id or question replaces, and one invalid item never fails the rest.

// The classifier trains on all of them; more belongs on pages.
const MAX_ANSWERS = 500
const MAX_ITEMS = 5000
const ERRORS_TOLD = 100

interface Deps {
  curatedAnswers: Pick<CuratedAnswersTable, 'list' | 'putAll'>
  /** What is wrong with an item, or null. */
  checkAnswer: (item: unknown) => string | null
  /** Called when something was imported. */
  onChanged: (botId: string) => void
  clock: () => number
}

export type ImportAnswers = (botId: string, items: Iterable<unknown> | AsyncIterable<unknown>) => Promise<ImportReport>

export function makeImportAnswers({ curatedAnswers, checkAnswer, onChanged, clock }: Deps): ImportAnswers {
  return async (botId, items) => {
    const report: ImportReport = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }
    const records = await curatedAnswers.list(botId, '', MAX_ANSWERS)
    const byId = new Map(records.map((record) => [record.id, record]))
    const byQuestion = new Map(records.map((record) => [foldQuestion(record.question), record]))
    const changedRecords = new Map<string, CuratedAnswerRecord>()
    let index = -1

    function fail(item: unknown, message: string) {
      report.failed++
      const id = (item as { id?: unknown } | null)?.id
      const error = { index, id: typeof id === 'string' ? id : null, code: 'invalid_answer', message }
      if (report.errors.length < ERRORS_TOLD) report.errors.push(error)
    }

    function take(importedAnswer: ImportedAnswer) {
      const old =
        (importedAnswer.id && byId.get(importedAnswer.id)) || byQuestion.get(foldQuestion(importedAnswer.question))
      if (!old && byId.size >= MAX_ANSWERS)
        return fail(importedAnswer, `a bot can have at most ${MAX_ANSWERS} curated answers`)
      const now = clock()
      const record = {
        id: old?.id ?? importedAnswer.id ?? randomId('ans'),
        question: importedAnswer.question.trim(),
        alternatives: importedAnswer.alternatives ?? [],
        answer: importedAnswer.answer.trim(),
        url: importedAnswer.url ?? null,
        createdAt: old?.createdAt ?? now,
        updatedAt: now,
        vectors: null,
      }
      if (old && saysTheSame(old, record)) return report.unchanged++
      if (old) byQuestion.delete(foldQuestion(old.question))
      byId.set(record.id, record)
      byQuestion.set(foldQuestion(record.question), record)
      changedRecords.set(record.id, record)
      return old ? report.updated++ : report.created++
    }

    for await (const item of items) {
      if (++index >= MAX_ITEMS)
        throw new Fault('payload_too_large', { message: `An import can have at most ${MAX_ITEMS} answers.` })
      const parsedItem = item instanceof Fault ? item : withAlternatives(item)
      const mistake = parsedItem instanceof Fault ? parsedItem.message : checkAnswer(parsedItem)
      if (mistake) fail(item, mistake)
      else take(parsedItem as ImportedAnswer)
    }
    if (changedRecords.size > 0) {
      await curatedAnswers.putAll(botId, [...changedRecords.values()])
      onChanged(botId)
    }
    return report
  }
}

/** In CSV, alternatives share a cell: one per line, or separated by "|", escaped with a backslash. */
function withAlternatives(item: unknown): unknown {
  const { alternatives } = (item ?? {}) as { alternatives?: unknown }
  if (typeof alternatives !== 'string') return item
  const phrases = alternatives.split(/\n|(?<!\\)\|/).map((phrase) => phrase.replaceAll('\\|', '|').trim())
  return { ...(item as object), alternatives: phrases.filter((phrase) => phrase !== '') }
}

export function alternativesCell(alternatives: string[]): string {
  return alternatives.map((phrase) => phrase.replaceAll('|', '\\|')).join('\n')
}

function saysTheSame(a: CuratedAnswerRecord, b: CuratedAnswerRecord): boolean {
  const contentOf = ({ question, alternatives, answer, url }: CuratedAnswerRecord) =>
    JSON.stringify([question, alternatives, answer, url])
  return contentOf(a) === contentOf(b)
}

function foldQuestion(question: string): string {
  return question.trim().toLowerCase().replace(/\s+/g, ' ')
}
