import type { UploadReport } from '@docent/contract'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import { reloadQueries } from '../../api.ts'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { useSession } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatLimit } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'

const KINDS = '.pdf,.docx,.xlsx,.pptx,.odt,.html,.htm,.md,.markdown,.txt,.csv,.zip,.json'

/** Uploads files by selection or drag and drop. Rejected files stay listed with the reason. */
export function Upload({ botId, onDone }: { botId: string; onDone?: () => void }) {
  const allTexts = useTexts()
  const texts = allTexts.files
  const { file_max_bytes } = useSession()
  const id = useId()
  const [over, setOver] = useState(false)
  const [refusedFiles, setRefusedFiles] = useState<UploadReport['errors']>([])
  const upload = useMutation({
    mutationFn: (files: File[]) => {
      const form = new FormData()
      for (const file of files) form.append('file', file)
      return client.uploadFiles(botId, form)
    },
    onSuccess: async ({ created, updated, unchanged, errors }) => {
      const acceptedCount = created + updated + unchanged
      if (acceptedCount > 0) toast(texts.uploaded(acceptedCount))
      setRefusedFiles((before) => [...before, ...errors])
      if (acceptedCount > 0) onDone?.()
      await reloadQueries()
    },
  })
  const take = (files: FileList | null) => {
    const all = [...(files ?? [])]
    // Told before the upload, which may take minutes.
    const tooLarge = all.filter(({ size }) => size > file_max_bytes)
    const message = texts.tooLarge(formatLimit(file_max_bytes))
    setRefusedFiles(tooLarge.map(({ name }, index) => ({ index, name, message })))
    const fittingFiles = all.filter((file) => !tooLarge.includes(file))
    if (fittingFiles.length > 0) upload.mutate(fittingFiles)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <div className="stack">
      <label
        htmlFor={id}
        className="drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" size={24} />
        <strong>{upload.isPending ? texts.uploading(upload.variables.length) : texts.drop}</strong>
        <span className="small quiet">{texts.kinds(formatLimit(file_max_bytes))}</span>
        <input
          id={id}
          className="unseen"
          type="file"
          multiple
          accept={KINDS}
          disabled={upload.isPending}
          onChange={(event) => {
            take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </label>
      {upload.error && <Notice tone="bad">{explainError(upload.error, allTexts)}</Notice>}
      {refusedFiles.length > 0 && (
        <Notice tone="bad" title={texts.failed}>
          <ul className="plain-list">
            {refusedFiles.map(({ index, name, message }) => (
              <li key={`${index} ${name}`}>
                {name}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
