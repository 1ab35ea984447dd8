import { ActionIcon, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { general } = useTexts()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  const tooltip = isCopied ? general.copied : (label ?? general.copy)
  return (
    <Tooltip label={tooltip}>
      <ActionIcon variant="subtle" color="gray" aria-label={tooltip} onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

/** The clipboard API needs HTTPS; copying a selection works without it. */
async function writeText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
