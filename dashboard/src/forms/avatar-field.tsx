import { AVATAR_BYTES } from '@docent/contract/limits'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldError, isError } from '../client.ts'
import { explainError } from '../text/explain-error.ts'
import { useTexts } from '../texts/texts.tsx'

interface Props {
  /** Uploads the file and resolves with the picture's id. */
  send: (form: FormData) => Promise<{ id: string }>
  urlOf: (id: string) => string
  label: string
  hint: string
  /** The picture's id; null if there is none. */
  value: string | null
  onChange: (id: string | null) => void
}

/** A picture that is uploaded as soon as it is chosen. */
export function AvatarField({ send, urlOf, label, hint, value, onChange }: Props) {
  const allTexts = useTexts()
  const texts = allTexts.appearance
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.append('file', file)
      return send(form)
    },
    onSuccess: ({ id }) => onChange(id),
  })
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = (file: File) => {
    upload.reset()
    setTooLarge(file.size > AVATAR_BYTES)
    if (file.size <= AVATAR_BYTES) upload.mutate(file)
  }
  const problem = (error: unknown) =>
    isTooLarge || isError(error, 'payload_too_large')
      ? texts.pictureTooLarge
      : (fieldError(error, 'file') ?? explainError(error, allTexts))
  return (
    <fieldset className="stack tight picture-field">
      <legend className="field-label">{label}</legend>
      <span className="field-hint">{hint}</span>
      <div className="inline">
        {value && <img src={urlOf(value)} alt="" width={44} height={44} />}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          accept="image/png,image/jpeg,image/webp"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) choose(file)
            event.currentTarget.value = ''
          }}
        />
        <Button variant="default" loading={upload.isPending} onClick={() => input.current?.click()}>
          {value ? texts.replacePicture : texts.uploadPicture}
        </Button>
        {value && (
          <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
            {texts.removePicture}
          </Button>
        )}
      </div>
      {(isTooLarge || upload.error) && (
        <span className="field-hint bad" role="alert">
          {problem(upload.error)}
        </span>
      )}
    </fieldset>
  )
}
