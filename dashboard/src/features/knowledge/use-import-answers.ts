import type { ImportReport } from '@docent/contract'
import { toDocentError } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { reloadQueries } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Uploads a file of curated answers. The server parses CSV and JSON and reports on each row. */
export function useImportAnswers(botId: string) {
  const texts = useTexts()
  return useMutation({
    mutationFn: async (file: File): Promise<ImportReport> => {
      const isCsv = file.name.toLowerCase().endsWith('.csv')
      const response = await fetch(`/api/manage/v1/bots/${encodeURIComponent(botId)}/answers/import`, {
        method: 'POST',
        headers: { 'content-type': isCsv ? 'text/csv' : 'application/json' },
        body: file,
      })
      if (!response.ok) throw await toDocentError(response)
      return response.json()
    },
    onSuccess: async ({ created, updated, failed, errors }) => {
      const first = errors[0] ? ` ${errors[0].message}` : ''
      toast(texts.answers.imported(created, updated, failed) + first, failed > 0 ? 'bad' : 'good')
      await reloadQueries()
    },
    onError: (error) => toast(explainError(error, texts), 'bad'),
  })
}
